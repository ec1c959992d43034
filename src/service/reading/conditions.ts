import type { Cursor } from './page.ts';

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
