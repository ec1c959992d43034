import { hash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createShopDto } from '../../contract/shop-dto.ts';
import { isoText } from '../../platform/postgres/iso-text.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { parseBody } from '../http/parse-body.ts';
import type { Caller } from '../keys/api-keys.ts';
import { type ShopDto, shopDto, shopRow } from './shop-dto.ts';
import { createShop } from './shops.ts';

type Request = { caller: Caller; body: unknown; now: Date; idempotencyKey: string | null };

const keyRows = rowsOf('compliance.idempotency_keys', z.object({ shopId: z.string(), createdAt: z.string(), same: z.boolean() }));
const shopRows = rowsOf('compliance.shops', shopRow);

/**
 * Creates a shop; with a key the request may be repeated, and returns the shop of the first one. Throws a `HttpProblem`: those of `createShop`, and for a
 * key of another request. Keys are shared with those of orders, and kept as long.
 */
export async function createShopOnce(pool: Pool, { idempotencyKey: key, ...request }: Request): Promise<{ shop: ShopDto; replayed: boolean }> {
  if (key === null) return { shop: await inTransaction(pool, (tx) => createShop(tx, request)), replayed: false };
  const details = parseBody(createShopDto, request.body);
  const values = [request.caller.keyId, key, hash('sha256', JSON.stringify({ shop: details }), 'buffer')];
  return inTransaction(pool, async (tx) => {
    // A twin waits here until the first is through.
    const { rowCount } = await tx.query(TAKE_KEY, [...values, randomUUID(), request.now]);
    if (rowCount === 0) return { shop: await earlierShop(tx, values, { details, test: request.caller.isTest }), replayed: true };
    const shop = await createShop(tx, request);
    await tx.query('update compliance.idempotency_keys set order_id = $3 where api_key_id = $1 and key = $2', [...values.slice(0, 2), shop.id]);
    return { shop, replayed: false };
  });
}

const TAKE_KEY = `
  insert into compliance.idempotency_keys (api_key_id, key, fingerprint, order_id, created_at) values ($1, $2, $3, $4, $5) on conflict (api_key_id, key) do nothing`;

const EARLIER = `
  select order_id as "shopId", ${isoText('created_at')} as "createdAt", fingerprint = $3 as same from compliance.idempotency_keys where api_key_id = $1 and key = $2`;

const SHOP = `select id, details, test, e_shop_type as "eShopType", ${isoText('created_at')} as "createdAt", ${isoText('updated_at')} as "updatedAt" from compliance.shops where id = $1`;

/** The shop as it is now; one that was deleted meanwhile, as it was created. */
async function earlierShop(tx: Queryable, values: unknown[], { details, test }: { details: z.output<typeof createShopDto>; test: boolean }): Promise<ShopDto> {
  const earlier = await readRow(tx, keyRows, { text: EARLIER, values });
  if (earlier === null || !earlier.same) {
    throw new HttpProblem('idempotency-key-reused', 'another request was made with this Idempotency-Key; use a new key for every shop and order');
  }
  const { shopId: id, createdAt } = earlier;
  const shop = await readRow(tx, shopRows, { text: SHOP, values: [id] });
  return shopDto(shop ?? { id, details, test, eShopType: null, createdAt, updatedAt: createdAt });
}
