import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { comesAfter, conditions } from '../reading/conditions.ts';
import { type Cursor, cursorText, type Page, pageOf } from '../reading/page.ts';
import type { KeyScope } from '../reading/read-shops.ts';
import { type ReceiptDto, receiptDto } from './receipt-dto.ts';
import { renderReceipt } from './receipt-page.ts';
import { documentOf, FROM_RECEIPTS, STORED_RECEIPT, storedReceipt } from './stored-receipt.ts';

type Reader = KeyScope & { dialect: Pick<Dialect, 'amounts'> };
type List = Reader & { shopId?: string | undefined; month?: string | undefined; after?: Cursor | undefined; limit: number };

const SELECT = `select ${STORED_RECEIPT}, ${cursorText('r')} as cursor from ${FROM_RECEIPTS} join compliance.shops s on s.id = r.shop_id`;
const receiptRows = rowsOf('compliance.receipts', storedReceipt.extend({ cursor: z.string() }));

/** A receipt and its HTML page; null if the key (without one: any) has no such receipt. */
export async function readReceipt(pool: Pool, { keyId, dialect, id }: Reader & { id: string }): Promise<{ dto: ReceiptDto; html: string } | null> {
  const { where, values } = conditions([
    ['r.id = ?', id],
    ['s.api_key_id = ?', keyId],
  ]);
  const stored = await readRow(pool, receiptRows, { text: `${SELECT} where ${where}`, values });
  if (stored === null) return null;
  return { dto: receiptDto(stored, dialect), html: renderReceipt(documentOf(stored)) };
}

/** The receipts of a key's shops (without a key: of all), oldest first; `month` ("2026-10") is that of the order's audit file. */
export async function listReceipts(pool: Pool, { keyId, dialect, shopId, month, after, limit }: List): Promise<Page<ReceiptDto>> {
  const { where, values } = conditions([
    ['s.api_key_id = ?', keyId],
    ['r.shop_id = ?', shopId],
    [`o.month = to_date(?, 'YYYY-MM')`, month],
    comesAfter('r', after),
  ]);
  const rows = await readRows(pool, receiptRows, { text: `${SELECT} where ${where} order by r.created_at, r.id limit ${limit + 1}`, values });
  return pageOf(rows, limit, (row) => receiptDto(row, dialect));
}
