import type { UninstalledDeps } from '../bridge/delivery/handle-uninstalled.ts';
import { uninstalledLate } from '../bridge/grant-events.ts';
import { forgetRefusal } from '../bridge/ledger/store-calls.ts';
import { storeKeysMark } from '../bridge/ledger/store-keys-mark.ts';
import { storeMeans } from '../bridge/store-api/store-means.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import type { Core } from './core.ts';
import { openStoreCalls } from './store-fetch.ts';
import { openStoreKeys } from './store-keys.ts';

/** By what a word that an app was uninstalled is held against the store itself. */
export function uninstalledDeps(core: Core): UninstalledDeps {
  const { connections, log, pool } = core;
  const keys = openStoreKeys(core);
  return {
    storefronts,
    connection: (id) => connections.find(id),
    mark: (id) => storeKeysMark(pool, id),
    stores: openStoreCalls(core),
    forgetRefusal: (store) => forgetRefusal(pool, store),
    means: (connection, fetchJson, signal) => storeMeans(connection, { fetchJson, now: Date.now(), signal, ...keys }),
    close: (id) => connections.close(id),
    closeIfStill: (id, mark) => connections.closeIfStill(id, mark),
    onLetIn: (connectionId) => uninstalledLate(log, connectionId),
    now: Date.now,
  };
}
