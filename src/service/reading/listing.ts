import { z } from 'zod';
import { isDay, MONTH } from '../../contract/day.ts';
import { limits } from '../../contract/limits.ts';

const limit = z
  .string()
  .regex(/^([1-9]\d?|100)$/, `must be a whole number from 1 to ${limits.pageSize}`)
  .transform(Number)
  .default(limits.pageSizeDefault)
  .meta({ description: 'How many items at most.', example: 50 });

const after = z
  .string()
  .transform((text, context) => {
    const cursor = parseCursor(text);
    if (cursor === undefined) context.addIssue({ code: 'custom', message: 'must be the next of an earlier answer' });
    return cursor;
  })
  .meta({ description: 'The `next` of an earlier answer: the list goes on from there.' });

const shopId = z
  .guid('must be a UUID')
  .transform((id) => id.toLowerCase())
  .meta({ description: 'Only of this shop.' });

const month = z.string().regex(MONTH, 'must be a month such as 2026-10').meta({ description: 'Only of this month (`2026-10`), that of the audit file.' });

// No stored text has what the database could not compare.
const text = z.string().refine((given) => given.isWellFormed() && !given.includes('\0'), 'must not contain NUL or broken Unicode');

const paging = { limit, after: after.optional() };

/** The query parameters of the lists. Unknown ones are refused. */
export const shopsQuery = z.strictObject(paging);
export const ordersQuery = z.strictObject({
  ...paging,
  shopId: shopId.optional(),
  month: month.optional(),
  internalId: text.optional().meta({ description: 'Only the order with this `internalId`.' }),
  internalNumber: text.optional().meta({ description: 'Only orders with this `internalNumber`.' }),
});
export const ofShopAndMonthQuery = z.strictObject({ ...paging, shopId: shopId.optional(), month: month.optional() });

export type ShopsQuery = z.output<typeof shopsQuery>;
export type OrdersQuery = z.output<typeof ordersQuery>;
export type OfShopAndMonthQuery = z.output<typeof ofShopAndMonthQuery>;

/** One part of a list. `next` is the `after` of the next part; null at the end. */
export type ListPage<T> = { items: T[]; next: string | null };

/** Where a list continues: after this row, in order of creation. */
export type Cursor = { createdAt: string; id: string };

/** SQL that gives a row's cursor as text, to the microsecond, so that no row is shown twice or left out. */
export function cursorText(row: string): string {
  return `to_char(${row}.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || ${row}.id`;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The cursor of an earlier part's `next`; undefined if the text is no cursor. */
function parseCursor(text: string): Cursor | undefined {
  const [, createdAt, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (createdAt === undefined || id === undefined || !isDay(createdAt.slice(0, 10)) || Number.isNaN(Date.parse(createdAt))) return undefined;
  return { createdAt, id };
}

/** The part of a list made of `rows`, of which one more than `limit` was selected. */
export function pageOf<Row extends { cursor: string }, T>(rows: readonly Row[], limit: number, show: (row: Row) => T): ListPage<T> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(show), next: last === undefined ? null : Buffer.from(last.cursor, 'latin1').toString('base64url') };
}

/** SQL with a `?` for each value. A condition with an undefined value is left out. */
type Condition = readonly [sql: string, ...values: (string | undefined)[]];

/** The `where` of a query and its values, numbered from $1, or after those of an earlier part of it. */
export function conditions(all: readonly Condition[], before: readonly string[] = []): { where: string; values: string[] } {
  const values = [...before];
  const given = all.filter(([, ...needed]) => needed.every((value) => value !== undefined));
  const parts = given.map(([sql, ...needed]) => {
    values.push(...needed.filter((value) => value !== undefined));
    let at = values.length - needed.length;
    return sql.replaceAll('?', () => {
      at += 1;
      return `$${at}`;
    });
  });
  return { where: parts.length === 0 ? 'true' : parts.join(' and '), values };
}

/** Rows of a table after a cursor. */
export function comesAfter(row: string, after: Cursor | undefined): Condition {
  return [`(${row}.created_at, ${row}.id) > (?::timestamptz, ?::uuid)`, after?.createdAt, after?.id];
}
