import type pg from 'pg';
import { isoText } from '../../platform/postgres/iso-text.ts';
import { type ShopDto, type ShopRow, shopDto } from '../shops/shop-dto.ts';
import { comesAfter, conditions } from './conditions.ts';
import { cursorText, type Page, pageOf } from './page.ts';
import type { ShopsQuery } from './queries.ts';

/** Whose things are meant; without a key those of all, for the command line. */
export type Scope = { keyId?: string };

const COLUMNS = `s.id, s.details, ${isoText('s.created_at')} as "createdAt", ${isoText('s.updated_at')} as "updatedAt", ${cursorText('s')} as cursor`;

/** The shops of a key, oldest first. */
export async function listShops(pool: pg.Pool, { keyId, limit, after }: Scope & ShopsQuery): Promise<Page<ShopDto>> {
  const { where, values } = conditions([['s.api_key_id = ?', keyId], comesAfter('s', after)]);
  const { rows } = await pool.query<ShopRow & { cursor: string }>(
    `select ${COLUMNS} from compliance.shops s where ${where} order by s.created_at, s.id limit ${limit + 1}`,
    values,
  );
  return pageOf(rows, limit, shopDto);
}

/** Null if the key has no such shop. */
export async function readShop(pool: pg.Pool, { keyId, id }: Scope & { id: string }): Promise<ShopDto | null> {
  const { where, values } = conditions([
    ['s.id = ?', id],
    ['s.api_key_id = ?', keyId],
  ]);
  const { rows } = await pool.query<ShopRow>(`select ${COLUMNS} from compliance.shops s where ${where}`, values);
  return rows[0] === undefined ? null : shopDto(rows[0]);
}
