import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readEach, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { noFacts } from '../order/facts.ts';
import type { Unrecorded } from '../reconciliation/unrecorded-order.ts';
import { storedFacts } from './stored-facts.ts';
import { storedMapping } from './stored-order.ts';

export type UnrecordedOf = Unrecorded & { id: number; connectionId: string };

const ids = rowsOf('orders', z.object({ id: z.int() }));
const orderRows = rowsOf(
  'orders',
  z.object({
    id: z.int(),
    orderId: z.string(),
    connectionId: z.string(),
    facts: storedFacts,
    mapping: storedMapping.nullable(),
    isOurs: z.boolean(),
    code: z.string(),
  }),
);

// What is being recorded in the usual way is not worth a word. Both parts find their few rows by an index.
const IDS = `
  select o.id from orders o where o.shop_id = $1 and o.record is null and o.state in ('review', 'unconfirmed')
  union
  select o.id from connections c join orders o on o.connection_id = c.id
    where c.shop_id = $1 and o.shop_id = $1 and o.revision > o.recorded_revision and o.revision > o.held_revision and o.record is null and o.state = 'queued'
      and o.dirty_since < now() - $2 * interval '1 ms'`;

const ORDERS = `
  select o.id, o.order_id as "orderId", o.connection_id as "connectionId", f.facts, o.mapping, o.backfilled as "isOurs",
    case o.state when 'review' then coalesce(o.review_code, 'queued') when 'unconfirmed' then 'unconfirmed' else coalesce((
      select p.code from pauses p join connections c on c.id = o.connection_id
        where p.destination_id = c.destination_id and (p.shop_id is null or p.shop_id = o.shop_id) and p.call_type = 'records' order by p.since limit 1), 'queued') end as code
  from orders o join order_facts f on f.order_ref = o.id where o.id = any($1) and o.record is null and o.state in ('review', 'unconfirmed', 'queued')`;

const PAGE = 200;

/** The orders of a shop that have no record, and wait for a person or for longer than `graceMs`, in pages. One that can't be read is left out: `doctor` names it. */
export async function* unrecordedOrders(pool: Pool, shopId: string, graceMs: number): AsyncGenerator<UnrecordedOf[]> {
  const all = await readRows(pool, ids, { text: IDS, values: [shopId, graceMs] });
  for (let at = 0; at < all.length; at += PAGE) {
    const page = all.slice(at, at + PAGE).map(({ id }) => id);
    const { readable } = await readEach(pool, orderRows, { text: ORDERS, values: [page] });
    yield readable.map(({ facts, ...order }) => ({ ...order, facts: { ...facts, customer: noFacts.customer } }));
  }
}
