import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const idRows = rowsOf('orders', z.object({ id: z.int() }));

/** More orders than anybody chooses from. */
const MOST = 1_000;

// Each part finds its rows by an index of its own. Those whose id in the store it is come first.
const NAMED = `
  select id from (
    select id, 0 as place from orders where order_id = any($1)
    union all select id, 0 from orders where platform_id is not null and platform_id = any($1)
    union all select id, 1 from orders where number = any($1)
    union all select id, 1 from orders where compliance_id = any($2)
    union all select id, 1 from orders where substring(number from '([0-9]+)[^0-9]*$') = $3) found
  group by id order by min(place), id limit ${MOST}`;

/**
 * The orders that a person may mean, by what people say: `id:7` (the ledger's id, which is never ambiguous), the number with or without `#`, prefix and
 * suffix, the platform's order id, or the id of its record; `records`: further ids of records that the name stands for. A bare ledger id is understood
 * if nothing else has this name.
 */
export async function ordersNamed(pool: Pool, named: string, records: readonly string[] = []): Promise<number[]> {
  const [, id] = /^id:(\d{1,15})$/.exec(named) ?? [];
  if (id !== undefined) return ofLedger(pool, id);
  const bare = named.replace(/^#/, '');
  const digits = /^\d+$/.test(bare) ? bare : null;
  const rows = await readRows(pool, idRows, { text: NAMED, values: [[named, bare, `#${bare}`], [named, ...records], digits] });
  if (rows.length > 0 || !/^\d{1,15}$/.test(named)) return rows.map((row) => row.id);
  return ofLedger(pool, named);
}

async function ofLedger(pool: Pool, id: string): Promise<number[]> {
  const rows = await readRows(pool, idRows, { text: 'select id from orders where id = $1', values: [id] });
  return rows.map((row) => row.id);
}
