import { setTimeout as delay } from 'node:timers/promises';
import { grantFailed, grantsKept } from '../bridge/bridge-events.ts';
import { grantedTokens } from '../bridge/ledger/connections/store-tokens.ts';
import { type KeepGrantsDeps, keepGrants } from '../bridge/reconciliation/keep-grants.ts';
import { storeMeans } from '../bridge/store-api/store-means.ts';
import type { Storefronts } from '../bridge/storefronts/contract.ts';
import type { Core } from './core.ts';
import { noteAppTaken, noteStoreApi } from './note-warnings.ts';
import { openStoreCalls, openStoreKeys } from './store-access.ts';

const STOP_SHARE = { mostMs: 3_000, keepMs: 3_000 };
/** What a process does soon after its start it does also where no process runs for longer. */
const FIRST_MS = 5 * 60_000;
const EVERY_MS = 3_600_000;

/** `firstMs`: the first round comes within this time. `now`: by which grants are due, ms since 1970. */
type Options = { firstMs?: number; now?: () => number };

/** Looks about once an hour for grants of merchants that nothing renewed for most of a day. Disposing cuts off what runs. */
export function startGrantKeeper(core: Core, storefronts: Storefronts, { firstMs = FIRST_MS, now = Date.now }: Options = {}): AsyncDisposable {
  const { log, stop } = core;
  const ending = new AbortController();
  const { signal } = ending;
  const deps = { ...keeperDeps(core, storefronts), now };
  const round = async (): Promise<void> => {
    try {
      grantsKept(log, await keepGrants(deps, signal));
    } catch (thrown) {
      if (!signal.aborted) grantFailed(log, { connectionId: null, err: thrown });
    }
  };
  const run = async (): Promise<void> => {
    // Processes that began together do not make their rounds together.
    for (let waitMs = Math.random() * firstMs; ; waitMs = EVERY_MS * (0.9 + Math.random() * 0.1)) {
      await delay(waitMs, undefined, { signal, ref: false });
      await round();
    }
  };
  // It ends by its signal alone.
  const running = run().catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await stop.wait('keeping of grants', running, STOP_SHARE);
    },
  };
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
