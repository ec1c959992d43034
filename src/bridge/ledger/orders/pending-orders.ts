import { z } from 'zod';
import { PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import type { Pool, Queryable, Statement } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { DueNotice } from '../../delivery/notify.ts';
import type { Scope } from '../../delivery/pauses.ts';
import { curedByStoreAccess } from '../../order/facts/failure.ts';
import { CLEARED, REEVALUATED, REVIEW_REVISION } from '../order-columns.ts';
import { LOCK_ORDER } from './lock-orders.ts';

/** An order whose record is pending; one whose record's receipt is still to be requested; and either. */
export const RECORD_PENDING = `(o.revision > o.recorded_revision and o.revision > o.${REVIEW_REVISION})`;
const RECEIPT_DUE = `(o.receipt ->> 'state') = 'due'`;
export const PENDING = `(${RECORD_PENDING} or ${RECEIPT_DUE})`;
/** What an order that is pending lacks, as the index of each connection's orders has it: 0, its record; 1, its receipt alone. */
export const LACKS = `(case when ${RECORD_PENDING} then 0 else 1 end)`;
// Which calls of the store failed is not kept: every order that is tried again is tried now.
const WAITS_FOR_STORE = `o.connection_id = $1 and ((o.state = 'review' and o.review_code = any($2))
  or (o.state = 'queued' and o.attempts > 0 and o.open_step is null and ${RECORD_PENDING}))`;
/** Where order `o` is called next; `n`: its connection. */
export const CALLED = `coalesce((o.open_step ->> 'destinationId')::uuid, o.record_destination, n.destination_id)`;
export const FREE = '(o.lease_until is null or o.lease_until < now())';

const SAID = `o.state in ('resolved', 'recorded', 'removed') and (o.resolution ->> 'revision')::int = o.revision`;

const STILL_SAID = `case when o.review_code <> 'resolution.changed' then o.resolution end`;

const idRow = rowsOf('orders', z.object({ id: z.int() }));
const backlogRow = rowsOf('orders', z.object({ pending: z.int(), oldest: z.string().nullable() }));

/** Orders of a paused scope that could show whether it works again, the one tried longest ago first; see `stampTried`. */
export async function probeCandidates(pool: Pool, { destinationId, shopId, callType }: Scope, size: number): Promise<number[]> {
  const isOfCallType = callType === 'records' ? RECORD_PENDING : `${RECEIPT_DUE} and not ${RECORD_PENDING}`;
  const rows = await readRows(pool, idRow, {
    text: `select o.id from orders o join connections n on n.id = o.connection_id
       where ${isOfCallType} and ${FREE} and ${CALLED} = $1 and ($2::uuid is null or o.shop_id = $2)
         and not exists (select 1 from pauses p where p.destination_id = $1 and p.shop_id = o.shop_id and p.call_type = $4 and $2::uuid is null)
       order by o.due_at, o.id limit $3`,
    values: [destinationId, shopId, size, callType],
  });
  return rows.map(({ id }) => id);
}

/** An order is about to probe: all others of its scope come before it the next time. */
export async function stampTried(pool: Pool, id: number): Promise<void> {
  await pool.query('update orders set due_at = clock_timestamp() where id = $1', [id]);
}

// Anyone who names orders by themselves writes who did it.
const NOTED = `, noted as (insert into acts (who, act, connection_id, order_ref, before, after)
  select '${PROGRAM}', 'order.review-ended', connection_id, id, jsonb_build_object('state', was_state, 'code', was_code), '{"state": "queued"}'
  from done where was_state = 'review')`;

type Reevaluated =
  /** A person's word is taken back. */
  | { ids: readonly number[] }
  /** A person's word stays, unless the order waits for another one. */
  | { answeredOf: readonly number[] }
  /** Decided by a person's word, which is taken back. */
  | { saidOf: number }
  | { connectionId: string; codes: readonly string[] }
  | { unrecordedOf: string }
  /** In review or waiting because this connection's store did not answer. */
  | { waitsForStoreOf: string };

/** Has orders decided anew: released ones in review, and those that a change of their connection concerns. Returns the orders to notify of. */
export async function reevaluate(db: Queryable, where: Reevaluated): Promise<DueNotice[]> {
  const { clause, values } = reevaluateClause(where);
  // What a person said before is taken back only by a person.
  const resolution = 'ids' in where || 'saidOf' in where ? ', resolution = null' : 'answeredOf' in where ? `, resolution = ${STILL_SAID}` : '';
  const rows = await readRows(db, idRow, {
    text: `with was as materialized (select o.id, o.state, o.review_code as code from orders o where ${clause} order by ${LOCK_ORDER} for update of o),
      done as (update orders o set ${REEVALUATED}, ${CLEARED}${resolution}, attempts = 0, updated_at = now()
        from was where o.id = was.id returning o.id, o.connection_id, was.state as was_state, was.code as was_code)
      ${'connectionId' in where || 'waitsForStoreOf' in where ? NOTED : ''}
      select id from done`,
    values,
  });
  return rows.map(({ id }) => ({ id, dueAt: 0 }));
}

/** Settings say whether such orders count, and from when; of those that are paid in parts people are asked. */
const LEFT_OUT = "(o.state in ('ignored', 'waiting') or o.review_code = 'payment.divided') and o.record is null and o.connection_id = $1";

function reevaluateClause(where: Reevaluated): { clause: string; values: unknown[] } {
  if ('ids' in where) return { clause: "o.state = 'review' and o.id = any($1)", values: [where.ids] };
  if ('saidOf' in where) return { clause: `o.id = $1 and ${SAID} and ${FREE}`, values: [where.saidOf] };
  if ('answeredOf' in where) return { clause: "o.state = 'review' and o.id = any($1)", values: [where.answeredOf] };
  if ('unrecordedOf' in where) return { clause: LEFT_OUT, values: [where.unrecordedOf] };
  if ('waitsForStoreOf' in where) return { clause: WAITS_FOR_STORE, values: [where.waitsForStoreOf, curedByStoreAccess] };
  return { clause: "o.state = 'review' and o.connection_id = $1 and o.review_code = any($2)", values: [where.connectionId, where.codes] };
}

type Backlog = { pending: number; oldestSeconds: number | null };

const WAITS_SINCE = `coalesce(o.dirty_since, (o.receipt ->> 'since')::timestamptz)`;

/** How many records are pending, in review and unconfirmed ones aside, or lack their receipt, and since when the oldest is. Reads all of them. */
export function backlog(pool: Pool): Promise<Backlog> {
  return readBacklog(pool, { text: `select count(*) as pending, min(${WAITS_SINCE}) as oldest from orders o where ${PENDING}` });
}

/** The same of those that were due first, `most` at most, however many there are. */
export function backlogUpTo(pool: Pool, most: number): Promise<Backlog> {
  return readBacklog(pool, {
    text: `select count(*) as pending, min(since) as oldest from (select ${WAITS_SINCE} as since from orders o where ${PENDING} order by o.due_at limit $1) first`,
    values: [most],
  });
}

async function readBacklog(pool: Pool, statement: Statement): Promise<Backlog> {
  const { pending, oldest } = await readOne(pool, backlogRow, statement);
  return { pending, oldestSeconds: oldest === null ? null : Math.max(0, (Date.now() - Date.parse(oldest)) / 1000) };
}

/** So many orders of a connection are looked at, however many are pending. */
export const MOST_PENDING = 1_000;

const pending = z.object({
  connectionId: z.string(),
  records: z.int(),
  receipts: z.int(),
  since: z.string().nullable(),
  recordsDue: z.string().nullable(),
  receiptsDue: z.string().nullable(),
});
const pendingRows = rowsOf('orders', pending);

/**
 * Orders of a connection whose record is pending, and those whose receipt alone is due; of each, at most `MOST_PENDING` in all are counted. `since`: of
 * the record that is pending longest; `recordsDue`, `receiptsDue`: since when one waits for nothing else, such as its quiet time. ISO instants.
 */
export type PendingOf = z.output<typeof pending>;

/** Those of connection `c` that lack this, the first ones to be due first. */
const firstOf = (lacks: number): string => `(select ${lacks === 0} as record, coalesce(o.dirty_since, (o.receipt ->> 'since')::timestamptz) as since,
          coalesce(o.due_at, now()) <= now() as due, o.due_at from orders o where o.connection_id = c.id and ${PENDING} and ${LACKS} = ${lacks} order by o.due_at limit $1)`;

/** By connection; one of which nothing is pending is absent. Costs nothing for those, and little for others. */
export async function pendingByConnection(pool: Pool): Promise<ReadonlyMap<string, PendingOf>> {
  const rows = await readRows(pool, pendingRows, {
    text: `select c.id as "connectionId", own.* from connections c cross join lateral (
        select count(*) filter (where b.record) as records, count(*) filter (where not b.record) as receipts,
          min(b.since) filter (where b.record) as since, min(greatest(b.since, b.due_at)) filter (where b.record and b.due) as "recordsDue",
          min(greatest(b.since, b.due_at)) filter (where not b.record and b.due) as "receiptsDue"
        from (select * from (${firstOf(0)} union all ${firstOf(1)}) either order by not record, due_at limit $1) b) own
      where own.records + own.receipts > 0`,
    values: [MOST_PENDING],
  });
  return new Map(rows.map((row) => [row.connectionId, row]));
}
