import { secretWarnings } from '../connections/secret-warnings.ts';
import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

/** Secrets of live connections that do not open, or may not be used. Without any secret a store's webhooks are refused. */
export const secretReader: Reader = {
  codes: ['secrets.closed'],
  async read({ live, config }) {
    return (await live()).flatMap((connection) => {
      const { wrong } = secretWarnings(connection, config.trustedHttpHosts);
      if (wrong.length === 0) return [];
      const level = connection.secrets.length === 0 ? 'failing' : 'attention';
      return [reasonOf('secrets.closed', { level, subject: connection.id, words: `${connection.name}: ${wrong.join('; ')}`, verb: 'connections' })];
    });
  },
};
