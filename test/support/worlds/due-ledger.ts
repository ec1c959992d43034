import { z } from 'zod';
import type { DueLedger, DueOrder, DuePage, Planned } from '../../../src/bridge/delivery/due-orders.ts';
import { createDueLedger } from '../../../src/bridge/ledger/orders/due-orders.ts';
import type { Claim } from '../../../src/bridge/order/decisions/claim.ts';
import type { CreateStep } from '../../../src/bridge/order/decisions/step.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { facts } from '../samples/order-facts.ts';
import type { Connected } from './bridge.ts';
import type { World } from './world.ts';

const idRows = rowsOf('orders', z.object({ id: z.int() }));
const { customer: _apart, ...storedFacts } = facts();

/** `minutes`: how long ago they were due; below 0: they will be. `prefix`: of their ids. */
type Outdated = { count: number; minutes: number; prefix?: string };

/** Orders of a connection that are pending; their ids in the ledger. */
export async function pending(
  { bridge }: Pick<World, 'bridge'>,
  { connection }: Pick<Connected, 'connection'>,
  { count, minutes, prefix = 'o' }: Outdated,
): Promise<number[]> {
  const rows = await readRows(bridge.pool, idRows, {
    text: `with made as (insert into orders (shop_id, platform, store, order_id, connection_id, revision, state, dirty_since, due_at)
     select $1, 'standard', 'corner', $5 || n, $2, 1, 'queued', now(), now() - $4 * interval '1 minute' + n * interval '1 ms' from generate_series(1, $3::int) n
     returning id), facts as (insert into order_facts select id, $6::jsonb from made)
     select id from made order by id`,
    values: [connection.shopId, connection.id, count, minutes, prefix, JSON.stringify(storedFacts)],
  });
  return rows.map(({ id }) => id);
}

/** The oldest, of every connection. */
export const PAGE: DuePage = { size: 50, not: [], notOf: [], notTo: [], served: {}, roundRobin: false };

/** The create of an order, as a plan. */
export function createOf({ key, stepSeq, revision }: Claim, destinationId: string): Planned {
  const record = {
    ...{
      internalId: key.orderId,
      internalNumber: '#1',
      internalCreatedAt: '2026-11-20T11:55:00+02:00',
      paymentType: 'VIRTUAL_POS',
      paymentProcessorName: null,
    },
    ...{ currency: 'EUR', precision: 2, transactionId: null },
    lineItems: [{ name: 'Mug', quantity: 1, price: '24.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  };
  const idempotencyKey = `${key.shopId}-${key.orderId}-${revision}`;
  const step: CreateStep = { kind: 'create', seq: stepSeq + 1, record, idempotencyKey, destinationId, uncertain: false, receipt: false };
  return { action: { do: 'send', step, wanted: null } };
}

/** A due ledger whose plan is the create of each order, unless said otherwise. */
export function dueLedger(
  { bridge }: World,
  { connection }: Pick<Connected, 'connection'>,
  options: Partial<Parameters<typeof createDueLedger>[1]> = {},
): DueLedger<Planned> {
  const plan = async (claim: Claim) => createOf(claim, connection.destinationId);
  return createDueLedger(bridge.pool, { leaseMs: 60_000, plan, ...options });
}

export const idsOf = ({ orders }: { orders: readonly Pick<DueOrder<Planned>, 'claim'>[] }): number[] => orders.map(({ claim }) => claim.id);

const storedRows = rowsOf(
  'orders',
  z.object({ id: z.int(), fence: z.int(), leased: z.boolean(), openStep: z.string().nullable(), stepSeq: z.int(), steps: z.int() }),
);

/** What claiming wrote of each order: fence, lease, open step and journal, in the order of their ids. */
export function claimsIn({ bridge }: Pick<World, 'bridge'>) {
  return readRows(bridge.pool, storedRows, {
    text: `select o.id, o.fence, coalesce(o.lease_until > now(), false) as leased, o.open_step ->> 'kind' as "openStep", o.step_seq as "stepSeq",
      (select count(*) from steps s where s.order_ref = o.id) as steps from orders o order by o.id`,
  });
}
