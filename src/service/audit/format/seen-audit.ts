import {
  type AuditArticle,
  type AuditColumns,
  type AuditHeader,
  type AuditOrder,
  type AuditReturn,
  articleColumns,
  columnsOf,
  headerColumns,
  orderColumns,
  returnColumns,
} from './audit-columns.ts';
import { readAmount, readDay, readWhole } from './column-kinds.ts';

type Seen<T> = { readonly [Key in keyof T]: T[Key] | null };

/** The readable parts of a file of any origin. Null: absent, or unreadable, which the schema reports. Amounts have two decimals at most. */
export type SeenHeader = Seen<AuditHeader>;
export type SeenArticle = Seen<AuditArticle>;
export type SeenOrder = Seen<Omit<AuditOrder, 'articles'>> & { readonly articles: readonly SeenArticle[] };
export type SeenReturn = Seen<AuditReturn>;

/** `r_ord` and `r_total` as they are written. */
export type SeenReturnSums = { count: number | null; total: string | null };

/** The texts of an element's children by their names. */
export type Fields = ReadonlyMap<string, string>;

export function seenHeader(fields: Fields): SeenHeader {
  const month = readDay(`${fields.get('god')?.trim()}-${fields.get('mon')?.trim()}-01`)?.slice(0, 7) ?? null;
  return { ...seen<SeenHeader>(headerColumns, fields), month };
}

export function seenOrder(fields: Fields, articles: readonly Fields[]): SeenOrder {
  return { ...seen<SeenOrder>(orderColumns, fields), articles: articles.map((one) => seen<SeenArticle>(articleColumns, one)) };
}

export function seenReturn(fields: Fields): SeenReturn {
  return seen<SeenReturn>(returnColumns, fields);
}

/** `Row` is that of the columns. */
function seen<Row>(columns: AuditColumns, fields: Fields): Row {
  const row: Record<string, unknown> = {};
  for (const [element, { field, kind }] of columnsOf(columns)) row[field] = kind.read(fields.get(element));
  return row as Row;
}

export function seenReturnSums(fields: Fields): SeenReturnSums {
  return { count: readWhole(fields.get('r_ord')), total: readAmount(fields.get('r_total')) };
}
