import { setImmediate as othersTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const decompress = promisify(zstdDecompress);

const clockRow = rowsOf('tombstones', z.object({ at: z.string() }));
const unsought = rowsOf('deliveries', z.object({ id: z.string(), shopId: z.string(), platform: z.string() }));
const body = rowsOf('deliveries', z.object({ body: z.instanceof(Buffer) }));
const sought = rowsOf('tombstones', z.object({ ids: z.array(z.string()), isWhole: z.boolean() }));
type Unsought = z.output<typeof unsought.schema>;

/** A tombstone may be committed some time after the instant that it names. */
const OVERLAP = `interval '60 s'`;
const OF_EACH = 20;
const PAGE = 200;
/** How long searching may hold the event loop in one go. */
const SLICE_MS = 10;
/** Numbers between two looks at the clock. */
const OFTEN = 1_000;

/**
 * Bodies of no known order (unreadable, held) may name an erased person, too: those with the id of an order that has a tombstone are erased. Each is
 * searched for the tombstones that were made since it was searched last. Returns when all were, or after `mostMs`.
 */
export async function eraseUnread(pool: Pool, mostMs: number): Promise<number> {
  const began = performance.now();
  const { at } = await readOne(pool, clockRow, { text: `select now() - ${OVERLAP} as at` });
  for (let count = 0; ; ) {
    const page = await readRows(pool, unsought, { text: UNSOUGHT, values: [at] });
    for (const one of page) {
      await eraseOne(pool, one, at);
      count += 1;
      if (performance.now() - began > mostMs) return count;
    }
    if (page.length === 0) return count;
  }
}

// A few of each connection at a time: a thousand of one merchant do not keep those of another waiting.
const UNSOUGHT = `with due as (
    select c.id, c.shop_id, c.platform, (select max(t.made_at) from tombstones t where t.shop_id = c.shop_id and t.platform = c.platform) as newest
    from connections c)
  select d.id, due.shop_id as "shopId", due.platform from due cross join lateral (
    select id from deliveries where connection_id = due.id and order_ref is null and body is not null and sought_at <= due.newest and sought_at < $1
    order by sought_at limit ${OF_EACH}) d
  limit ${PAGE}`;

const TOMBSTONES = `select coalesce(array_agg(t.platform_id) filter (where t.platform_id is not null), '{}') as ids,
    coalesce(bool_or(t.platform_id is null and d.arrived_at <= t.until), false) as "isWhole"
  from deliveries d join tombstones t on t.shop_id = $2 and t.platform = $3 and t.made_at >= d.sought_at where d.id = $1`;

const DONE = 'update deliveries set sought_at = $2, body = case when $3 then null else body end where id = $1';

async function eraseOne(pool: Pool, { id, shopId, platform }: Unsought, at: string): Promise<void> {
  const { ids, isWhole } = await readOne(pool, sought, { text: TOMBSTONES, values: [id, shopId, platform] });
  const isAbout = isWhole || (ids.length > 0 && (await namesOneOf(pool, id, ids)));
  await pool.query(DONE, [id, at, isAbout]);
}

async function namesOneOf(pool: Pool, id: string, orderIds: readonly string[]): Promise<boolean> {
  const found = await readRow(pool, body, { text: 'select body from deliveries where id = $1 and body is not null', values: [id] });
  if (found === null) return false;
  const bytes = await decompress(found.body).catch(() => null);
  // One that can't be unpacked can't be replayed either: it goes, instead of stopping the search for everybody.
  return bytes === null || isNamed(bytes.toString('utf8'), orderIds);
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
