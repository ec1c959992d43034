import type { AcceptedDelivery } from '../bridge/delivery/jobs.ts';
import { putInInbox } from '../bridge/ledger/inbox-store.ts';
import { knownHeads } from '../bridge/ledger/known-heads.ts';
import { calledStore } from '../bridge/reconciliation/called-store.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { storefrontOf } from '../bridge/storefronts/storefront-of.ts';
import type { ReconcileDeps } from '../operations/reconciliation/reconcile-deps.ts';
import { openComplianceAccess } from './compliance-access.ts';
import { openComplianceClient } from './compliance-client.ts';
import type { Core } from './core.ts';
import type { Queues } from './queues.ts';
import { openStoreCalls } from './store-fetch.ts';

/** Deliveries that share a job: those of a page would make one that is read for long. */
const A_JOB = 50;

/** What holds stores, ledger and service against each other, for a process that has the ledger and the queues. */
export async function openReconcile(core: Core, queues: Queues, signal: AbortSignal): Promise<ReconcileDeps & AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const compliance = setup.use(await openComplianceAccess(core));
  const records = setup.use(openComplianceClient(core.config));
  const calls = openStoreCalls(core);
  const owned = setup.move();
  const { pool, destinations, connections } = core;
  return {
    ...{ pool, connections, destinations, compliance, records, wake: queues.wake, now: Date.now },
    knownHeads: (connection, orderIds) => knownHeads(pool, connection, orderIds),
    handOver: (deliveries) => handOver(core, queues, deliveries),
    async openStore(connection) {
      const { api } = storefrontOf(storefronts, connection.platform);
      return api === undefined ? null : calledStore({ calls, connection, api, now: Date.now, signal });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function handOver({ pool }: Core, { system, addDeliveries }: Queues, deliveries: AcceptedDelivery[]): Promise<void> {
  for (let at = 0; at < deliveries.length; at += A_JOB) {
    const some = deliveries.slice(at, at + A_JOB);
    if (system.isUp) await addDeliveries({ v: 1, deliveries: some });
    else for (const delivery of some) await putInInbox(pool, delivery);
  }
}
