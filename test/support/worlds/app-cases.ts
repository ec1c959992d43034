import { APP_WARNING } from '../../../src/bridge/connections/connection.ts';
import type { ReasonCode } from '../../../src/operations/verdict/reason-codes.ts';
import { BY } from '../samples/by.ts';
import { sampleApp } from '../samples/sample-app.ts';
import type { VerdictCase } from './verdict-case.ts';

/** What can be wrong with an app by which stores are connected. */
export const appCases: Partial<Record<ReasonCode, VerdictCase>> = {
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
    level: 'attention',
    subject: () => 'strange',
    begin: async ({ bridge, woo }) => {
      const { apps, connections } = bridge.app.core;
      await apps.add(sampleApp({ id: 'strange' }), { by: BY });
      await bridge.pool.query(`update connections set app = 'strange' where id = $1`, [woo.connection.id]);
      await connections.warn(woo.connection.id, APP_WARNING, 'storefront.refused: the client id and secret');
    },
    end: ({ bridge, woo }) => bridge.app.core.connections.endWarning(woo.connection.id, APP_WARNING),
  },
};
