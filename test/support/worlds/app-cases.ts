import { APP_WARNING } from '../../../src/bridge/connections/connection.ts';
import { BY } from '../samples/by.ts';
import { sampleApp } from '../samples/sample-app.ts';
import { type CheckCode, connectionCase, type HealthCase } from './health-case.ts';

const refused = connectionCase('app.refused', async ({ bridge }, id) => {
  const { apps, connections } = bridge.app.core;
  await apps.add(sampleApp({ id: 'strange' }), { by: BY });
  await bridge.pool.query(`update connections set app = 'strange' where id = $1`, [id]);
  await connections.warn(id, APP_WARNING, 'storefront.refused: the client id and secret');
});

/** What can be wrong with an app by which stores are connected. */
export const appCases: Partial<Record<CheckCode, HealthCase>> = {
  'app.closed': {
    level: 'attention',
    subject: () => 'spoilt',
    begin: async ({ bridge }) => {
      await bridge.app.core.apps.add(sampleApp({ id: 'spoilt' }), { by: BY });
      await bridge.pool.query(
        `update store_apps set secrets = (select store_access from connections where store_access is not null limit 1) where id = 'spoilt'`,
      );
    },
    end: ({ bridge }) => bridge.app.core.apps.changeSecrets('spoilt', [{ secret: 'shpss_mended', until: null }], { by: BY }),
  },
  'app.refused': {
    ...refused,
    level: 'attention',
    subject: () => 'strange',
  },
};
