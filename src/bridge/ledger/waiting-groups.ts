import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

/** Of more orders the sum is not counted: it is in their facts, which are slow to read. */
const MOST_SUMMED = 2_000;

const groupRows = rowsOf('orders', z.object({ state: z.enum(['parked', 'unconfirmed']), code: z.string(), count: z.int(), oldest: z.string() }));
const sumRows = rowsOf('orders', z.object({ state: z.string(), code: z.string(), currency: z.string(), total: z.string() }));
const deliveryRows = rowsOf('deliveries', z.object({ code: z.string(), count: z.int(), oldest: z.string() }));
const inboxRow = rowsOf('inbox', z.object({ count: z.int(), oldest: z.string().nullable() }));

type Counted = z.output<typeof groupRows.schema>;

/** Orders that wait for a person for one reason; `oldest`: since when the oldest is known (ISO instant). `totals` null: there are too many to sum. */
export type WaitingGroup = Counted & { totals: { currency: string; total: string }[] | null };

// `orders_held` has exactly these orders.
const WAITING = `o.state in ('parked', 'unconfirmed')`;
const CODE = `case o.state when 'parked' then coalesce(o.parked_code, '') else '' end`;

/** Parked orders by code, and the unconfirmed ones (of code ''). */
export async function waitingGroups(pool: Pool): Promise<WaitingGroup[]> {
  const groups = await readRows(pool, groupRows, {
    text: `select o.state, ${CODE} as code, count(*) as count, min(o.created_at) as oldest from orders o where ${WAITING} group by 1, 2 order by 1, 2`,
  });
  const summed = summable(groups);
  const sums = summed.length === 0 ? [] : await readRows(pool, sumRows, { text: SUMS, values: [summed.map(keyOf)] });
  return groups.map((group) => ({ ...group, totals: summed.includes(group) ? sums.filter((sum) => keyOf(sum) === keyOf(group)) : null }));
}

// The facts of no other order are read.
const SUMS = `with chosen as materialized (select o.id, o.state, ${CODE} as code from orders o where ${WAITING} and o.state || ' ' || ${CODE} = any($1)),
    sums as materialized (select c.state, c.code, o.facts -> 'snapshot' ->> 'currency' as currency, (o.facts -> 'snapshot' ->> 'total')::numeric as total
      from chosen c join orders o on o.id = c.id)
  select state, code, currency, sum(total)::text as total from sums where currency is not null and total is not null group by 1, 2, 3 order by 3`;

function keyOf({ state, code }: { state: string; code: string }): string {
  return `${state} ${code}`;
}

/** Small groups first: a large one does not hide their sums. */
function summable(groups: readonly Counted[]): Counted[] {
  let left = MOST_SUMMED;
  return groups
    .toSorted((a, b) => a.count - b.count)
    .filter(({ count }) => {
      left -= count;
      return left >= 0;
    });
}

/** Deliveries that no order is known of and a person must look at, by code; `oldest`: when the first arrived (ISO instant). */
export function parkedDeliveryGroups(pool: Pool): Promise<z.output<typeof deliveryRows.schema>[]> {
  return readRows(pool, deliveryRows, {
    text: `select coalesce(code, '') as code, count(*) as count, min(arrived_at) as oldest from deliveries where outcome = 'parked' group by 1 order by 1`,
  });
}

/** What waits in the inbox, and since when the oldest does (ISO instant). */
export function inboxAge(pool: Pool): Promise<z.output<typeof inboxRow.schema>> {
  return readOne(pool, inboxRow, { text: 'select count(*) as count, min(arrived_at) as oldest from inbox' });
}
