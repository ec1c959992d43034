import { z } from 'zod';
import { SAME_DATABASE } from '../../../platform/postgres/database-place.ts';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { DueLedger, DuePage, Planned } from '../../delivery/due-orders.ts';
import type { Claim } from '../../order/decisions/claim.ts';
import { jsonText } from '../json-columns.ts';
import { readClaimed, stepOver, toClaim } from '../order-columns.ts';
import { ON_TRIAL, REPEATED, STEP_COLUMNS, stepColumns } from './claim-store.ts';
import { CALLED, FREE, LACKS, PENDING, RECORD_PENDING } from './pending-orders.ts';
import { inKnownTransaction, XID } from './record-store.ts';

/** `leaseMs`: how long a claim holds. `plan`: the first step of an attempt, which is journaled with the claim; null: the attempt decides. */
type DueOptions<P extends Planned> = { leaseMs: number; plan(claim: Claim): Promise<P | null> };

// What is due is looked up first, and locked then: a lock looks at a row as it is by then, and a row that another worker has is left to it.
const DUE = `${PENDING} and ${FREE} and o.due_at <= now()`;
/** Of so many times a page the first ones are taken that no other process is just taking: with fewer, several would look at the same rows, and all but one find none. */
const LOOKED_AT = 4;
const LOCKED = 'for update of o skip locked';
const READ = 'select o.id, o.fence, o.lease_until is not null as abandoned';

const OLDEST = `with due as materialized (select o.id, o.due_at from orders o where ${DUE} and o.id <> all($2) order by o.due_at limit $1 * ${LOOKED_AT})
  ${READ} from due join orders o on o.id = due.id where ${DUE} order by due.due_at limit $1 ${LOCKED}`;

/** Of a connection, so many times its even share of a page is looked at: some have less than theirs. */
const SHARES = 4.0;

const NOT_PAUSED = `not exists (select 1 from pauses p where p.destination_id = ${CALLED} and (p.shop_id is null or p.shop_id = o.shop_id)
  and (p.call_type = 'records' or not ${RECORD_PENDING}))`;

/** The oldest orders of connection `n` that lack this, `most.each` of them. */
const oldestOf = (
  lacks: number,
): string => `(select o.id, o.due_at from orders o where o.connection_id = n.id and ${LACKS} = ${lacks} and ${DUE} and ${NOT_PAUSED}
        and o.id <> all($4) ${lacks === 1 ? 'and not n.without_receipts' : ''} order by o.due_at limit (select each from most))`;

/** Its own destination is paused for this type of call. */
const ownPaused = (callType: 'records' | 'receipts'): string =>
  `exists (select 1 from pauses p where p.destination_id = n.destination_id and (p.shop_id is null or p.shop_id = n.shop_id) and p.call_type = '${callType}')`;

/**
 * Connections take turns, those with the fewest attempts first, the oldest orders of each first. Each step of the recursion finds the next connection in the index, so that it costs nothing while
 * nothing is pending; a connection whose own destination is paused is passed over as a whole, however much of it waits, and so are its receipts if only these are paused there.
 */
const ROUND_ROBIN = `with recursive late as (
    (select o.connection_id as id from orders o where ${PENDING} order by o.connection_id limit 1)
    union all
    select (select o.connection_id from orders o where ${PENDING} and o.connection_id > late.id order by o.connection_id limit 1) from late where late.id is not null),
  open as materialized (
    select n.id, n.destination_id, coalesce(($5::jsonb -> n.id ->> 'running')::int, 0) as running, coalesce(($5::jsonb -> n.id ->> 'last')::float8, 0) as last,
      ${ownPaused('receipts')} as without_receipts
    from late join connections n on n.id = late.id where n.id <> all($2) and n.destination_id <> all($3) and not ${ownPaused('records')}),
  most as materialized (select greatest(2, ceil($1 * ${SHARES} / greatest(1, count(*)))) as each from open),
  ordered as (
    select own.*, own.place + n.running as place_of_all, n.last from open n cross join lateral (
      select due.id, due.due_at, row_number() over (order by due.due_at) as place from (${oldestOf(0)} union all ${oldestOf(1)}) due order by due.due_at limit (select each from most)) own
    order by place_of_all, n.last, own.due_at limit $1 * ${LOOKED_AT})
  ${READ} from ordered join orders o on o.id = ordered.id join connections n on n.id = o.connection_id where ${DUE} and ${NOT_PAUSED}
  order by ordered.place_of_all, ordered.last, ordered.due_at limit $1 ${LOCKED}`;

const dueRow = rowsOf('orders', z.object({ waitMs: z.number() }));

/** The due index: claims orders by pages, each with its first step if that is sure, in one transaction. */
export function createDueLedger<P extends Planned>(pool: Pool, { leaseMs, plan }: DueOptions<P>): DueLedger<P> {
  const claimPage = (page: DuePage, planned: typeof plan) => {
    const work = async (tx: Queryable) => {
      const locked = await lockPage(tx, page);
      if (locked.length === 0) return { result: { orders: [], unreadable: [] }, xid: null };
      const { readable, unreadable } = await readClaimed(tx, locked);
      const claims = readable.map((row) => toClaim({ ...row, fence: row.fence + 1 }));
      const plans = await Promise.all(claims.map(planned));
      const items = claims.map((claim, at) => itemOf(claim, plans[at] ?? null));
      const { begun, xid } = await takePage(tx, { items, leaseMs });
      const abandoned = new Set(locked.flatMap((order) => (order.abandoned ? [order.id] : [])));
      const orders = claims.map((claim, at) => ({ claim, abandoned: abandoned.has(claim.id), begun: begun.has(claim.id) ? (plans[at] ?? null) : null }));
      return { result: { orders, unreadable }, xid };
    };
    return inKnownTransaction(pool, work, leaseMs);
  };
  return {
    // A step that can't be journaled is found out by the attempt of its order, and keeps no other from being claimed.
    claim: (page) => claimPage(page, plan).catch(() => claimPage(page, async () => null)),
    async nextDueMs() {
      const row = await readRow(pool, dueRow, {
        name: 'next-due',
        text: `select greatest(0, extract(epoch from o.due_at - clock_timestamp()) * 1000)::float8 as "waitMs" from orders o where ${PENDING} and o.due_at > now() order by o.due_at limit 1`,
      });
      return row?.waitMs ?? null;
    },
  };
}

const lockedRows = rowsOf('orders', z.object({ id: z.int(), fence: z.int(), abandoned: z.boolean() }));

async function lockPage(tx: Queryable, { size, not, notOf, notTo, served, roundRobin }: DuePage): Promise<z.output<typeof lockedRows.schema>[]> {
  if (roundRobin) return readRows(tx, lockedRows, { name: 'due-round-robin', text: ROUND_ROBIN, values: [size, notOf, notTo, not, JSON.stringify(served)] });
  return readRows(tx, lockedRows, { name: 'due', text: OLDEST, values: [size, not] });
}

function itemOf(claim: Claim, planned: Planned | null) {
  return planned === null ? { id: claim.id } : stepColumns({ claim, step: planned.action.step });
}

type Taken = { begun: ReadonlySet<number>; xid: string | null };

const takenRows = rowsOf('steps', z.object({ id: z.int(), xid: z.string() }));

/** Claims the locked orders, and journals their first steps. Returns those whose step is journaled. */
async function takePage(tx: Queryable, { items, leaseMs }: { items: { id: number }[]; leaseMs: number }): Promise<Taken> {
  if (items.length === 0) return { begun: new Set(), xid: null };
  const rows = await readRows(tx, takenRows, {
    name: 'due-take',
    text: `with given as (select * from jsonb_to_recordset($1) as x(${STEP_COLUMNS})),
      x as materialized (select given.*, given.seq is not null and not (given.kind = 'create' and ${ON_TRIAL}) as begins from given join orders o on o.id = given.id),
      taken as (update orders o set fence = o.fence + 1, lease_until = now() + $2 * interval '1 ms',
          open_step = case when x.begins then ${stepOver('x.step', 'o')} else o.open_step end, step_seq = case when x.begins then greatest(o.step_seq, x.seq) else o.step_seq end,
          receipt = case when x.begins and x.kind = 'receipt' then jsonb_set(o.receipt, '{seq}', to_jsonb(x.seq)) else o.receipt end
        from x where o.id = x.id returning o.id, x.begins)
      insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, idempotency_key)
      select x.id, x.seq, x.kind, x.revision, x.destination, x.record, x.compliance_id, x.key from x join taken using (id) where taken.begins and ${SAME_DATABASE}
      on conflict (order_ref, seq) do update set ${REPEATED}
      returning order_ref as id, ${XID} as xid`,
    values: [jsonText(items), leaseMs],
  });
  return { begun: new Set(rows.map(({ id }) => id)), xid: rows[0]?.xid ?? null };
}

/** waiting: to be processed now. active: a worker has it. delayed: to be processed later. */
export type DueState = 'waiting' | 'active' | 'delayed';

/** An order that is pending, without what was bought. `dueAt`: ISO instant. */
export type ListedDue = z.output<typeof listedDue>;

const STATE = `case when not ${FREE} then 'active' when o.due_at <= now() then 'waiting' else 'delayed' end`;

const counted = rowsOf('orders', z.object({ waiting: z.int(), active: z.int(), delayed: z.int() }));
const text = z.string().nullable();
const listedDue = z.object({
  id: z.int(),
  connectionId: z.string(),
  ...{ number: text, total: text, currency: text },
  attempts: z.int(),
  since: text,
  dueAt: text,
});
const listed = rowsOf('orders', listedDue);
const COLUMNS = `o.id, o.connection_id as "connectionId", o.number, o.total::text as total, o.currency, o.attempts,
  coalesce(o.dirty_since, o.updated_at) as since, o.due_at as "dueAt"`;

/** How many orders are pending, by what they wait for. */
export async function countDue(pool: Pool): Promise<Record<DueState, number>> {
  return readOne(pool, counted, {
    text: `select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'active') as active, count(*) filter (where state = 'delayed') as delayed
      from (select ${STATE} as state from orders o where ${PENDING}) o`,
  });
}

/** The orders in these states, the next one first: those from `from` to `to`, counted from 0. */
export async function listDue(pool: Pool, { states, from, to }: { states: readonly DueState[]; from: number; to: number }): Promise<ListedDue[]> {
  return readRows(pool, listed, {
    text: `select ${COLUMNS} from orders o where ${PENDING} and ${STATE} = any($1) order by o.due_at, o.id offset $2 limit $3`,
    values: [states, from, Math.max(0, to - from + 1)],
  });
}

/** One order, whatever it waits for; null: there is none. */
export async function findDue(pool: Pool, id: number): Promise<ListedDue | null> {
  const [row] = await readRows(pool, listed, { text: `select ${COLUMNS} from orders o where o.id = $1`, values: [id] });
  return row ?? null;
}
