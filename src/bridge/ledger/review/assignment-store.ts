import { z } from 'zod';
import type { Actor } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { namesOfPeople } from '../people/people-store.ts';
import type { IssueKey } from './review-groups.ts';

const text = z.string();
const kept = z.object({ person: text.nullable(), note: text, snoozedUntil: text.nullable() });
const keptRow = rowsOf('assignments', kept);
const issueRows = rowsOf('assignments', kept.extend({ connectionId: text, code: text, pattern: text, orderRef: z.int().nullable() }));
const orderRows = rowsOf('assignments', kept.extend({ id: z.int(), isOwn: z.boolean() }));

/** Who looks after something, null: nobody; and the day on which it is listed with the others again, null: it is. */
export type Assignment = z.output<typeof kept>;

export const UNASSIGNED: Assignment = { person: null, note: '', snoozedUntil: null };

/** `order`: of this one alone; null: of the issue. */
export type Assignable = IssueKey & { order: number | null };

const KEY = 'connection_id = $1 and code = $2 and pattern = $3';
const OF_ORDER = 'a.connection_id = r.connection_id and a.code = r.code and a.pattern = r.pattern and (a.order_ref is null or a.order_ref = r.order_ref)';
const HOLDS = `exists (select from review_orders r where ${OF_ORDER} and r.asked_at <= a.at)`;
const COLUMNS = `a.person, a.note, a.snoozed_until as "snoozedUntil"`;

/** `name`: what the person is called. */
type Named<Of> = Of & { name: string | null };

async function withNames<Of extends { person: string | null }>(pool: Pool, rows: readonly Of[]): Promise<Named<Of>[]> {
  const names = await namesOfPeople(pool, [...new Set(rows.flatMap(({ person }) => person ?? []))]);
  return rows.map((row) => ({ ...row, name: row.person === null ? null : (names.get(row.person) ?? null) }));
}

/** Of every issue that waits, and of their orders. */
export async function assignmentsOfIssues(pool: Pool): Promise<Named<z.output<typeof issueRows.schema>>[]> {
  const text = `select ${COLUMNS}, a.connection_id as "connectionId", a.code, a.pattern, a.order_ref as "orderRef" from assignments a where ${HOLDS}`;
  return withNames(pool, await readRows(pool, issueRows, { text }));
}

/** An order that somebody looks after, by itself (`isOwn`) or with its issue. */
export type AssignedOrder = Named<z.output<typeof orderRows.schema>>;

/** Of these orders, or of all (null) that are `person`'s; none beyond `most`. */
export async function assignedOrders(
  pool: Pool,
  { ids, person = null, most }: { ids: readonly number[] | null; person?: string | null; most: number },
): Promise<AssignedOrder[]> {
  const rows = await readRows(pool, orderRows, {
    text: `select * from (select distinct on (r.order_ref) r.order_ref as id, a.order_ref is not null as "isOwn", ${COLUMNS} from assignments a join review_orders r on ${OF_ORDER}
        where ${HOLDS} and ($1::bigint[] is null or r.order_ref = any($1)) order by r.order_ref desc, a.order_ref nulls last) own
      where $2::uuid is null or person = $2 limit $3`,
    values: [ids, person, most],
  });
  return withNames(pool, rows);
}

/** False: somebody else said something else meanwhile. The same twice is one act. */
export function keepAssignment(pool: Pool, { of, was, now, by }: { of: Assignable; was: Assignment; now: Assignment; by: Actor }): Promise<boolean> {
  const { connectionId, code, pattern, order } = of;
  const issue = [connectionId, code, pattern];
  return inTransaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`assignments ${JSON.stringify(issue)}`]);
    const there = await assignmentOf(tx, [...issue, order]);
    if (isSame(there, now)) return true;
    if (!isSame(there, was)) return false;
    // An order of which nothing is said has what its issue has.
    if (order !== null && isSame(now, UNASSIGNED)) await tx.query(`delete from assignments a where ${KEY} and order_ref = $4`, [...issue, order]);
    else
      await tx.query(
        `insert into assignments (connection_id, code, pattern, order_ref, person, note, snoozed_until) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (connection_id, code, pattern, order_ref) do update set (person, note, snoozed_until, at) = (excluded.person, excluded.note, excluded.snoozed_until, now())`,
        [...issue, order, now.person, now.note, now.snoozedUntil],
      );
    const noted = ({ person, snoozedUntil }: Assignment) => ({ person: person === null ? null : `person:${person}`, snoozedUntil });
    const why = now.note === '' ? {} : { why: now.note };
    const about = { connectionId, ...(order === null ? { subject: code } : { orderRef: order }) };
    await writeBridgeActs(tx, [{ who: by, act: 'review.assigned', ...about, before: noted(there), after: noted(now), ...why }]);
    return true;
  });
}

async function assignmentOf(tx: Queryable, key: readonly unknown[]): Promise<Assignment> {
  const statement = { text: `select ${COLUMNS} from assignments a where ${KEY} and order_ref is not distinct from $4 and ${HOLDS}`, values: [...key] };
  return (await readRow(tx, keptRow, statement)) ?? UNASSIGNED;
}

function isSame(a: Assignment, b: Assignment): boolean {
  return a.person === b.person && a.note === b.note && a.snoozedUntil === b.snoozedUntil;
}
