import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { eraseFromLedger } from './erase-from-ledger.ts';
import { storable } from './json-text.ts';
import type { PrivacyScope } from './privacy-scope.ts';

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
export type Finish = { olderThanMs: number; size: number };

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

type Erasing = { ids: number[]; scope: PrivacyScope };

/** Tombstones of one store's orders are one erasure. */
function scopesOf(page: readonly Tombstone[]): Erasing[] {
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
