import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { SealBroken, type Sealer } from '../../../platform/seal.ts';
import { buyerColumn, openBuyer } from '../buyers.ts';

/**
 * What is kept of a buyer's e-mail address to find orders by, keyed: however it is written, the same in one shop, and another one in each other shop, so that
 * nobody who has the rows learns who bought in both. Null: there is none.
 */
function buyerDigest({ digest }: Pick<Sealer, 'digest'>, shopId: string, email: string | null): string | null {
  const plain = email?.trim().normalize('NFC').toLowerCase() ?? '';
  return plain === '' ? null : digest(`buyer ${shopId} ${plain}`);
}

const AT_ONCE = 500;

const watchRow = rowsOf(
  'order_search_watch',
  z.object({ filled: z.string(), now: z.string(), seen: z.string(), oldest: z.string(), sees: z.string(), newest: z.string(), after: z.int().nullable() }),
);
const changedRow = rowsOf('deliveries', z.object({ ids: z.array(z.int()) }));
const idRows = rowsOf('order_search', z.object({ id: z.int() }));
const maybe = z.string().nullable();
const knownRows = rowsOf(
  'orders',
  z.object({ id: z.int(), shopId: z.string(), called: maybe, sealed: buyerColumn, version: maybe, number: maybe, buyer: maybe, isSame: z.boolean() }),
);

// The transactions of a restored dump were those of another server: where it was further on, all is written anew.
const WATCH = `select filled_until::text as filled, now()::text as now, seen::text as seen, pg_snapshot_xmin(seen)::text as oldest,
    pg_current_snapshot()::text as sees, pg_snapshot_xmax(pg_current_snapshot())::text as newest,
    case when pg_snapshot_xmax(seen) > pg_snapshot_xmax(pg_current_snapshot()) then 0 else anew_after end as after
  from order_search_watch`;

// Of deliveries those that were committed since, whenever they began: webhooks change orders. And what something else changed: people who join two, and
// what was asked of their store.
const CHANGED = `select coalesce(json_agg(distinct order_ref) filter (where order_ref is not null), '[]') as ids from (
    select order_ref from deliveries where written_by >= $1 and written_by < $2 and not pg_visible_in_snapshot(written_by::text::xid8, $3::pg_snapshot)
    union all select order_ref from order_search where is_stale) changed`;
const PAGE = 10_000;
const NEXT = `select id from orders where id > $1 order by id limit ${PAGE}`;

/** The same of letters large and small, of every alphabet: what `lower` of PostgreSQL knows depends on its locale. */
const folded = (number: string): string => number.toLowerCase().toUpperCase();

/** The last digits in a number, if they are not all of it. */
function lastDigits(called: string | null, as: string | null): string | null {
  const digits = called?.match(/[0-9]+/g)?.at(-1) ?? null;
  return digits === as ? null : digits;
}

// `version`: that of the buyer's row, to know by whether it changed since.
const KNOWN = `select o.id, o.shop_id as "shopId", o.number as called, c.data as sealed, c.xmin::text as version, s.number, s.buyer,
    (s.connection_id, s.total, s.is_stale) is not distinct from (o.connection_id, o.total, false) as "isSame"
  from orders o left join customers c on c.order_ref = o.id left join order_search s on s.order_ref = o.id where o.id = any($1)`;

// In the order in which others lock: orders, buyers, the search. What somebody has locked, or changed since, is left out, so that nobody waits for whoever waits for us; a
// buyer who is written is locked, so that what forgets them comes later, and finds them here.
const FILL = `with given as (select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as x(id, buyer, version, called, number, digits)),
    mine as materialized (select given.*, o.connection_id, o.total from given join orders o using (id)
      where o.number is not distinct from given.called order by o.id for key share of o skip locked),
    kept as materialized (select mine.*, c.data from mine join customers c on c.order_ref = mine.id
      where c.xmin::text = mine.version order by mine.id for share of c skip locked)
  insert into order_search as s (order_ref, connection_id, number, digits, total, buyer)
  select id, connection_id, number, digits, total, case when data is not null then buyer end from kept
  union all select id, connection_id, number, digits, total, null from mine
    where version is null and not exists (select from customers c where c.order_ref = mine.id)
  order by 1
  on conflict (order_ref) do update set (connection_id, number, digits, total, buyer, is_stale) =
    (excluded.connection_id, excluded.number, excluded.digits, excluded.total, excluded.buyer, false)`;

/**
 * Writes what orders are found by, of those that changed since it was written last. What a snapshot does not see is looked for the next time, so that
 * nothing is missed however late it is committed, and nothing is read twice; it holds in any session, and on a standby that was promoted.
 */
export async function fillSearch(pool: Pool, signal: AbortSignal): Promise<void> {
  for (let isDone = false; !isDone && !signal.aborted; ) {
    const { filled, now, seen, oldest, sees, newest, after } = await readOne(pool, watchRow, { text: WATCH, values: [] });
    const { ids } = await readOne(pool, changedRow, { text: CHANGED, values: [oldest, newest, seen] });
    const others = after === null ? [] : await idsFound(pool, { text: NEXT, values: [after] });
    // What was locked is written the next time.
    if (!(await write(pool, [...ids, ...others]))) return;
    const next = others.length < PAGE ? null : others.at(-1);
    const moved = await pool.query(MOVE_ON, [filled, sees, now, next]);
    isDone = next === null || moved.rowCount === 0;
  }
}

// If all is to be written anew since this run began, that begins at the first order.
const MOVE_ON = 'update order_search_watch set seen = $2, filled_until = $3, anew_after = $4 where filled_until = $1::timestamptz';

async function idsFound(pool: Pool, query: { text: string; values: unknown[] }): Promise<number[]> {
  return (await readRows(pool, idRows, query)).map(({ id }) => id);
}

/** False: some of these orders were locked. */
async function write(pool: Pool, ids: readonly number[]): Promise<boolean> {
  const sealer = sealerOf(pool);
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const known = await readRows(pool, knownRows, { text: KNOWN, values: [ids.slice(i, i + AT_ONCE)] });
    const found = known.map((one) => ({ ...one, by: digestOf(sealer, one), as: one.called && folded(one.called.replace(/^#+/, '')) }));
    const changed = found.filter(({ isSame, number, as, buyer, by }) => !isSame || number !== as || buyer !== by);
    const stale = changed.map((one) => ({ ...one, digits: lastDigits(one.called, one.as) }));
    const columns = (['id', 'by', 'version', 'called', 'as', 'digits'] as const).map((column) => stale.map((one) => one[column]));
    const { rowCount } = await pool.query(FILL, columns);
    if ((rowCount ?? 0) < stale.length) return false;
  }
  return true;
}

/** A buyer who never opens is found by nothing; one who may open later, by what is known. */
function digestOf(sealer: Sealer, { id, shopId, sealed, buyer }: z.output<typeof knownRows.schema>): string | null {
  try {
    return sealed === null ? null : buyerDigest(sealer, shopId, openBuyer(sealer, id, sealed)?.email ?? null);
  } catch (thrown) {
    if (thrown instanceof SealBroken) return buyer;
    throw thrown;
  }
}

/** Has it written anew, after a change that no webhook brought; in the transaction of that change. */
export async function markSearchStale(tx: Queryable, id: number): Promise<void> {
  await tx.query('update order_search set is_stale = true where order_ref = $1', [id]);
}

/** Which orders. `connections`: those of these alone, and null: of all. */
type Look = { connections: readonly string[] | null; limit: number };

const OF_STORES = '($3::text[] is null or connection_id = any($3))';

function idsOf(pool: Pool, [text, of]: readonly [string, unknown], { connections, limit }: Look): Promise<number[]> {
  return idsFound(pool, { text, values: [of, limit, connections] });
}

// Compared as bytes are, all that begins with a text lies between it and it with the last of all characters.
const part = (term: string, begin: string) => `(select order_ref, length(${term}) as size from order_search
  where ${term} >= ${begin} and ${term} < ${begin} || U&'\\+10FFFF' and ${OF_STORES} order by ${term} limit $2)`;
const BY_PART = `select order_ref as id from (${part('number', '$1')} union all ${part('digits', '$1')} union all ${part('reverse(number)', 'reverse($1)')}) found
  group by order_ref order by min(size), order_ref desc limit $2`;

/** Those whose number begins or ends so, or its digits begin so. */
export function ordersByPart(pool: Pool, typed: string, look: Look): Promise<number[]> {
  return idsOf(pool, [BY_PART, folded(typed)], look);
}

const newest = (where: string) => `select order_ref as id from order_search where ${where} and ${OF_STORES} order by order_ref desc limit $2`;

/** Those whose number has these last digits, and more than they. */
export function ordersByDigits(pool: Pool, digits: string, look: Look): Promise<number[]> {
  return idsOf(pool, [newest('digits = $1'), digits], look);
}

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

const pageRow = rowsOf('order_search', z.object({ last: z.int().nullable(), isLocked: z.boolean() }));
// Anyone who has a row here locked its order or buyer before, and others in an order of their own: none is waited for while rows are locked.
const FORGET = `with page as materialized (select order_ref from order_search where order_ref > $1 and buyer is not null order by order_ref limit $2),
    free as materialized (select s.order_ref from page join order_search s using (order_ref) for update of s skip locked),
    forgotten as (update order_search s set buyer = null from free where s.order_ref = free.order_ref)
  select max(order_ref) as last, count(*) > (select count(*) from free) as "isLocked" from page`;
/** Until a page is looked at again of which somebody has rows. */
const LOCKED_MS = 50;

/**
 * Digests of before are found no more: buyers are looked for again once all orders were written anew, which the job does. Page by page,
 * so that nobody waits for long; what the job writes meanwhile it writes once more.
 */
export async function fillSearchAnew(pool: Pool, page = PAGE): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const { last, isLocked }: z.output<typeof pageRow.schema> = await readOne(pool, pageRow, { text: FORGET, values: [after, page] });
    if (isLocked) await sleep(LOCKED_MS);
    else after = last;
  }
  await pool.query(`update order_search_watch set anew_after = 0, filled_until = filled_until - interval '1 microsecond'`);
}
