import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readEach, readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { type Facts, noFacts } from '../../order/facts/facts.ts';
import type { Frozen } from '../../order/facts/settings.ts';
import { storedFacts, storedMapping } from '../order-columns.ts';

/** An order without a record, and without its buyer. */
type LeftOutOrder = { id: number; platformId: string; key: { orderId: string }; backfilled: boolean; facts: Facts; mapping: Frozen | null };

const row = z.object({
  id: z.int(),
  orderId: z.string(),
  platformId: z.string(),
  backfilled: z.boolean(),
  facts: storedFacts,
  mapping: storedMapping.nullable(),
});
const rows = rowsOf('orders', row);

const COLUMNS = 'id, order_id as "orderId", coalesce(platform_id, order_id) as "platformId", backfilled, facts, mapping';
const PAGE = 500;

/** The orders of a connection that have no record and wait for nobody, the oldest first, in pages. One that can't be read is left out: `doctor` names it. */
export async function* leftOutOrders(pool: Pool, connectionId: string): AsyncGenerator<LeftOutOrder[]> {
  for (let after = 0; ; ) {
    const { readable, unreadable } = await readEach(pool, rows, {
      text: `select ${COLUMNS} from orders join order_facts on order_ref = id where connection_id = $1 and record is null and state in ('ignored', 'waiting', 'queued') and id > $2 order by id limit ${PAGE}`,
      values: [connectionId, after],
    });
    yield readable.map(toOrder);
    const ids = [...readable, ...unreadable].map(({ id }) => Number(id ?? 0));
    if (ids.length < PAGE) return;
    after = Math.max(...ids);
  }
}

/** Its newest orders, the newest first. */
export async function newestOrders(pool: Pool, connectionId: string, most: number): Promise<LeftOutOrder[]> {
  const { readable } = await readEach(pool, rows, {
    text: `select ${COLUMNS} from orders join order_facts on order_ref = id where connection_id = $1 and facts ? 'snapshot' order by id desc limit $2`,
    values: [connectionId, most],
  });
  return readable.map(toOrder);
}

function toOrder({ orderId, facts, ...same }: z.output<typeof row>): LeftOutOrder {
  return { ...same, key: { orderId }, facts: { ...facts, customer: noFacts.customer } };
}

const counts = rowsOf('orders', z.object({ ignored: z.int(), waiting: z.int() }));

/** How many orders of a connection are left out, and how many are not paid yet: new settings may take them in. */
export function leftOutCounts(pool: Pool, connectionId: string): Promise<{ ignored: number; waiting: number }> {
  return readOne(pool, counts, {
    text: `select count(*) filter (where state = 'ignored') as ignored, count(*) filter (where state = 'waiting') as waiting
       from orders where connection_id = $1 and state in ('ignored', 'waiting') and record is null`,
    values: [connectionId],
  });
}

/** So many of each are counted beforehand. */
export const MOST_LEFT_OUT = 10_000;

/** The same before anything is changed, of each at most `MOST_LEFT_OUT`. */
export function leftOutAtMost(pool: Pool, connectionId: string): Promise<{ ignored: number; waiting: number }> {
  const some = (state: string) =>
    `(select count(*)::int from (select 1 from orders where connection_id = $1 and state = '${state}' and record is null limit $2) few)`;
  return readOne(pool, counts, { text: `select ${some('ignored')} as ignored, ${some('waiting')} as waiting`, values: [connectionId, MOST_LEFT_OUT] });
}
