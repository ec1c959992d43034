import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

type CallerOfShop = { apiKey: string; shopId: string };

const answers = rowsOf('compliance.shops', z.object({ place: z.int(), key: z.boolean(), shop: z.boolean() }));

/** Whether orders of these shops would be taken with these keys, in their order: 'key' if the key is unknown or revoked, 'shop' if it has no such shop. */
export async function unknownShops(db: Queryable, callers: readonly CallerOfShop[]): Promise<('key' | 'shop' | null)[]> {
  if (callers.length === 0) return [];
  const rows = await readRows(db, answers, {
    text: `select x.place::int, k.id is not null as key, exists (select from compliance.shops s where s.id = x.shop::uuid and s.api_key_id = coalesce(k.owner_id, k.id)) as shop
      from unnest($1::bytea[], $2::text[]) with ordinality x(hash, shop, place)
      left join compliance.api_keys k on k.key_hash = x.hash and k.revoked_at is null and (k.ends_at is null or k.ends_at > now()) order by x.place`,
    values: [callers.map(({ apiKey }) => createHash('sha256').update(apiKey).digest()), callers.map(({ shopId }) => shopId)],
  });
  return rows.map(({ key, shop }) => (key ? (shop ? null : 'shop') : 'key'));
}
