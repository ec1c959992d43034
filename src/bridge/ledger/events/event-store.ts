import { z } from 'zod';
import type { Customer } from '../../../contract/record.ts';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { UnreadableRow } from '../../../platform/postgres/unreadable-row.ts';
import { openOrNull, type SealedPlace } from '../../../platform/seal.ts';
import type { FiledMonth } from '../../events/event.ts';
import type { DueEvent, EventEndpoint, SendEventsDeps, TriedEvent } from '../../events/send-events.ts';
import { knownBuyer } from '../../order/facts/facts.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { buyerColumn, withBuyers } from '../buyers.ts';
import { keepOrderTriggers } from '../order-triggers.ts';
import { disableEndpoint, openEndpoint } from './endpoint-store.ts';

/** How long an event is retried; an endpoint that did not take it by then is disabled. So many tries take hours: time in which nothing was sent does not count. */
const IS_OLD = `tried_at < now() - interval '3 days' and attempts >= 20`;

export function createEventLedger(pool: Pool): SendEventsDeps['ledger'] {
  return {
    open: (id) => openEndpoint(pool, id),
    due: (endpoint, limit) => dueEvents(pool, endpoint, limit),
    note: (tried) => noteTried(pool, tried),
    retry: async (id) => void (await pool.query(RETRY, [id])),
    disable: (id, as) => disableEndpoint(pool, id, as),
  };
}

// Those that are locked come at their time.
const RETRY = `update events set due_at = now()
  where id in (select id from events where endpoint = $1 and ended_at is null and due_at > now() for update skip locked)`;

const dueRow = z.looseObject({ eventId: z.string(), attempts: z.int() });

const storedRow = z.object({
  id: z.int(),
  isOrder: z.boolean(),
  type: z.string(),
  createdAt: z.string(),
  data: z.record(z.string(), z.unknown()),
  customer: buyerColumn,
  erased: z.boolean(),
});
const storedRows = rowsOf('events', storedRow);

// The first of each subject that is not over: those after it wait.
const DUE = `select e.id as "eventId", coalesce(e.order_ref, 0) as id, e.order_ref is not null as "isOrder", e.type, e.created_at as "createdAt", e.attempts, e.data,
    c.data as customer, c.erased_at is not null as erased
  from events e left join customers c on $3 and c.order_ref = e.order_ref
  where e.endpoint = $1 and e.ended_at is null and e.due_at <= now()
    and not exists (select from events b where b.endpoint = e.endpoint and b.subject = e.subject and b.ended_at is null and b.seq < e.seq)
  order by e.seq limit $2`;

/** With the buyers of now, whom no event keeps: of one who is erased none is sent again. One who may open later is waited for, while other events go on. */
function dueEvents(pool: Pool, { id, withBuyers: hasBuyers }: EventEndpoint, limit: number): Promise<DueEvent[]> {
  const { schema } = withBuyers(pool, storedRows, { waits: true });
  const each = dueRow.transform(({ eventId, attempts, ...row }): DueEvent => {
    const { data: read, error } = schema.safeParse(row);
    if (read === undefined) return { id: eventId, attempts, stored: new UnreadableRow('events', { id: eventId }, error) };
    const { id: _order, isOrder, customer, ...event } = read;
    const buyer: { buyer?: Customer | null } = hasBuyers && isOrder ? { buyer: knownBuyer(customer) } : {};
    return { id: eventId, attempts, stored: { ...event, ...buyer } };
  });
  return readRows(pool, rowsOf('events', each), { text: DUE, values: [id, limit, hasBuyers] });
}

const notedRow = rowsOf('events', z.object({ isOld: z.boolean() }));

const placeOfAnswer = (id: string): SealedPlace => ({ table: 'bridge.events', column: 'answer', id });

const UNSENT = `(not $7 and ${IS_OLD})`;

// What it answered is not kept of a buyer who was erased meanwhile, or whose order was deleted.
const NOTE = `update events e set attempts = attempts + 1, tried_at = coalesce(tried_at, now()), sent_at = now(), took_ms = $3, status = $4,
    answer = case when e.order_ref is null or exists (select from orders o left join customers c on c.order_ref = o.id
      where o.id = e.order_ref and c.erased_at is null) then $5 end,
    ended_at = case when $2 or ${UNSENT} then now() end, outcome = case when $2 then 'delivered' when ${UNSENT} then 'given-up' end,
    due_at = now() + $6 * interval '1 ms'
  where id = $1 and ended_at is null returning not $2 and ended_at is null and ${IS_OLD} as "isOld"`;

// An erasure that is under way is waited for, or waits.
const BUYER = 'select c.order_ref from customers c join events e using (order_ref) where e.id = $1 for share of c';

function noteTried(pool: Pool, { id, isSent, isDelivered, tookMs, status, answer, laterMs }: TriedEvent): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await tx.query(BUYER, [id]);
    const sealed = sealerOf(pool).seal(answer, placeOfAnswer(id));
    const noted = await readRow(tx, notedRow, { text: NOTE, values: [id, isDelivered, tookMs, status, sealed, laterMs, isSent] });
    return noted?.isOld ?? false;
  });
}

/** A month was marked as filed, in the transaction of that. */
export async function writeMonthFiled(tx: Queryable, filed: FiledMonth): Promise<void> {
  const { shopId, month } = filed;
  await tx.query(`select bridge.write_events($1, $2, '{month.filed}', null, $3)`, [`month ${shopId} ${month}`, shopId, JSON.stringify(filed)]);
}

const listedRow = z.object({
  id: z.string(),
  endpoint: z.string(),
  type: z.string(),
  orderRef: z.int().nullable(),
  data: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  attempts: z.int(),
  sentAt: z.string().nullable(),
  dueAt: z.string().nullable(),
  tookMs: z.int().nullable(),
  status: z.int().nullable(),
  answer: z.string().nullable(),
  outcome: z.enum(['delivered', 'given-up']).nullable(),
  hasBuyer: z.boolean(),
});

/**
 * An event to an endpoint, and what became of it. `outcome` null: it waits until `dueAt`, or for one before it; `dueAt` null, too: for
 * its endpoint to be enabled. `answer` null: there was none, it is not kept, or does not open. `hasBuyer`: it is sent with one, whom `answer` may repeat.
 */
export type ListedEvent = z.output<typeof listedRow>;

const listedRows = (db: Queryable) =>
  rowsOf(
    'events',
    listedRow.transform((row) => ({ ...row, answer: row.answer === null ? null : openOrNull(sealerOf(db), row.answer, placeOfAnswer(row.id)) })),
  );

const IS_OPEN = 'exists (select from event_endpoints n where n.id = endpoint and n.disabled_at is null)';

const LISTED = `select id, endpoint, type, order_ref as "orderRef", data, created_at as "createdAt", attempts, sent_at as "sentAt",
    case when ended_at is null and ${IS_OPEN} then due_at end as "dueAt", took_ms as "tookMs", status, answer, outcome,
    order_ref is not null and exists (select from event_endpoints n where n.id = endpoint and n.with_buyers) as "hasBuyer" from events`;

/** The newest first. */
export function listEvents(pool: Pool, endpointId: string, limit: number): Promise<ListedEvent[]> {
  return readRows(pool, listedRows(pool), { text: `${LISTED} where endpoint = $1 order by seq desc limit $2`, values: [endpointId, limit] });
}

export function findEvent(pool: Pool, id: string): Promise<ListedEvent | null> {
  return readRow(pool, listedRows(pool), { text: `${LISTED} where id = $1`, values: [id] });
}

// Under the same id, by which a receiver knows it. One that waits is due now.
const REPLAY = `update events set ended_at = null, outcome = null, attempts = 0, tried_at = null, due_at = now() where id = $1 and ${IS_OPEN} returning endpoint`;

const replayedRow = rowsOf('events', z.object({ endpoint: z.string() }));

/** Sends an event again. False: there is none, or its endpoint is disabled. */
export function replayInLedger(pool: Pool, id: string, said: Authorship): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const replayed = await readRow(tx, replayedRow, { text: REPLAY, values: [id] });
    if (replayed !== null) await writeBridgeActs(tx, [{ ...authorOf(said), act: 'event.replayed', subject: replayed.endpoint, after: { event: id } }]);
    return replayed !== null;
  });
}

/** Drops events so many days after they were written, unless they wait for an endpoint that is enabled; and has orders write none, and no notes, if nothing wants them. */
export async function dropOldEvents(pool: Pool, { days, now }: { days: number; now: Date }): Promise<void> {
  const old = `select id from events e where created_at < $2::timestamptz - $1 * interval '1 day'
    and (ended_at is not null or not ${IS_OPEN}) order by created_at limit 10000 for update of e skip locked`;
  await pool.query(`delete from events where id in (${old})`, [days, now]);
  await keepOrderTriggers(pool);
}
