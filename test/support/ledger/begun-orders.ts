import { z } from 'zod';
import type { BegunSend } from '../../../src/bridge/delivery/attempt-ports.ts';
import type { FirstAttemptOptions } from '../../../src/bridge/delivery/record-deliveries.ts';
import type { Claim } from '../../../src/bridge/order/decisions/claim.ts';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { sampleConnection } from '../samples/sample-claim.ts';
import { createOf, type LedgerStore } from './recorded-order.ts';

/** The create of an order, as an attempt begins it. */
export function begunOf(claim: Claim, store: LedgerStore): BegunSend {
  const { connectionId, shopId, destinationId } = store;
  const step = createOf(claim, store);
  return { action: { do: 'send', step, wanted: null }, connection: sampleConnection({ id: connectionId, shopId, destinationId }), mayResend: true };
}

/** Capacity for many attempts, whose first step is the create of each order; unless said otherwise. */
export function attemptsOf(store: LedgerStore, values: Partial<FirstAttemptOptions> = {}): { firstAttempts: FirstAttemptOptions } {
  return { firstAttempts: { size: 50, notOf: [], leaseMs: 60_000, now: Date.now(), plan: async (claim) => begunOf(claim, store), ...values } };
}

const orderRows = rowsOf(
  'orders',
  z.object({ orderId: z.string(), state: z.string(), fence: z.int(), leased: z.boolean(), openStep: z.int().nullable(), stepSeq: z.int(), steps: z.int() }),
);

/** What is written of each order of a store: `openStep` its seq, `steps` how many are journaled. */
export function ordersOf(db: Queryable, { connectionId }: LedgerStore): Promise<z.output<typeof orderRows.schema>[]> {
  return readRows(db, orderRows, {
    text: `select o.order_id as "orderId", o.state, o.fence, coalesce(o.lease_until > now(), false) as leased, (o.open_step ->> 'seq')::int as "openStep",
      o.step_seq as "stepSeq", (select count(*) from steps s where s.order_ref = o.id) as steps from orders o where o.connection_id = $1 order by o.id`,
    values: [connectionId],
  });
}

/** Of an order that was begun, and of one that only waits. */
export const BEGUN = { state: 'queued', fence: 1, leased: true, openStep: 1, stepSeq: 1, steps: 1 };
export const WAITS = { state: 'queued', fence: 0, leased: false, openStep: null, stepSeq: 0, steps: 0 };
