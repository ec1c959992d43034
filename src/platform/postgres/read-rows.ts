import type { z } from 'zod';
import type { Queryable, Statement } from './postgres.ts';
import { UnreadableRow } from './unreadable-row.ts';

/** The schema of the rows of a statement, and the table that an error names. */
export type RowShape<Row> = { table: string; schema: z.ZodType<Row> };

export function rowsOf<Row>(table: string, schema: z.ZodType<Row>): RowShape<Row> {
  return { table, schema };
}

/** The rows of a statement. Throws `UnreadableRow` if one is not of this shape. */
export async function readRows<Row>(db: Queryable, shape: RowShape<Row>, statement: Statement): Promise<Row[]> {
  return (await rowsFrom(db, statement)).map((row) => whole(parsed(shape, row)));
}

/** The first row of a statement, or null. */
export async function readRow<Row>(db: Queryable, shape: RowShape<Row>, statement: Statement): Promise<Row | null> {
  const [first] = await rowsFrom(db, statement);
  return first === undefined ? null : whole(parsed(shape, first));
}

/** The row of a statement that always returns one. */
export async function readOne<Row>(db: Queryable, shape: RowShape<Row>, statement: Statement): Promise<Row> {
  const row = await readRow(db, shape, statement);
  if (row === null) throw new Error(`a statement on ${shape.table} gave no row`);
  return row;
}

export type ReadEach<Row> = { readable: Row[]; unreadable: UnreadableRow[] };

/** The rows of a statement and those that can't be read: for batches, in which one bad row must not stop the others. */
export async function readEach<Row>(db: Queryable, shape: RowShape<Row>, statement: Statement): Promise<ReadEach<Row>> {
  const each: ReadEach<Row> = { readable: [], unreadable: [] };
  for (const row of await rowsFrom(db, statement)) {
    const one = parsed(shape, row);
    if (one instanceof UnreadableRow) each.unreadable.push(one);
    else each.readable.push(one);
  }
  return each;
}

// The only place that sees rows as the driver returns them.
async function rowsFrom(db: Queryable, statement: Statement): Promise<unknown[]> {
  const answer = await db.query(statement);
  return 'rows' in answer && Array.isArray(answer.rows) ? answer.rows : [];
}

function parsed<Row>({ table, schema }: RowShape<Row>, row: unknown): Row | UnreadableRow {
  const result = schema.safeParse(row);
  return result.success ? result.data : new UnreadableRow(table, row, result.error);
}

function whole<Row>(row: Row | UnreadableRow): Row {
  if (row instanceof UnreadableRow) throw row;
  return row;
}

/**
 * A schema of JSON that has a type already. `jsonOf<Receipt>()(schema)` compiles only if the schema takes all of the type and nothing else, so that
 * the two can't drift apart; where the type may depend on zod, infer it from the schema instead.
 */
export const jsonOf =
  <T>() =>
  <Schema extends z.ZodType<T>>(schema: [T] extends [z.output<Schema>] ? Schema : never): z.ZodType<T> =>
    schema;

/** SQL that gives a timestamptz as ISO 8601 text in UTC with milliseconds, independent of the driver's parsers and the session's time zone. */
export function isoText(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
