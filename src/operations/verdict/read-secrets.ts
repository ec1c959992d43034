import { secretWarnings } from '../connections/secret-warnings.ts';
import type { Look, Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

/** Secrets of live connections and of apps that do not open, or may not be used. Without any secret a store's webhooks are refused. */
export const secretReader: Reader = {
  codes: ['secrets.closed', 'app.closed'],
  async read(look) {
    return [...(await ofConnections(look)), ...(await ofApps(look))];
  },
};

async function ofConnections({ live, config }: Look): Promise<Reason[]> {
  return (await live()).flatMap((connection) => {
    const { wrong } = secretWarnings(connection, config.trustedHttpHosts);
    if (wrong.length === 0) return [];
    const level = connection.secrets.length === 0 ? 'failing' : 'attention';
    return [reasonOf('secrets.closed', { level, subject: connection.id, words: `${connection.name}: ${wrong.join('; ')}`, verb: 'connections' })];
  });
}

async function ofApps({ apps }: Look): Promise<Reason[]> {
  return (await apps.list()).flatMap(({ id, platform, unopened, connections }) => {
    if (unopened === null) return [];
    const level = connections > 0 ? 'failing' : 'attention';
    return [reasonOf('app.closed', { level, subject: id, words: `app ${id}: ${unopened}`, verb: `${platform}-app rotate-secret ${id}` })];
  });
}
