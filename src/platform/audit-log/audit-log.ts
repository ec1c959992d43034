import { z } from 'zod';
import type { Queryable } from '../postgres/postgres.ts';
import { isoText, readOne, readRows, rowsOf } from '../postgres/read-rows.ts';

/** A table `acts` in a schema: what people did, and what was decided without them; rows are added and never changed. */
type AuditLog = { schema: string };

/**
 * Who did it: `cli:USER@HOST` for a command, `person:ID` for somebody in the console, `key:ID` for an API key, `link:ID` for a link in a mail,
 * `merchant:ID` for anyone who has the link of an invitation, `orderbridge` for the program itself. Never a buyer, and never an address of a mailbox.
 */
export type Actor = string;

/** The program itself. */
export const PROGRAM: Actor = 'orderbridge';

/** Who does something, and, if a person gave a reason, why. */
export type Authorship = { by: Actor; why?: string | undefined };

/** What nobody said was decided by the program. */
export const BY_PROGRAM: Authorship = { by: PROGRAM };

export function authorOf({ by, why }: Authorship): Pick<Act, 'who' | 'why'> {
  return { who: by, ...(why === undefined ? {} : { why }) };
}

/**
 * One act. `before` and `after` are JSON without secrets and buyers' data; absent: nothing to compare. `subject` is what it was done to besides a
 * connection or an order, such as the id of a delivery, of a shop or of a queue.
 */
export type Act<Kind extends string = string> = {
  who: Actor;
  act: Kind;
  connectionId?: string;
  /** The order's id in the ledger. */
  orderRef?: number;
  subject?: string;
  before?: unknown;
  after?: unknown;
  /** The person's words. */
  why?: string;
};

/** Adds acts, within the transaction of what they tell of. */
export async function writeActs(tx: Queryable, { schema }: AuditLog, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  await tx.query(
    `insert into ${schema}.acts (who, act, connection_id, order_ref, subject, before, after, why)
     select * from json_to_recordset($1::json) as a (who text, act text, "connectionId" text, "orderRef" bigint, subject text, before jsonb, after jsonb, why text)`,
    [JSON.stringify(acts)],
  );
}

const keptAct = z.object({
  id: z.int(),
  at: z.string(),
  who: z.string(),
  act: z.string(),
  connectionId: z.string().nullable(),
  orderRef: z.int().nullable(),
  subject: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  why: z.string().nullable(),
});

/** An act as it was written. `at` is an ISO instant. */
export type KeptAct = z.output<typeof keptAct>;

const keptActs = rowsOf('acts', keptAct);

/** Absent: any. `orderRef`: of this one, or of any of these. `acts`: any of these. `from` and `until`: instants, ISO; the first one is included. */
type ActsWanted = {
  connectionId?: string | undefined;
  orderRef?: number | readonly number[] | undefined;
  who?: string | undefined;
  act?: string | undefined;
  acts?: readonly string[] | undefined;
  subject?: string | undefined;
  from?: string | null | undefined;
  until?: string | null | undefined;
};

/** `beforeId`: only those that were written earlier, to go on with a list. */
type ActsFilter = ActsWanted & { beforeId?: number | undefined; limit: number };

const WANTED = `($1::text is null or connection_id = $1) and ($2::bigint[] is null or order_ref = any($2)) and ($3::text is null or who = $3)
  and ($4::text is null or act = $4) and ($5::text is null or subject = $5) and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
  and ($8::text[] is null or act = any($8))`;
const valuesOf = ({ connectionId, orderRef, who, act, acts, subject, from, until }: ActsWanted) => [
  ...[connectionId ?? null, orderRef === undefined ? null : [orderRef].flat(), who ?? null, act ?? null, subject ?? null],
  ...[from ?? null, until ?? null, acts ?? null],
];

/** The newest acts first. */
export async function readActs(db: Queryable, { schema }: AuditLog, { beforeId, limit, ...wanted }: ActsFilter): Promise<KeptAct[]> {
  return readRows(db, keptActs, {
    text: `select id, ${isoText('at')} as at, who, act, connection_id as "connectionId", order_ref as "orderRef", subject, before, after, why
     from ${schema}.acts where ${WANTED} and ($9::bigint is null or id < $9) order by id desc limit $10`,
    values: [...valuesOf(wanted), beforeId ?? null, limit],
  });
}

const countRow = rowsOf('acts', z.object({ count: z.int() }));

/** How many there are; none beyond `most` are counted. */
export async function countActs(db: Queryable, { schema }: AuditLog, { most, ...wanted }: ActsWanted & { most: number }): Promise<number> {
  const text = `select count(*) as count from (select from ${schema}.acts where ${WANTED} limit $9) counted`;
  return (await readOne(db, countRow, { text, values: [...valuesOf(wanted), most] })).count;
}

const authorRows = rowsOf('acts', z.object({ who: z.string(), count: z.int() }));

/** How many of them each did but this one, the most first. */
export function countByAuthor(
  db: Queryable,
  { schema }: AuditLog,
  { besides, ...wanted }: ActsWanted & { besides: Actor },
): Promise<z.output<typeof authorRows.schema>[]> {
  const text = `select who, count(*) as count from ${schema}.acts where ${WANTED} and who <> $9 group by 1 order by 2 desc, 1`;
  return readRows(db, authorRows, { text, values: [...valuesOf(wanted), besides] });
}

const thereRow = rowsOf('pg_class', z.object({ isThere: z.boolean() }));

/** Is this audit log in the database? */
export async function hasAuditLog(db: Queryable, { schema }: AuditLog): Promise<boolean> {
  return (await readOne(db, thereRow, { text: `select to_regclass($1) is not null as "isThere"`, values: [`${schema}.acts`] })).isThere;
}

type Json = Readonly<Record<string, unknown>>;

/** The fields that differ, on both sides; those of nested objects by themselves. A field that one side lacks is absent there. */
type Difference = { before: Record<string, unknown>; after: Record<string, unknown> };

/** What differs between two values of plain JSON; null: nothing does. */
export function difference(before: Json, after: Json): Difference | null {
  const differs: Difference = { before: {}, after: {} };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const parts = isObject(was) && isObject(is) ? difference(was, is) : { before: was, after: is };
    // The same in another order of keys.
    if (parts === null) continue;
    if (was !== undefined) differs.before[key] = parts.before;
    if (is !== undefined) differs.after[key] = parts.after;
  }
  return Object.keys({ ...differs.before, ...differs.after }).length === 0 ? null : differs;
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
