import type { Connection } from '../bridge/connections/connection.ts';
import { openReadableStore, retryingStore } from '../bridge/reconciliation/open-readable-store.ts';
import type { ReadableStore } from '../bridge/reconciliation/read-page.ts';
import { storefrontOf, storefronts } from '../bridge/storefronts/registry.ts';
import type { ReconcileDeps } from '../operations/reconciliation/reconcile-deps.ts';
import type { Actor } from '../platform/audit-log/audit-log.ts';
import { openComplianceAccess, openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import type { Queues } from './queues.ts';
import { openStoreDeps, readPageDeps } from './store-reader.ts';

/** `by`: who adopts records and takes orders in. */
type ReconcileRequest = { signal: AbortSignal; by: Actor };

/** What holds stores, ledger and service against each other, for a process that has the ledger and the queues. */
export async function openReconcile(core: Core, queues: Queues, { signal, by }: ReconcileRequest): Promise<ReconcileDeps & AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const compliance = setup.use(await openComplianceAccess(core));
  const records = setup.use(openComplianceClient(core.config));
  const owned = setup.move();
  const { pool, destinations, connections } = core;
  return {
    ...{ pool, connections, destinations, compliance, records, notify: queues.notify, by, now: Date.now },
    ...readPageDeps({ core, queues }),
    openStore: storeOpener(core, () => signal),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** `signalOf`: until when a store that is opened now may be read. */
export function storeOpener(core: Core, signalOf: () => AbortSignal): ReconcileDeps['openStore'] {
  const opening = openStoreDeps(core);
  return async (connection: Connection, waitMs: number, isOne?: true): Promise<ReadableStore | null> => {
    const { api } = storefrontOf(storefronts, connection.platform);
    const { access } = connection;
    if (api?.changedSince === undefined || access === null) return null;
    const signal = signalOf();
    const open = () => openReadableStore(opening, { connection, access, api, name: null, signal });
    return retryingStore(open, { now: Date.now, mostMs: waitMs, signal, isOne: isOne === true });
  };
}
