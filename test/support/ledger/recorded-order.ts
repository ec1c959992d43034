import { randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { z } from 'zod';
import type { AttemptLedger } from '../../../src/bridge/delivery/attempt-ports.ts';
import type { OrderDelivery } from '../../../src/bridge/delivery/record-deliveries.ts';
import type { Claim } from '../../../src/bridge/order/decisions/claim.ts';
import type { CreateStep } from '../../../src/bridge/order/decisions/step.ts';
import type { OrderNews } from '../../../src/bridge/order/facts/facts.ts';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { line, snapshot } from '../samples/order-facts.ts';

/** A store in the ledger, and where its records go. */
export type LedgerStore = { connectionId: string; shopId: string; destinationId: string };

const storeRows = rowsOf('connections', z.object({ connectionId: z.string(), shopId: z.string(), destinationId: z.string() }));

/** A connection by SQL, for tests of the ledger alone: nothing of it opens. */
export function insertStore(db: Queryable, connectionId: string): Promise<LedgerStore> {
  return readOne(db, storeRows, {
    text: `with d as (insert into destinations (key_digest, credentials) values ('k ' || $1, 'c') returning id)
      insert into connections (id, platform, name, store, shop_id, destination_id, secrets, settings, record_from)
      select $1, 'standard', 'corner', 'corner', gen_random_uuid(), id, 's', '{}', now() from d
      returning id as "connectionId", shop_id as "shopId", destination_id as "destinationId"`,
    values: [connectionId],
  });
}

const LINES = ['Тениска с надпис', 'Книга за готвене', 'Чаша'].map((name, n) => line({ id: String(n), name }));

/** The news of a paid order of three lines, with its buyer, as a webhook told it. */
export function paidOrder({ connectionId, shopId }: LedgerStore, orderId: string, values: Partial<OrderNews> = {}): OrderDelivery {
  const customer = { firstName: 'Мария', lastName: 'Иванова', email: `buyer-${orderId}@shop.example` };
  const news: OrderNews = { orderId, snapshot: snapshot({ number: `#${orderId}`, lines: LINES, total: '72.00' }), customer, ...values };
  const body = zstdCompressSync(JSON.stringify({ news, pad: randomUUID() })).toString('base64');
  const of = { id: randomUUID(), connectionId, arrivedAt: new Date().toISOString(), topic: 'order.paid', platformDeliveryId: randomUUID(), store: 'corner' };
  return {
    delivery: { ...of, body, normalized: { kind: 'order', news } },
    key: { shopId, platform: 'standard', store: 'corner', orderId },
    news,
    quietSeconds: 0,
  };
}

/** The create of such an order. */
export function createOf({ key, stepSeq }: Claim, { destinationId }: LedgerStore): CreateStep {
  const head = { internalId: key.orderId, internalNumber: `#${key.orderId}`, internalCreatedAt: '2026-11-20T11:55:00+02:00' };
  const lineItems = LINES.map(({ name }) => ({ name, quantity: 1, price: '24.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' as const }));
  const paid = { paymentType: 'PAYMENT_PROCESSOR' as const, paymentProcessorName: 'Stripe', transactionId: 'pi_1', currency: 'EUR', precision: 2 };
  const record = { ...head, lineItems, ...paid };
  return { kind: 'create', seq: stepSeq + 1, record, idempotencyKey: randomUUID(), destinationId, uncertain: false, receipt: false };
}

/** Begins its create, and writes that it is recorded. */
export async function recordCreate(ledger: AttemptLedger, claim: Claim, store: LedgerStore): Promise<void> {
  const sent = createOf(claim, store);
  await ledger.begin({ claim, step: sent });
  const complianceId = randomUUID();
  const step = { seq: sent.seq, outcome: 'recorded', status: 200, detail: null, complianceId };
  const current = { record: sent.record, complianceId, destinationId: store.destinationId };
  const rested = { state: 'recorded', recordedRevision: claim.revision, review: null, attempts: 0 } as const;
  await ledger.write({ claim, sent, write: { ...rested, step, current, receipt: null, openStep: null, previous: null } });
}
