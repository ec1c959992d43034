import { z } from 'zod';
import { codeOf } from '../../../platform/error-words.ts';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../../platform/seal.ts';
import { buyerColumn, openBuyer } from '../buyers.ts';

/**
 * What is kept of a buyer's e-mail address to find orders by, keyed: however it is written, the same in one shop, and another one in each other shop, so that
 * nobody who has the rows learns who bought in both. Null: there is none.
 */
function buyerDigest({ digest }: Pick<Sealer, 'digest'>, shopId: string, email: string | null): string | null {
  const plain = email?.trim().normalize('NFC').toLowerCase() ?? '';
  return plain === '' ? null : digest(`buyer ${shopId} ${plain}`);
}

/** A transaction may be committed so long after the instants that it writes. */
const LATE = `interval '30 s'`;
const AT_ONCE = 500;

const windowRow = rowsOf('order_search_watch', z.object({ filled: z.string(), from: z.string(), until: z.string(), isLast: z.boolean() }));
const changedRows = rowsOf('orders', z.object({ id: z.int(), shopId: z.string(), sealed: buyerColumn, buyer: z.string().nullable(), isSame: z.boolean() }));

// What lies between is not missed if no process ran for long.
const WINDOW = `select filled_until::text as filled, filled_until - ${LATE} as "from", least(filled_until + $1 * interval '1 s', now()) as until,
    filled_until + $1 * interval '1 s' >= now() as "isLast" from order_search_watch`;
const LONGEST_SECONDS = 3_600;
const TIMED_OUT = '57014';

const NUMBER = `lower(ltrim(o.number, '#'))`;
const DIGITS = `nullif(substring(o.number from '([0-9]+)[^0-9]*$'), ${NUMBER})`;

// Webhooks change orders, and so do people who split or join them, and what is asked of their store.
const CHANGED = `select o.id, o.shop_id as "shopId", c.data as sealed, s.buyer,
    (s.connection_id, s.number, s.total, s.is_stale) is not distinct from (o.connection_id, ${NUMBER}, o.total, false) as "isSame"
  from (select order_ref from deliveries where kept_at >= $1 and kept_at <= $2 union select order_ref from acts where at >= $1 and at <= $2
    union select order_ref from order_search where is_stale) changed
    join orders o on o.id = changed.order_ref left join customers c on c.order_ref = o.id left join order_search s on s.order_ref = o.id`;

// In the order in which others lock: orders, buyers, the search. What somebody has locked is left out, so that nobody waits for whoever waits for us; a
// buyer who is written is locked, so that what forgets them comes later, and finds them here.
const FILL = `with given as (select * from unnest($1::bigint[], $2::text[]) as x(id, buyer)),
    mine as materialized (select o.id from orders o join given using (id) order by o.id for key share of o skip locked),
    kept as materialized (select c.order_ref, c.data is not null as known from customers c join mine on mine.id = c.order_ref order by c.order_ref for share of c skip locked)
  insert into order_search as s (order_ref, connection_id, number, digits, total, buyer)
  select o.id, o.connection_id, ${NUMBER}, ${DIGITS}, o.total, case when kept.known then given.buyer end
  from given join mine using (id) join orders o using (id) left join kept on kept.order_ref = o.id
  where kept.order_ref is not null or not exists (select from customers c where c.order_ref = o.id) order by o.id
  on conflict (order_ref) do update set (connection_id, number, digits, total, buyer, is_stale) =
    (excluded.connection_id, excluded.number, excluded.digits, excluded.total, excluded.buyer, false)`;

/** Writes what orders are found by, of those that changed since it was written last. */
export async function fillSearch(pool: Pool, signal: AbortSignal): Promise<void> {
  const sealer = sealerOf(pool);
  let seconds = LONGEST_SECONDS;
  for (let isDone = false; !isDone && !signal.aborted; ) {
    const { filled, from, until, isLast } = await readOne(pool, windowRow, { text: WINDOW, values: [seconds] });
    const changed = await changedIn(pool, from, until);
    if (changed === null) {
      seconds /= 8;
      continue;
    }
    const stale = changed.map((one) => ({ ...one, is: digestOf(sealer, one) })).filter(({ isSame, buyer, is }) => !isSame || buyer !== is);
    let written = 0;
    for (let i = 0; i < stale.length; i += AT_ONCE) {
      const some = stale.slice(i, i + AT_ONCE);
      written += (await pool.query(FILL, [some.map(({ id }) => id), some.map(({ is }) => is)])).rowCount ?? 0;
    }
    // What was locked is written the next time; and where all is to be written anew, that begins at the first order.
    if (written < stale.length) return;
    const moved = await pool.query('update order_search_watch set filled_until = greatest(filled_until, $1) where filled_until = $2::timestamptz', [
      until,
      filled,
    ]);
    isDone = isLast || moved.rowCount === 0;
  }
}

/** A buyer who does not open is found by nothing. */
function digestOf(sealer: Sealer, { id, shopId, sealed }: z.output<typeof changedRows.schema>): string | null {
  return sealed === null ? null : buyerDigest(sealer, shopId, openBuyer(sealer, id, sealed)?.email ?? null);
}

/** Null: those are too many for one statement. */
async function changedIn(pool: Pool, from: string, until: string): Promise<z.output<typeof changedRows.schema>[] | null> {
  try {
    return await readRows(pool, changedRows, { text: CHANGED, values: [from, until] });
  } catch (thrown) {
    if (codeOf(thrown) === TIMED_OUT && Date.parse(until) - Date.parse(from) > 60_000) return null;
    throw thrown;
  }
}

/** Has it written anew, after a change that no webhook brought; in the transaction of that change. */
export async function markSearchStale(tx: Queryable, id: number): Promise<void> {
  await tx.query('update order_search set is_stale = true where order_ref = $1', [id]);
}

/** Which orders. `connections`: those of these alone, and null: of all. */
type Look = { connections: readonly string[] | null; limit: number };

const idRows = rowsOf('order_search', z.object({ id: z.int() }));
const OF_STORES = '($3::text[] is null or connection_id = any($3))';

async function idsOf(pool: Pool, [text, of]: readonly [string, unknown], { connections, limit }: Look): Promise<number[]> {
  return (await readRows(pool, idRows, { text, values: [of, limit, connections] })).map(({ id }) => id);
}

// Compared as bytes are, all that begins with a text lies between it and it with the last of all characters.
const part = (term: string, begin: string) => `(select order_ref, length(${term}) as size from order_search
  where ${term} >= ${begin} and ${term} < ${begin} || U&'\\+10FFFF' and ${OF_STORES} order by ${term} limit $2)`;
const BY_PART = `select order_ref as id from (${part('number', '$1')} union all ${part('digits', '$1')} union all ${part('reverse(number)', 'reverse($1)')}) found
  group by order_ref order by min(size), order_ref desc limit $2`;

/** Those whose number begins or ends so, or its digits begin so. */
export function ordersByPart(pool: Pool, typed: string, look: Look): Promise<number[]> {
  return idsOf(pool, [BY_PART, typed.toLowerCase()], look);
}

const newest = (where: string) => `select order_ref as id from order_search where ${where} and ${OF_STORES} order by order_ref desc limit $2`;

/** Those of which the customer paid, or has to pay, this (decimal text), the newest first. */
export function ordersByTotal(pool: Pool, total: string, look: Look): Promise<number[]> {
  return idsOf(pool, [newest('total = $1::numeric'), total], look);
}

const shopRows = rowsOf('connections', z.object({ shopId: z.string() }));

/** Those of the buyer with this e-mail address, the newest first. */
export async function ordersByBuyer(pool: Pool, email: string, look: Look): Promise<number[]> {
  const text = 'select distinct shop_id as "shopId" from connections where $1::text[] is null or id = any($1)';
  const shops = await readRows(pool, shopRows, { text, values: [look.connections] });
  const sealer = sealerOf(pool);
  return idsOf(pool, [newest('buyer = any($1)'), shops.map(({ shopId }) => buyerDigest(sealer, shopId, email))], look);
}

const lagRow = rowsOf('order_search_watch', z.object({ seconds: z.number() }));

/** How far what was written is behind. */
export async function searchLag(pool: Pool): Promise<number> {
  return (await readOne(pool, lagRow, { text: 'select extract(epoch from now() - filled_until)::float8 as seconds from order_search_watch' })).seconds;
}

/** Digests of before are found no more: buyers are looked for again once all orders were written anew, which the job does from the first one on. */
export async function fillSearchAnew(pool: Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    // As many orders as there are.
    await tx.query('set local statement_timeout = 0');
    await tx.query('update order_search_watch set filled_until = coalesce((select min(created_at) from orders), now())');
    await tx.query('update order_search set buyer = null where buyer is not null');
  });
}
