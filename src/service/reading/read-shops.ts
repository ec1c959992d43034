import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { type ReadShopDto, readShopDto, readShopRow, SHOP_OPTIONS } from '../shops/shop-dto.ts';
import { comesAfter, conditions, cursorText, type ListPage, pageOf, type ShopsQuery } from './listing.ts';

/** Limits a query to the data of an owner, whose first key this is (`Caller.keyId`); without a key it reads all, for the command line. */
export type KeyScope = { keyId?: string };

const COLUMNS = `s.id, s.details, s.test, ${isoText('s.created_at')} as "createdAt", ${isoText('s.updated_at')} as "updatedAt", ${SHOP_OPTIONS}, s.earlier_headers as earlier,
  ${cursorText('s')} as cursor`;

const shopRows = rowsOf('compliance.shops', readShopRow.extend({ cursor: z.string() }));

/** The shops of a key, oldest first. */
export async function listShops(pool: Pool, { keyId, limit, after }: KeyScope & ShopsQuery): Promise<ListPage<ReadShopDto>> {
  const { where, values } = conditions([['s.api_key_id = ?', keyId], comesAfter('s', after)]);
  const rows = await readRows(pool, shopRows, {
    text: `select ${COLUMNS} from compliance.shops s where ${where} order by s.created_at, s.id limit ${limit + 1}`,
    values,
  });
  return pageOf(rows, limit, readShopDto);
}

const namedRows = rowsOf('compliance.shops', z.object({ id: z.string(), name: z.string() }));

/** What all shops are called, whoever's they are: thousands of whole shops take 80 ms. */
export function shopNames(pool: Pool): Promise<z.output<typeof namedRows.schema>[]> {
  return readRows(pool, namedRows, { text: `select id, coalesce(details ->> 'name', id::text) as name from compliance.shops`, values: [] });
}

/** Null if the key has no such shop. */
export async function readShop(pool: Pool, { keyId, id }: KeyScope & { id: string }): Promise<ReadShopDto | null> {
  const { where, values } = conditions([
    ['s.id = ?', id],
    ['s.api_key_id = ?', keyId],
  ]);
  const row = await readRow(pool, shopRows, { text: `select ${COLUMNS} from compliance.shops s where ${where}`, values });
  return row === null ? null : readShopDto(row);
}
