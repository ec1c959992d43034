import { grantFailed, grantsKept } from '../bridge/bridge-events.ts';
import { grantedTokens } from '../bridge/ledger/connections/store-tokens.ts';
import { type KeepGrantsDeps, keepGrants } from '../bridge/reconciliation/keep-grants.ts';
import { storeMeans } from '../bridge/store-api/store-means.ts';
import type { Storefronts } from '../bridge/storefronts/contract.ts';
import type { Core } from './core.ts';
import { noteAppTaken, noteStoreApi } from './note-warnings.ts';
import { openStoreCalls, openStoreKeys } from './store-access.ts';

/** Renews grants of merchants that nothing renewed for most of a day. `now`: by which they are due, ms since 1970. */
export function grantKeeper(core: Core, storefronts: Storefronts, now = Date.now): (signal: AbortSignal) => Promise<void> {
  const deps = { ...keeperDeps(core, storefronts), now };
  return async (signal) => grantsKept(core.log, await keepGrants(deps, signal));
}

function keeperDeps(core: Core, storefronts: Storefronts): Omit<KeepGrantsDeps, 'now'> {
  const { connections, log, pool, sealer } = core;
  const keys = openStoreKeys(core);
  return {
    storefronts,
    tokens: () => grantedTokens(pool, sealer),
    connection: (id) => connections.find(id),
    stores: openStoreCalls(core),
    means: (connection, fetchJson) => storeMeans(connection, { fetchJson, now: Date.now(), ...keys }),
    noteStoreApi: (id, refusal) => noteStoreApi(core, id, refusal),
    noteAppTaken: (id) => noteAppTaken(core, id),
    random: Math.random,
    onFailed: (connectionId, err) => grantFailed(log, { connectionId, err }),
  };
}
