import { deliveriesRecorded, deliveryUnrecordable, jobFailed, uninstalledLate } from '../bridge/bridge-events.ts';
import { createPoisonDetector, type DeliveriesDeps, recordUnqueued, unrecordableWords } from '../bridge/delivery/deliveries-worker.ts';
import type { DueOrders } from '../bridge/delivery/due-orders.ts';
import { handleUninstalled, type UninstalledDeps } from '../bridge/delivery/handle-uninstalled.ts';
import { type AcceptedDelivery, DELIVERIES } from '../bridge/delivery/jobs.ts';
import { type FirstAttempts, type RecorderLedger, recordDeliveries } from '../bridge/delivery/record-deliveries.ts';
import { openDelivery } from '../bridge/delivery/sealed-delivery.ts';
import { storeKeysMark } from '../bridge/ledger/connections/store-tokens.ts';
import { noteDelivery } from '../bridge/ledger/deliveries/delivery-store.ts';
import { admitDelivery } from '../bridge/ledger/deliveries/store-hosts.ts';
import { ordersOfRefund } from '../bridge/ledger/orders/read-orders.ts';
import { recordOrders } from '../bridge/ledger/orders/record-store.ts';
import { erase } from '../bridge/ledger/privacy/erasures.ts';
import { storeExport } from '../bridge/ledger/privacy/privacy-exports.ts';
import { forgetRefusal } from '../bridge/ledger/sync/store-calls.ts';
import { storeMeans } from '../bridge/store-api/store-means.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { quiet } from '../platform/rate-limit.ts';
import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { AttemptParts } from './order-attempts.ts';
import { openStoreCalls, openStoreKeys } from './store-access.ts';
import type { SweepParts } from './sweeper.ts';
import { tracedRecord } from './traced.ts';

export function recordBesideQueue({ log }: Core, recording: DeliveriesDeps): SweepParts['record'] {
  const onFailed = quiet((err: Error) => jobFailed(log, { queue: DELIVERIES, job: undefined, err }));
  return async (deliveries) => {
    const { left, failed } = await recordUnqueued(recording, deliveries);
    const [first] = failed;
    if (first !== undefined) onFailed(new Error(`delivery ${first.delivery.id} of the inbox can’t be recorded`, { cause: first.failure }));
    return left;
  };
}

export function recordingDeps(options: AttemptParts, due: DueOrders): DeliveriesDeps {
  const { core, queues, metrics, submitter } = options;
  const { config, log } = core;
  const ledger = recorderLedger(options);
  const onMerged = (count: { merged: number; duplicates: number }) => counted(metrics, count);
  const deps = {
    ledger,
    storefronts,
    connection: submitter.connection,
    notify: queues.notify,
    firstAttempts: firstAttempts(options, due),
    uninstalled: handleUninstalled(uninstalledDeps(core)),
    quietSeconds: config.quietSeconds,
    now: Date.now,
    onMerged,
  };
  return {
    record: tracedRecord(core.traces, async (deliveries) => {
      await recordDeliveries(
        deps,
        deliveries.map((delivery) => openDelivery(core.sealer, delivery)),
      );
      for (const { connectionId, id } of deliveries) queues.scheduler.done(connectionId, id);
    }),
    sendToReview: async (delivery, failure) => {
      await sendUnrecordableToReview(core, delivery, failure);
      queues.scheduler.done(delivery.connectionId, delivery.id);
    },
    poisonDetector: createPoisonDetector(Date.now),
    onRecorded: (recorded) => deliveriesRecorded(log, recorded),
    now: Date.now,
  };
}

async function sendUnrecordableToReview({ pool, log }: Core, delivery: AcceptedDelivery, failure: unknown): Promise<void> {
  const detail = unrecordableWords(delivery, failure);
  await noteDelivery(pool, { delivery, outcome: 'review', code: 'delivery.unrecordable', detail });
  deliveryUnrecordable(log, { delivery: delivery.id, connection: delivery.connectionId, detail });
}

function counted(metrics: Metrics, { merged, duplicates }: { merged: number; duplicates: number }): void {
  metrics.merged.inc(merged);
  metrics.duplicates.inc(duplicates);
}

function recorderLedger({ core }: AttemptParts): RecorderLedger {
  const { pool, connections } = core;
  return {
    recordOrders: (items, firstAttempts) => recordOrders(pool, items, { firstAttempts }),
    ordersOfRefund: (store, refundId) => ordersOfRefund(pool, store, refundId),
    note: (noted) => noteDelivery(pool, noted),
    pinStore: (id, store) => connections.pinStore(id, store),
    connectionsOfStore: (platform, host) => connections.findByStore(platform, host),
    admit: (unknown) => admitDelivery(pool, unknown),
    warn: (id, kind, words) => connections.warn(id, kind, words),
    endWarning: (id, kind) => connections.endWarning(id, kind),
    privacy: async ({ connection, store, request, arrivedAt }) => {
      const orderIds = request.action === 'redact-shop' ? null : request.orderIds;
      const scope = { shopId: connection.shopId, platform: connection.platform, store, orderIds, until: arrivedAt };
      if (request.action === 'export') return storeExport(pool, scope, { connectionId: connection.id, requestId: request.requestId });
      await erase(pool, scope);
    },
  };
}

function firstAttempts({ core: { config }, submitter }: AttemptParts, due: DueOrders): FirstAttempts {
  const leaseMs = config.leaseSeconds * 1000;
  return {
    async capacity(orders) {
      const capacity = await due.capacity(orders);
      return capacity === null ? null : { ...capacity, leaseMs, now: Date.now(), plan: submitter.firstStep };
    },
    take: (orders, slots) => due.take(orders, slots),
  };
}

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
