import { setImmediate as othersTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { inTransaction, type Pool, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { SealBroken } from '../../../platform/seal.ts';
import { openBody } from '../../delivery/sealed-delivery.ts';
import { dropBodiesOf } from '../body-columns.ts';
import { storable } from '../json-columns.ts';
import { markErased } from '../orders/sent-with.ts';
import { forgetBuyersOf } from '../outbox-job-store.ts';

const tombstone = z.object({ id: z.int(), shopId: z.string(), platform: z.string(), store: z.string(), platformId: z.string().nullable(), until: z.string() });
const tombstones = rowsOf('tombstones', tombstone);
type Tombstone = z.output<typeof tombstone>;

/** Erases the buyers of these orders, whatever is merged later: what waits on a queue or in the inbox is neither looked for nor waited for. */
export async function erase(pool: Pool, scope: PrivacyScope): Promise<void> {
  const { shopId, platform, store, orderIds, until } = scope;
  // In one order, so that two requests do not wait for each other; a request that is repeated is carried out again.
  await pool.query(
    `insert into tombstones (shop_id, platform, store, platform_id, until)
     select $1, $2, $3, id, $5 from (select distinct id from unnest(coalesce($4::text[], array[null]::text[])) id order by id) ids
     on conflict (shop_id, platform, store, platform_id) do update set until = excluded.until, made_at = now(), finished_at = null
       where tombstones.until < excluded.until`,
    [shopId, platform, storable(store), orderIds?.map(storable) ?? null, until],
  );
  await eraseFromLedger(pool, scope);
}

/** `olderThanMs`: longer than a delivery is being merged. `size`: of a page. */
type Finish = { olderThanMs: number; size: number };

/**
 * Erases once more what was being merged while a tombstone was made; those that are old enough are finished, and need it no more. One that fails keeps no
 * other from it: it is retried the next time, and the first failure is thrown at the end. Returns how many are finished.
 */
export async function finishErasures(pool: Pool, { olderThanMs, size }: Finish): Promise<number> {
  const failures: unknown[] = [];
  let finished = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page = await unfinished(pool, after, size);
    const erased = await eraseEach(pool, page, failures);
    finished += await finish(pool, erased, olderThanMs);
    after = page.length < size ? null : (page.at(-1)?.id ?? null);
  }
  if (failures.length > 0) throw failures[0];
  return finished;
}

/** By id: those that fail are passed, and those behind them are reached. */
function unfinished(pool: Pool, after: number, size: number): Promise<Tombstone[]> {
  return readRows(pool, tombstones, {
    text: `select id, shop_id as "shopId", platform, store, platform_id as "platformId", until from tombstones
     where finished_at is null and id > $1 order by id limit $2`,
    values: [after, size],
  });
}

/** Returns the ids of those that did not fail. */
async function eraseEach(pool: Pool, page: readonly Tombstone[], failures: unknown[]): Promise<number[]> {
  const erased: number[] = [];
  for (const { ids, scope } of scopesOf(page)) {
    try {
      await eraseFromLedger(pool, scope);
      erased.push(...ids);
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  return erased;
}

async function finish(pool: Pool, ids: readonly number[], olderThanMs: number): Promise<number> {
  // One that was made anew meanwhile stays.
  const { rowCount } = await pool.query(`update tombstones set finished_at = now() where id = any($1) and made_at < now() - $2 * interval '1 ms'`, [
    ids,
    olderThanMs,
  ]);
  return rowCount ?? 0;
}

/** Tombstones of one store's orders are one erasure. */
function scopesOf(page: readonly Tombstone[]): { ids: number[]; scope: PrivacyScope }[] {
  const stores = Map.groupBy(page, ({ shopId, platform, store }) => JSON.stringify([shopId, platform, store]));
  return [...stores.values()].flatMap((of) => {
    const whole = of.flatMap(({ id, platformId, ...scope }) => (platformId === null ? [{ ids: [id], scope: { ...scope, orderIds: null } }] : []));
    const named = of.filter(({ platformId }) => platformId !== null);
    const [first] = named;
    if (first === undefined) return whole;
    const { id: _id, platformId: _of, ...scope } = first;
    return [...whole, { ids: named.map(({ id }) => id), scope: { ...scope, orderIds: named.flatMap(({ platformId }) => platformId ?? []) } }];
  });
}

const lockedRows = rowsOf('orders', z.object({ id: z.int(), last: z.string() }));

/** Orders that are locked together. */
const PAGE = 1_000;

/**
 * Erases the buyers of these orders: the customer (a tombstone that later snapshots respect), the bodies of their deliveries, and what exports
 * contain of them. Fiscal amounts stay.
 */
export async function eraseFromLedger(pool: Pool, scope: PrivacyScope): Promise<void> {
  for (let after: string | null = ''; after !== null; ) after = await erasePage(pool, scope, after);
  await pool.query(ERASE_EXPORTED, [scope.shopId, scope.platform, scope.store, scope.orderIds]);
  if (scope.orderIds === null) await pool.query(FORGET_CLIENTS, [scope.shopId, scope.platform, scope.store]);
}

// With the whole store go the addresses that refused webhooks came from.
const FORGET_CLIENTS = `update refusals r set client = null, headers = '{}' from connections c
  where c.id = r.connection_id and c.shop_id = $1 and c.platform = $2 and c.store = $3 and r.client is not null`;

/** By the platform's ids in $4, under which there may be several orders; null: any. */
export const OF_IDS = '$4::text[] is null or (o.order_id = any($4) and o.platform_id is null) or o.platform_id = any($4)';

// By order id, a page after the other; an order that was known then had come by then, also if it is forgotten which webhooks told of it. Locked as recorders lock them, which write their bodies and buyers before or after: never in between.
const LOCK = `with subject as (
    select o.id, o.order_id from orders o where o.shop_id = $1 and o.platform = $2 and o.store = $3 and (${OF_IDS})
      and ($4::text[] is not null or o.created_at <= $5 or exists (select from deliveries d where d.order_ref = o.id and d.arrived_at <= $5)) and o.order_id > $6
    order by o.order_id limit ${PAGE})
  select o.id, (select max(order_id) from subject) as last from orders o where o.id in (select id from subject)
  order by coalesce(o.platform_id, o.order_id), o.id for no key update of o`;

// The service has the buyer, too. One that was erased by age alone is asked for now.
const ERASE = `with sent as (${markErased('select unnest($1::bigint[])')}),
  gone as (${dropBodiesOf('d.order_ref = any($1)')}),
  erased as (insert into customers (order_ref, data, erased_at) select id, null, now() from unnest($1::bigint[]) id
    on conflict (order_ref) do update set data = null, erased_at = now(), by_age = false where customers.erased_at is null or customers.by_age
    returning order_ref)
  ${forgetBuyersOf('select order_ref from erased')}`;

/** The last order id of the page; null: there is no more. */
function erasePage(pool: Pool, { shopId, platform, store, orderIds, until }: PrivacyScope, after: string): Promise<string | null> {
  return inTransaction(pool, async (tx) => {
    const page = await readRows(tx, lockedRows, { text: LOCK, values: [shopId, platform, store, orderIds, until, after] });
    if (page.length > 0) await tx.query(ERASE, [page.map(({ id }) => id)]);
    return page.length < PAGE ? null : (page[0]?.last ?? null);
  });
}

// By the platform's id: what was exported as ID~2 may have another id since, or have been joined to the first one. Of every connection through which orders
// of this scope can have come, closed ones too.
const ERASE_EXPORTED = `update privacy_export_orders x set buyer = null from privacy_exports e
  where e.id = x.export_id and x.buyer is not null and e.connection_id in (select id from connections where shop_id = $1 and platform = $2)
    and case when $4::text[] is null
      then exists (select from orders o join customers c on c.order_ref = o.id where o.shop_id = $1 and o.platform = $2 and o.store = $3
        and coalesce(o.platform_id, o.order_id) = x.platform_id and c.erased_at is not null)
      else x.platform_id = any($4) end`;

/**
 * The orders that a privacy request is about; `orderIds` null: every order of the store of which a delivery arrived until `until` (ISO instant).
 * `orderIds` are the platform's, under which there may be several orders.
 */
export type PrivacyScope = { shopId: string; platform: string; store: string; orderIds: readonly string[] | null; until: string };

const oldRows = rowsOf('customers', z.object({ id: z.int() }));

// Orders are numbered as they come: those that are kept longest have the lowest numbers, and a page of them is looked at. Anyone who has a row locks others,
// too, in an order of their own: they are not waited for.
const LOCK_OLD_BUYERS = `with page as materialized (select c.order_ref from customers c where c.data is not null order by c.order_ref limit 500)
  select c.order_ref as id from page join customers c using (order_ref) join orders o on o.id = c.order_ref
    where c.data is not null and o.created_at < $2::timestamptz - $1 * interval '1 day' for no key update of o skip locked for update of c skip locked`;
const FORGET = `with sent as (${markErased('select unnest($1::bigint[])')})
  update customers set data = null, erased_at = $2, by_age = true where order_ref = any($1)`;

/**
 * Erases buyers whose orders came longer ago, for good, a page at a time: no later delivery brings them back, and a record that is made anew has none.
 * Compliance services are not told: each has a time of its own. Returns how many.
 */
export function forgetOldBuyers(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const old = await readRows(tx, oldRows, { text: LOCK_OLD_BUYERS, values: [days, now] });
    if (old.length > 0) await tx.query(FORGET, [old.map(({ id }) => id), now]);
    return old.length;
  });
}

const decompress = promisify(zstdDecompress);

const clockRow = rowsOf('tombstones', z.object({ at: z.string() }));
const unsought = rowsOf('deliveries', z.object({ id: z.string(), shopId: z.string(), platform: z.string() }));
const body = rowsOf('deliveries', z.object({ body: z.instanceof(Buffer) }));
const sought = rowsOf('tombstones', z.object({ ids: z.array(z.string()), isWhole: z.boolean() }));

/** A tombstone may be committed some time after the instant that it names. */
const OVERLAP = `interval '60 s'`;
const OF_EACH = 20;
const UNREAD_PAGE = 200;
/** How long searching may hold the event loop in one go. */
const SLICE_MS = 10;
/** Numbers between two looks at the clock. */
const OFTEN = 1_000;

/**
 * Bodies of no known order (unreadable, quarantined) may name an erased person, too: those with the id of an order that has a tombstone are erased. Each is
 * searched for the tombstones that were made since it was searched last. Returns when all were, or after `mostMs`. Throws in the end if some may open later.
 */
export async function eraseUnread(pool: Pool, mostMs: number): Promise<number> {
  const began = performance.now();
  const { at } = await readOne(pool, clockRow, { text: `select now() - ${OVERLAP} as at` });
  const unopened = new Map<string, SealBroken>();
  let count = 0;
  for (let isDone = false; !isDone; ) {
    const page = await readRows(pool, unsought, { text: UNSOUGHT, values: [at, [...unopened.keys()]] });
    isDone = page.length === 0;
    for (const one of page) {
      await eraseOne(pool, one, at).catch((thrown: unknown) => (thrown instanceof SealBroken ? unopened.set(one.id, thrown) : Promise.reject(thrown)));
      count += 1;
      isDone ||= performance.now() - began > mostMs;
      if (isDone) break;
    }
  }
  const [first] = unopened.values();
  if (first !== undefined) throw first;
  return count;
}

// A few of each connection at a time: a thousand of one merchant do not keep those of another waiting.
const UNSOUGHT = `with due as (
    select c.id, c.shop_id, c.platform, (select max(t.made_at) from tombstones t where t.shop_id = c.shop_id and t.platform = c.platform) as newest
    from connections c)
  select d.id, due.shop_id as "shopId", due.platform from due cross join lateral (
    select id from deliveries where connection_id = due.id and order_ref is null and body is not null and sought_at <= due.newest and sought_at < $1 and id <> all($2::uuid[])
    order by sought_at limit ${OF_EACH}) d
  limit ${UNREAD_PAGE}`;

const TOMBSTONES = `select coalesce(array_agg(t.platform_id) filter (where t.platform_id is not null), '{}') as ids,
    coalesce(bool_or(t.platform_id is null and d.arrived_at <= t.until), false) as "isWhole"
  from deliveries d join tombstones t on t.shop_id = $2 and t.platform = $3 and t.made_at >= d.sought_at where d.id = $1`;

const DONE =
  'update deliveries set sought_at = $2, body = case when $3 then null else body end, headers = case when $3 then null else headers end where id = $1';

async function eraseOne(pool: Pool, { id, shopId, platform }: z.output<typeof unsought.schema>, at: string): Promise<void> {
  const { ids, isWhole } = await readOne(pool, sought, { text: TOMBSTONES, values: [id, shopId, platform] });
  const isAbout = isWhole || (ids.length > 0 && (await namesOneOf(pool, id, ids)));
  await pool.query(DONE, [id, at, isAbout]);
}

async function namesOneOf(pool: Pool, id: string, orderIds: readonly string[]): Promise<boolean> {
  const found = await readRow(pool, body, { text: 'select body from deliveries where id = $1 and body is not null', values: [id] });
  if (found === null) return false;
  // One that can't be unpacked can't be replayed either: it goes, instead of stopping the search for everybody.
  const bytes = await unpacked(pool, { id, ...found });
  return bytes === null || isNamed(bytes.toString('utf8'), orderIds);
}

async function unpacked(pool: Pool, packed: { id: string; body: Buffer }): Promise<Buffer | null> {
  try {
    return await decompress(openBody(sealerOf(pool), packed));
  } catch (thrown) {
    // Another process may have the key, or know the form.
    if (thrown instanceof SealBroken && thrown.mayOpen) throw thrown;
    return null;
  }
}

/** Most ids are numbers, which one pass finds, however many they are. */
async function isNamed(text: string, orderIds: readonly string[]): Promise<boolean> {
  const pause = slices();
  const [numbers, others] = [orderIds.filter(isNumber), orderIds.filter((id) => !isNumber(id))];
  const wanted = new Set(numbers);
  let seen = 0;
  for (const [number] of wanted.size === 0 ? [] : text.matchAll(/\d+/g)) {
    if (wanted.has(number)) return true;
    seen += 1;
    if (seen % OFTEN === 0) await pause();
  }
  for (const id of others) {
    if (text.includes(id)) return true;
    await pause();
  }
  return false;
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

/** Lets others have their turn when this one has taken long enough. */
function slices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await othersTurn();
    began = performance.now();
  };
}
