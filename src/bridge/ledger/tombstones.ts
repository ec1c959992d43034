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

/** `olderThanMs`: longer than a delivery is being merged. */
export type Page = { olderThanMs: number; size: number };

/**
 * Erases once more what was being merged while a tombstone was made, for the oldest of them; those that are old enough are finished, and need it no
 * more. Returns how many.
 */
export async function finishErasures(pool: Pool, { olderThanMs, size }: Page): Promise<number> {
  const page = await readRows(pool, tombstones, {
    text: `select id, shop_id as "shopId", platform, store, platform_id as "platformId", until from tombstones
     where finished_at is null order by made_at limit $1`,
    values: [size],
  });
  for (const scope of scopesOf(page)) await eraseFromLedger(pool, scope);
  const ids = page.map(({ id }) => id);
  // One that was made anew meanwhile stays.
  const { rowCount } = await pool.query(`update tombstones set finished_at = now() where id = any($1) and made_at < now() - $2 * interval '1 ms'`, [
    ids,
    olderThanMs,
  ]);
  return rowCount ?? 0;
}

function scopesOf(page: readonly Tombstone[]): PrivacyScope[] {
  const stores = Map.groupBy(page, ({ shopId, platform, store }) => JSON.stringify([shopId, platform, store]));
  return [...stores.values()].flatMap((of) => {
    const named = of.flatMap(({ platformId, ...scope }) => (platformId === null ? [] : [{ ...scope, platformId }]));
    const whole = of.filter(({ platformId }) => platformId === null).map((scope) => ({ ...scope, orderIds: null }));
    const [first] = named;
    return first === undefined ? whole : [...whole, { ...first, orderIds: named.map(({ platformId }) => platformId) }];
  });
}
