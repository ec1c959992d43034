/** One part of a list. `next` is the `after` of the next part; null at the end. */
export type Page<T> = { items: T[]; next: string | null };

/** Where a list continues: after this row, in order of creation. */
export type Cursor = { createdAt: string; id: string };

/** SQL that gives a row's cursor as text, to the microsecond, so that no row is shown twice or left out. */
export function cursorText(row: string): string {
  return `to_char(${row}.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || ${row}.id`;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The cursor of an earlier part's `next`; undefined if the text is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, createdAt, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (createdAt === undefined || id === undefined || Number.isNaN(Date.parse(createdAt))) return undefined;
  return { createdAt, id };
}

/** The part of a list made of `rows`, of which one more than `limit` was selected. */
export function pageOf<Row extends { cursor: string }, T>(rows: readonly Row[], limit: number, show: (row: Row) => T): Page<T> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(show), next: last === undefined ? null : Buffer.from(last.cursor, 'latin1').toString('base64url') };
}
