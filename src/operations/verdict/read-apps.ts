import { APP_WARNING, type Connection } from '../../bridge/connections/connection.ts';
import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

/** The app that a store refuses, whatever its merchant granted; null: none is, or the store came by none. */
export function refusedAppOf({ app, warnings }: Pick<Connection, 'app' | 'warnings'>): string | null {
  return app !== null && APP_WARNING in warnings ? app : null;
}

/** Apps whose id and secret stores refuse: one reason for each app, however many stores came by it. An app whose secrets do not open is a reason already. */
export const appReader: Reader = {
  codes: ['app.refused'],
  async read({ apps, live }) {
    const [all, connections] = await Promise.all([apps.list(), live()]);
    return all.flatMap(({ id, platform, unopened }) => {
      const refused = connections.filter((connection) => refusedAppOf(connection) === id);
      const [first] = refused;
      if (first === undefined || unopened !== null) return [];
      const count = refused.length;
      const stores = `${count} connected ${count === 1 ? 'store says' : 'stores say'}`;
      const words = `app ${id}: ${stores}: ${first.warnings[APP_WARNING] ?? ''}`;
      return [reasonOf('app.refused', { subject: id, count, words, verb: `${platform}-app rotate-secret ${id}` })];
    });
  },
};
