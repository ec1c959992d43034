import { subscriptionsWatched, watchFailed } from '../bridge/bridge-events.ts';
import { ACCESS_WARNING, type Connection } from '../bridge/connections/connection.ts';
import { createWatchLedger } from '../bridge/ledger/sync/watch-store.ts';
import { beginWatches, watchOne } from '../bridge/reconciliation/watch-due.ts';
import type { WatchDeps } from '../bridge/reconciliation/watch-subscriptions.ts';
import { storeMeans } from '../bridge/store-api/store-means.ts';
import type { Storefronts } from '../bridge/storefronts/contract.ts';
import { storefrontOf } from '../bridge/storefronts/registry.ts';
import { appWebhookAddress, webhookAddress } from '../operations/connections/store-webhooks.ts';
import { each, type Run, whole } from '../platform/jobs/job-kind.ts';
import type { Core } from './core.ts';
import { hearingVersions, noteStoreApi } from './note-warnings.ts';
import { openStoreCalls, openStoreKeys } from './store-access.ts';

/** How webhooks of stores are looked after under this configuration; the server and the command do it alike. */
export function watchDeps(core: Core, storefronts: Storefronts): WatchDeps {
  const { appCache, config, connections, pool, sealer } = core;
  const { publicUrl, appSecrets } = config;
  const keys = openStoreKeys(core);
  return {
    ledger: createWatchLedger(pool, sealer),
    stores: openStoreCalls(core),
    means: (connection, fetchJson) => storeMeans(connection, { fetchJson: hearingVersions(core, connection, fetchJson), now: Date.now(), ...keys }),
    // Without PUBLIC_URL it would be an address of this machine, which no store can reach.
    addressOf: (connection) => (publicUrl === null ? null : webhookAddress(publicUrl, connection)),
    appAddressOf: ({ platform, app }: Connection) => {
      const { appWide } = storefrontOf(storefronts, platform);
      if (publicUrl === null || appWide === undefined) return null;
      if (app !== null) return appWebhookAddress(publicUrl, { platform, id: app });
      return appSecrets[appWide.secretVariable] === undefined ? null : `${publicUrl}/webhooks/${platform}`;
    },
    configuredOf: async ({ platform, app: id }: Connection) => {
      const { appWide } = storefrontOf(storefronts, platform);
      const app = id === null || appWide === undefined ? null : await appCache.get(id);
      return app === null ? null : (appWide?.configured(app.kind) ?? null);
    },
    noteStoreApi: (id, refusal) => noteStoreApi(core, id, refusal),
    accessWorks: async (id) => void (await connections.endWarning(id, ACCESS_WARNING)),
    now: Date.now,
  };
}

/** Looks for stores whose webhooks are to be listed, each of them once an hour. */
export function watchdog(core: Core, storefronts: Storefronts): Record<'watch' | 'webhooks', Run> {
  const { connections, log } = core;
  const deps = {
    ...watchDeps(core, storefronts),
    storefronts,
    connection: (id: string) => connections.find(id),
    onWatched: (connectionId: string, watched: Parameters<typeof subscriptionsWatched>[1]['watched']) => subscriptionsWatched(log, { connectionId, watched }),
    onFailed: (connectionId: string, err: unknown) => watchFailed(log, { connectionId, err }),
  };
  return { watch: whole(() => beginWatches(deps)), webhooks: each((job, signal) => watchOne(deps, job, signal)) };
}
