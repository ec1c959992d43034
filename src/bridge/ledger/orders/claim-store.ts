import { z } from 'zod';
import { batcher } from '../../../platform/batcher.ts';
import { SAME_DATABASE } from '../../../platform/postgres/database-place.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { type ReadEach, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { UnreadableRow } from '../../../platform/postgres/unreadable-row.ts';
import type { AttemptLedger, BegunWith, NotClaimed, WriteInput, Written } from '../../delivery/attempt-ports.ts';
import type { Claim } from '../../order/decisions/claim.ts';
import type { OtherOrder } from '../../order/decisions/conclude.ts';
import type { Step } from '../../order/decisions/step.ts';
import { pendingState, type Write } from '../../order/decisions/transition.ts';
import type { Facts } from '../../order/facts/facts.ts';
import { merge } from '../../order/facts/merge.ts';
import { isAnother } from '../../order/facts/same-order.ts';
import { jsonText } from '../json-columns.ts';
import { type ClaimedRow, claimRow, REVIEW_REVISION, readClaimed, readFacts, stepOver, toClaim, withoutRecord, writeFacts } from '../order-columns.ts';
import { reportDeliveryOf } from '../outbox-job-store.ts';
import { recordLateReply } from './late-reply.ts';
import { IDS_OF_JSON, lockClaimed } from './lock-orders.ts';
import { markSearchStale } from './order-search.ts';
import { ownWords, WRITE_REVIEW_ACTS } from './review-acts.ts';
import { buyersOf, writeBuyer } from './sent-with.ts';

/** A step of a claimed order, journaled before it is sent. */
type BeginInput = { claim: Claim; step: Step };

const begunRows = rowsOf('steps', z.object({ id: z.int() }));

// Anyone who knows the connection as it was before its trial must not send: an order that was never recorded is not, until it ends.
export const ON_TRIAL = `o.open_step is null and o.mapping is null and o.record is null and o.previous is null
  and exists (select from connections c where c.id = o.connection_id and c.trial_since is not null)`;

/** A step that is repeated: its record is in the journal. */
export const REPEATED = 'attempts = steps.attempts + 1';

/** A step as the columns that its statement reads. */
export function stepColumns({ claim, step }: BeginInput) {
  return {
    id: claim.id,
    fence: claim.fence,
    seq: step.seq,
    kind: step.kind,
    revision: claim.revision,
    destination: step.destinationId,
    record: step.kind === 'create' ? step.record : null,
    compliance_id: step.kind === 'create' ? null : step.complianceId,
    key: step.kind === 'create' ? step.idempotencyKey : null,
    step: step.kind === 'receipt' ? null : withoutRecord(step),
  };
}

/** The definition of these columns as rows of a statement. */
export const STEP_COLUMNS = `id bigint, fence int, seq int, kind text, revision int, destination uuid, record jsonb,
        compliance_id text, key text, step jsonb`;

/** Journals them in one statement; false: the lease was lost. If the connection breaks meanwhile, the ledger says whether it was carried out. */
async function beginSteps(pool: Pool, inputs: BeginInput[], leaseMs: number): Promise<boolean[]> {
  try {
    return await journal(pool, inputs, leaseMs);
  } catch (thrown) {
    const begun = await begunAnyway(pool, inputs).catch(() => null);
    if (begun === null) throw thrown;
    return begun;
  }
}

/**
 * What was written by the statement that failed, as far as it shows: a step that its claim did not have open before. Null: none does, and it was not carried
 * out, or not yet. A repeated step does not show it, but was in the same statement.
 */
async function begunAnyway(pool: Pool, inputs: readonly BeginInput[]): Promise<boolean[] | null> {
  const given = inputs.map(({ claim: { id, fence }, step: { seq } }) => ({ id, fence, seq }));
  const rows = await readRows(pool, begunRows, {
    text: `select o.id from json_to_recordset($1::json) as x(id bigint, fence int, seq int) join orders o on o.id = x.id and o.fence = x.fence
      where o.lease_until > now() and x.seq in ((o.open_step ->> 'seq')::int, (o.receipt ->> 'seq')::int)`,
    values: [JSON.stringify(given)],
  });
  const found = new Set(rows.map(({ id }) => id));
  const isSure = inputs.some(({ claim, step }) => step.kind !== 'receipt' && claim.openStep?.seq !== step.seq && found.has(claim.id));
  return isSure ? inputs.map(({ claim }) => found.has(claim.id)) : null;
}

async function journal(pool: Pool, inputs: BeginInput[], leaseMs: number): Promise<boolean[]> {
  const rows = await readRows(pool, begunRows, {
    name: 'begin',
    text: `with given as (select * from jsonb_to_recordset($1) as x(${STEP_COLUMNS})),
      x as materialized (${lockClaimed()}),
      owned as (update orders o set open_step = ${stepOver('x.step', 'o')}, step_seq = greatest(o.step_seq, x.seq), lease_until = now() + $2 * interval '1 ms',
          receipt = case when x.kind = 'receipt' then jsonb_set(o.receipt, '{seq}', to_jsonb(x.seq)) else o.receipt end
        from x where o.id = x.id and o.fence = x.fence and not (x.kind = 'create' and ${ON_TRIAL}) returning o.id)
      insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, idempotency_key)
      select x.id, x.seq, x.kind, x.revision, x.destination, x.record, x.compliance_id, x.key from x join owned using (id) where ${SAME_DATABASE}
      on conflict (order_ref, seq) do update set ${REPEATED}
      returning order_ref as id`,
    values: [jsonText(inputs.map(stepColumns)), leaseMs],
  });
  const owned = new Set(rows.map(({ id }) => id));
  return inputs.map(({ claim }) => owned.has(claim.id));
}

const takenRows = rowsOf('orders', claimRow.pick({ id: true, fence: true }));
const leaseRows = rowsOf('orders', z.object({ id: z.int(), lease_until: z.string().nullable() }));
const writtenRows = rowsOf('orders', z.object({ id: z.int(), newer: z.boolean(), due_at: z.string().nullable() }));
const claimedRow = rowsOf('orders', claimRow.pick({ id: true, revision: true }));

// One at a time: calls that wait meanwhile go together, and a statement for twenty orders costs little more than one for four.
const BATCH = { max: 100, parallel: 1, lingerMs: 32 };

/** The submitter's ledger: claims, journal and writes of attempts, each grouped into one statement for all concurrent calls. */
export function createClaimStore(pool: Pool, { leaseMs }: { leaseMs: number }): AttemptLedger {
  const claim = batcher((ids: number[]) => claimOrders(pool, ids, leaseMs), BATCH);
  const write = batcher((inputs: WriteInput[]) => writeOrders(pool, inputs, leaseMs), BATCH);
  return {
    claim: async (id) => {
      const claimed = await claim(id);
      if (claimed instanceof UnreadableRow) throw claimed;
      return claimed;
    },
    begin: batcher((inputs: BeginInput[]) => begin(pool, inputs, leaseMs), BATCH),
    write: (input) => (input.onTrialOf === undefined ? write(input) : writeOnTrial(pool, { ...input, connectionId: input.onTrialOf }, leaseMs)),
    recordLateReply: (input) => recordLateReply(pool, input),
    otherOrderOf: (claim, complianceId) => otherOrderIn(pool, claim, complianceId),
    mergeFetched: (claim, facts) => mergeFetched(pool, { claim, news: facts }),
    release: async ({ id, fence, revision }, laterMs = 0) => {
      const dueAt = `case when $3::float8 > 0 and revision = $4 then greatest(due_at, now() + $3::float8 * interval '1 ms') else due_at end`;
      await pool.query(`update orders set lease_until = null, due_at = ${dueAt} where id = $1 and fence = $2`, [id, fence, laterMs, revision]);
    },
  };
}

const WITHOUT_BUYER: BegunWith = { customer: { kind: 'none' }, isKnown: true };

async function begin(pool: Pool, inputs: BeginInput[], leaseMs: number): Promise<(BegunWith | 'unopened' | null)[]> {
  const begun = await beginSteps(pool, inputs, leaseMs);
  const creates = inputs.flatMap(({ claim, step }, at) => (begun[at] === true && step.kind === 'create' ? [claim.id] : []));
  // They are journaled: an error would leave them open, as if they may have been sent.
  const buyers = await buyersOf(pool, creates).catch(() => new Map(creates.map((id) => [id, 'unopened' as const])));
  return inputs.map(({ claim }, at) => (begun[at] === true ? (buyers.get(claim.id) ?? WITHOUT_BUYER) : null));
}

async function claimOrders(pool: Pool, ids: number[], leaseMs: number): Promise<(Claim | NotClaimed | UnreadableRow)[]> {
  const { readable, unreadable } = await takeOrders(pool, [...new Set(ids)], leaseMs);
  const taken = [...readable.map(toClaim), ...unreadable];
  const claims = new Map(taken.map((claim) => [claim.id, claim]));
  const missed = ids.filter((id) => !claims.has(id));
  const leases = missed.length === 0 ? new Map<number, number>() : await leasesOf(pool, missed);
  return ids.map((id) => {
    const claim = claims.get(id);
    // Claimed twice in one batch: the first call gets it.
    if (claim !== undefined) claims.delete(id);
    const untilMs = leases.get(id) ?? (claim === undefined && taken.some((one) => one.id === id) ? Date.now() + leaseMs : undefined);
    return claim ?? (untilMs === undefined ? { kind: 'missing' } : { kind: 'leased', untilMs });
  });
}

/**
 * Read once they are taken: the statement that takes a row may have waited for it, and sees the other tables as they were before, so that a revision would
 * come with the facts of the one before it.
 */
async function takeOrders(pool: Pool, ids: readonly number[], leaseMs: number): Promise<ReadEach<ClaimedRow>> {
  const taken = await readRows(pool, takenRows, {
    name: 'claim',
    text: `with free as (select o.id from ${IDS_OF_JSON} join orders o using (id) where o.lease_until is null or o.lease_until < now() order by o.id for update of o skip locked)
      update orders o set fence = o.fence + 1, lease_until = now() + $2 * interval '1 ms' from free where o.id = free.id returning o.id, o.fence`,
    values: [JSON.stringify(ids), leaseMs],
  });
  if (taken.length === 0) return { readable: [], unreadable: [] };
  return readClaimed(pool, taken);
}

async function leasesOf(pool: Pool, ids: number[]): Promise<Map<number, number>> {
  const rows = await readRows(pool, leaseRows, { text: 'select id, lease_until from orders where id = any($1)', values: [ids] });
  // Without a lease the row was only locked, by a recorder that is done in a moment.
  return new Map(rows.map(({ id, lease_until }) => [id, lease_until === null ? Date.now() : Date.parse(lease_until)]));
}

const WAS = 'o.revision as was_revision, o.state as was_state, o.review_code as was_review_code, o.review_detail as was_review_detail';

/** Newer facts came, and they do not answer what a person was asked before. */
const STILL_ASKED = `(o.revision > x.revision and o.${REVIEW_REVISION} >= o.revision)`;

const IS_OVER: Written = { owned: false, newer: false, dueAt: null, isOver: true };

/** What is left out because of a trial is left out only while it lasts. */
async function writeOnTrial(pool: Pool, { connectionId, ...input }: WriteInput & { connectionId: string }, leaseMs: number): Promise<Written> {
  return (await whileOnTrial(pool, connectionId, (tx) => writeOrders(tx, [input], leaseMs)))?.[0] ?? IS_OVER;
}

async function writeOrders(pool: Queryable, inputs: WriteInput[], leaseMs: number): Promise<Written[]> {
  const rows = await readRows(pool, writtenRows, {
    name: 'write',
    text: `with given as (select * from jsonb_to_recordset($1) as x(id bigint, fence int, revision int, step jsonb, sets_standing boolean, is_of_step boolean, record jsonb, compliance_id text,
        destination uuid, sets_receipt boolean, receipt jsonb, mapping jsonb, sets_previous boolean, previous jsonb, sets_uncertain boolean, uncertain jsonb, sets_open boolean, open_step jsonb, state text, sets_review boolean, review_code text,
        review_detail text, noted_detail text, recorded_revision int, review_revision int, reopens boolean, state_if_newer text, attempts int, due_ms float8, keep boolean)),
      x as materialized (${lockClaimed(WAS)}),
      done as (update orders o set
        record = case when x.is_of_step then x.step -> 'seq' when x.sets_standing then x.record else o.record end,
        compliance_id = case when x.sets_standing then x.compliance_id else o.compliance_id end,
        record_destination = case when x.sets_standing then x.destination else o.record_destination end,
        receipt = case when x.sets_receipt then x.receipt else o.receipt end,
        mapping = coalesce(o.mapping, x.mapping),
        previous = case when x.sets_previous then x.previous else o.previous end,
        uncertain = case when x.sets_uncertain then x.uncertain else o.uncertain end,
        open_step = case when x.sets_open then ${stepOver('x.open_step', 'o')} else o.open_step end,
        state = case when ${STILL_ASKED} then o.state when o.revision > x.revision then x.state_if_newer else x.state end,
        review_code = case when ${STILL_ASKED} then o.review_code when o.revision > x.revision then null when x.sets_review then x.review_code else o.review_code end,
        review_detail = case when ${STILL_ASKED} then o.review_detail when o.revision > x.revision then null when x.sets_review then x.review_detail else o.review_detail end,
        recorded_revision = case when x.reopens then least(o.recorded_revision, o.revision - 1) else greatest(o.recorded_revision, x.recorded_revision) end,
        ${REVIEW_REVISION} = case when x.reopens then least(o.${REVIEW_REVISION}, o.revision - 1) else greatest(o.${REVIEW_REVISION}, x.review_revision) end,
        dirty_since = case when x.reopens then coalesce(o.dirty_since, now()) when o.revision > greatest(o.recorded_revision, o.${REVIEW_REVISION}, x.recorded_revision, x.review_revision) then o.dirty_since end,
        attempts = case when o.revision > x.revision then o.attempts else coalesce(x.attempts, o.attempts) end,
        due_at = case when o.revision > x.revision then o.due_at else coalesce(now() + x.due_ms * interval '1 ms', o.due_at) end, updated_at = now(),
        lease_until = case when x.keep then now() + $2 * interval '1 ms' end
        from x where o.id = x.id and o.fence = x.fence
        returning case when x.compliance_id is not null and o.delivered_at is not null then o.id end as delivered, o.id, o.revision > x.revision as newer, o.due_at, o.connection_id, o.revision, o.state, o.review_code, o.review_detail,
          was_revision, was_state, was_review_code, was_review_detail),
      ended as (update steps s set outcome = x.step ->> 'outcome', status = (x.step ->> 'status')::int, detail = x.step ->> 'detail',
          compliance_id = coalesce(x.step ->> 'complianceId', s.compliance_id), ended_at = now()
        from x join done on done.id = x.id where x.step is not null and s.order_ref = x.id and s.seq = (x.step ->> 'seq')::int),
      noted as (${WRITE_REVIEW_ACTS}),
      outbox_job as (${reportDeliveryOf('select delivered from done where delivered is not null')})
      select id, newer, due_at from done`,
    values: [jsonText(inputs.map(writtenColumns)), leaseMs],
  });
  const done = new Map(rows.map((row) => [row.id, row]));
  return inputs.map(({ claim }) => {
    const row = done.get(claim.id);
    return { owned: row !== undefined, newer: row?.newer ?? false, dueAt: row === undefined || row.due_at === null ? null : Date.parse(row.due_at) };
  });
}

async function mergeFetched(pool: Pool, { claim, news }: { claim: Claim; news: Facts }): Promise<Pick<Claim, 'facts' | 'revision'> | null> {
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, claimedRow, {
      text: 'select id, revision from orders where id = $1 and fence = $2 for update',
      values: [claim.id, claim.fence],
    });
    if (row === null) return null;
    const known = await readFacts(tx, claim.id);
    // The store has given the id to another order, and knows nothing of this one any more.
    const isRecorded = claim.current !== null || claim.previous !== null || claim.openStep !== null;
    if (isAnother({ facts: known, isRecorded }, news)) return { facts: known, revision: row.revision };
    const facts = merge(known, news);
    const { customer, ...stored } = facts;
    await writeFacts(tx, claim.id, stored);
    await writeBuyer(tx, { id: claim.id, before: known.customer, after: customer });
    await markSearchStale(tx, claim.id);
    return { facts, revision: row.revision };
  });
}

/** One transition of an attempt as the columns that its statement reads; what is absent stays as it is. When it is due is a span: clocks differ. */
function writtenColumns({ claim, write, sent }: WriteInput) {
  const { step, current, receipt, mapping, previous, uncertain, openStep, state, review, recordedRevision, reviewRevision, reopens, attempts, dueAt, keep } =
    write;
  return {
    id: claim.id,
    fence: claim.fence,
    revision: claim.revision,
    step: step ?? null,
    ...currentColumns(current, sent),
    sets_receipt: receipt !== undefined || current !== undefined,
    receipt: receipt ?? null,
    mapping: mapping ?? null,
    sets_previous: previous !== undefined,
    previous: previous ?? null,
    sets_uncertain: uncertain !== undefined,
    uncertain: uncertain ?? null,
    sets_open: openStep !== undefined,
    open_step: openStep == null ? null : withoutRecord(openStep),
    state,
    state_if_newer: pendingState(state),
    ...reviewColumns(review),
    recorded_revision: recordedRevision ?? 0,
    review_revision: reviewRevision ?? 0,
    reopens: reopens ?? false,
    attempts: attempts ?? null,
    due_ms: dueAt === undefined ? null : dueAt - Date.now(),
    keep: keep ?? false,
  };
}

function reviewColumns(review: Write['review']) {
  return {
    sets_review: review !== undefined,
    review_code: review?.code ?? null,
    review_detail: review?.detail ?? null,
    noted_detail: review == null ? null : ownWords(review),
  };
}

function currentColumns(current: Write['current'], sent: Step | undefined) {
  const isOfStep = sent?.kind === 'create' && current?.record === sent.record;
  return {
    sets_standing: current !== undefined,
    is_of_step: isOfStep,
    record: isOfStep ? null : (current?.record ?? null),
    compliance_id: current?.complianceId ?? null,
    destination: current?.destinationId ?? null,
  };
}

const otherOrderRows = rowsOf('orders', z.object({ id: z.int(), orderId: z.string(), connectionId: z.string() }));

/**
 * Which other order of the shop has this record; where the service named none, which one has a record under the claimed order's id. The claimed order itself,
 * if it had the record deleted: a later create of it did not make it. By `coalesce`, its steps are always read by their key.
 */
async function otherOrderIn(pool: Pool, { id, key }: Claim, complianceId: string | null): Promise<OtherOrder | null> {
  return readRow(pool, otherOrderRows, {
    text: `select id, order_id as "orderId", connection_id as "connectionId" from orders
      where shop_id = $1 and id <> $2 and (compliance_id = $3 or ($3::text is null and compliance_id is not null and order_id = $4))
      union all select id, order_id, connection_id from orders o
      where id = $2 and coalesce(exists (select from steps s where s.order_ref = o.id and s.kind = 'delete' and s.compliance_id = $3), false)
      order by id limit 1`,
    values: [key.shopId, id, complianceId, key.orderId],
  });
}

/** Does the work while the connection is on trial, which nobody can end meanwhile. Null: the trial is over, and nothing was done. */
function whileOnTrial<Done>(pool: Pool, connectionId: string, work: (tx: Queryable) => Promise<Done>): Promise<Done | null> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query('select from connections where id = $1 and trial_since is not null for share', [connectionId]);
    return rowCount === 0 ? null : work(tx);
  });
}
