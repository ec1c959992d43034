import { z } from 'zod';
import { type Actor, type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { CurrentRecord } from '../../order/decisions/claim.ts';
import { type CreatedRecord, madeBy } from '../../order/decisions/conclude.ts';
import { stepInDoubt } from '../../order/decisions/late-reply.ts';
import type { CreateStep, DeleteStep, OpenStep } from '../../order/decisions/step.ts';
import type { Resolution } from '../../order/decisions/wanted.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { jsonText } from '../json-columns.ts';
import { CLEARED, openStepOf, orderState, REEVALUATED, storedStep, TAKEN } from '../order-columns.ts';
import { LOCK_ORDER } from '../orders/lock-orders.ts';
import { outboxJobsOfRecord } from '../outbox-job-store.ts';
import { type OrderInReview, reviewRow } from './release-from-review.ts';

/** An order in review as a person saw it, and how they resolved it; `complianceId`: of the record that it had. */
type ResolvedOrder = { id: number; connectionId: string; complianceId: string | null; resolution: Resolution };

// A worker that has it writes no more: all that it may be doing is to look whether the question is still right, or to request a receipt.
const IN_REVIEW = `o.id = $1 and o.state = 'review' and o.open_step is null and o.revision = ($2::jsonb ->> 'revision')::int
  and o.review_code = $2::jsonb ->> 'code' and o.compliance_id is not distinct from $3`;
// Nothing is to be sent of it either: what it would become is not known before.
const RECORDED = `o.id = $1 and o.state = 'recorded' and o.open_step is null and o.revision = ($2::jsonb ->> 'revision')::int
  and o.recorded_revision >= o.revision and o.compliance_id = $3`;
const RESOLVED = `state = 'resolved', resolution = $2, ${CLEARED}, recorded_revision = o.revision, dirty_since = null, attempts = 0, previous = null, uncertain = null, ${TAKEN}`;
const NOT_ELSEWHERE = 'not exists (select from orders b where b.shop_id = o.shop_id and b.id <> o.id and b.compliance_id = $4)';

const resolvedRow = rowsOf('orders', z.object({ seq: z.int(), revision: z.int() }));

/** The order is resolved as a person said. `made`: a record that it did not have, journaled as a create. False: the order has changed meanwhile. */
export async function resolveOrder(pool: Pool, order: ResolvedOrder, made: CreatedRecord | null): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const isResolved = made === null ? await resolveAsItIs(tx, order) : await resolveByHand(tx, order, made);
    if (isResolved) await writeAct(tx, 'order.resolved', order);
    return isResolved;
  });
}

async function resolveAsItIs(tx: Queryable, order: ResolvedOrder): Promise<boolean> {
  const { rowCount } = await tx.query(`update orders o set ${RESOLVED} where ${IN_REVIEW}`, seen(order));
  return rowCount === 1;
}

async function resolveByHand(tx: Queryable, order: ResolvedOrder, { current, receipt }: CreatedRecord): Promise<boolean> {
  const { record, complianceId, destinationId } = current;
  const row = await readRow(tx, resolvedRow, {
    text: `update orders o set ${RESOLVED}, compliance_id = $4, record = $5, record_destination = $6, receipt = $7, step_seq = o.step_seq + 1, due_at = now()
      where ${IN_REVIEW} and ${NOT_ELSEWHERE} returning o.step_seq as seq, o.revision`,
    values: [...seen(order), complianceId, jsonText(record), destinationId, receipt === null ? null : jsonText(receipt)],
  });
  if (row === null) return false;
  await outboxJobsOfRecord(tx, order.id);
  await writeStep(tx, { id: order.id, ...row, kind: 'create', outcome: 'by-hand', detail: 'said by a person', current });
  return true;
}

/** A person says whether an order is still a sale: it is decided again by that. False: it has changed meanwhile. */
export async function decideRemoval(pool: Pool, order: ResolvedOrder): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `update orders o set ${REEVALUATED}, ${CLEARED}, resolution = $2, attempts = 0, ${TAKEN} where ${order.resolution.code === null ? RECORDED : IN_REVIEW}`,
      seen(order),
    );
    if (rowCount === 1) await writeAct(tx, order.resolution.code === null ? 'record.removed' : 'order.released', order);
    return rowCount === 1;
  });
}

function seen({ id, resolution, complianceId }: ResolvedOrder): unknown[] {
  return [id, jsonText(resolution), complianceId];
}

async function writeAct(
  tx: Queryable,
  act: 'order.resolved' | 'order.released' | 'record.removed',
  { id, connectionId, resolution }: ResolvedOrder,
): Promise<void> {
  const { how, complianceId, code, who, why } = resolution;
  const before = code === null ? { state: 'recorded' } : { state: 'review', code };
  await writeBridgeActs(tx, [{ who, act, connectionId, orderRef: id, before, after: { how, complianceId }, why }]);
}
const openRow = rowsOf(
  'orders',
  z.object({ id: z.int(), connectionId: z.string(), state: orderState, isLeased: z.boolean(), openStep: storedStep.nullable() }),
);

type Confirmed = 'confirmed' | 'missing' | 'not-unconfirmed';

/** `seq`: of the step that they saw; the order may have sent another one since. */
type Confirmation = { seq: number | null; recorded: string | null; by: Actor; why?: string };

/** A person reports whether the record of a create or delete of unknown outcome exists; the order is decided anew from there. */
export async function confirmOrder(pool: Pool, id: number, { seq, recorded, by, why }: Confirmation): Promise<Confirmed> {
  return inTransaction(pool, async (tx) => {
    // The journal has the record of the step, as it is once the order is locked.
    await tx.query('select from orders where id = $1 for update', [id]);
    const row = await readRow(tx, openRow, {
      text: `select id, connection_id as "connectionId", state, ${openStepOf('orders')} as "openStep", coalesce(lease_until > now(), false) as "isLeased" from orders where id = $1`,
      values: [id],
    });
    if (row === null) return 'missing';
    const step = stepInDoubt(row);
    if (step === null || step.seq !== seq) return 'not-unconfirmed';
    await (step.kind === 'create' ? confirmCreate(tx, { id, step, recorded }) : confirmDelete(tx, { id, step, recorded }));
    await outboxJobsOfRecord(tx, id);
    const named = { connectionId: row.connectionId, orderRef: id, ...(why === undefined ? {} : { why }) };
    const [before, after] = [{ state: row.state, step: step.kind }, { recorded }];
    await writeBridgeActs(tx, [{ who: by, act: 'order.confirmed', ...named, before, after }]);
    return 'confirmed';
  });
}

type InDoubt<Kind extends OpenStep> = { id: number; step: Kind; recorded: string | null };

const AGAIN = `open_step = null, uncertain = null, attempts = 0, ${REEVALUATED}, ${TAKEN}`;

async function confirmCreate(tx: Queryable, { id, step, recorded }: InDoubt<CreateStep>): Promise<void> {
  const made = recorded === null ? null : madeBy(step, recorded, Date.now());
  await endStep(tx, [id, step.seq, made === null ? 'not-recorded' : 'recorded', recorded]);
  const current = made === null ? [null, null, null] : [jsonText(made.current.record), recorded, made.current.destinationId];
  const receipt = made === null || made.receipt === null ? null : jsonText(made.receipt);
  const values = [id, ...current, receipt];
  await tx.query(`update orders set record = $2, compliance_id = $3, record_destination = $4, receipt = $5, ${AGAIN} where id = $1`, values);
}

/** Its record exists after all, or is gone. */
async function confirmDelete(tx: Queryable, { id, step, recorded }: InDoubt<DeleteStep>): Promise<void> {
  await endStep(tx, [id, step.seq, recorded === null ? 'gone' : 'not-deleted', step.complianceId]);
  if (recorded === null) {
    const nothing = 'record = null, compliance_id = null, record_destination = null, receipt = null';
    await tx.query(`update orders set previous = coalesce(record, previous), ${nothing}, ${AGAIN} where id = $1`, [id]);
    return;
  }
  const values = [id, recorded, step.destinationId];
  const current = 'record = coalesce(record, previous), previous = null, compliance_id = $2, record_destination = $3';
  await tx.query(`update orders set ${current}, ${AGAIN} where id = $1`, values);
}

async function endStep(tx: Queryable, ended: [id: number, seq: number, outcome: string, complianceId: string | null]): Promise<void> {
  await tx.query(`update steps set outcome = $3, compliance_id = $4, detail = 'said by a person', ended_at = now() where order_ref = $1 and seq = $2`, ended);
}

/** Those of these orders that may be released together: each that came under the id of another one is decided by itself. */
export function releasableOf(pool: Pool, ids: readonly number[]): Promise<OrderInReview[]> {
  return readRows(pool, reviewRow, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code from orders o
      where o.id = any($1::bigint[]) and o.state = 'review' and o.review_code <> 'order.other' order by o.id`,
    values: [ids],
  });
}

/** How a person resolves orders that have no record. `at`: ISO instant. */
type ResolutionOfMany = { how: 'not-a-sale' | 'elsewhere'; by: Actor; why: string; at: string };

// As of one order: see `whyNotTaken`.
const MAY_RESOLVE = `o.state = 'review' and o.open_step is null and o.compliance_id is null and o.review_code not in ('order.other', 'record.doubled')`;
const RESOLVED_TOGETHER = `state = 'resolved', ${CLEARED}, recorded_revision = o.revision, dirty_since = null, attempts = 0, previous = null, uncertain = null, ${TAKEN},
  resolution = $2::jsonb || jsonb_build_object('revision', o.revision, 'complianceId', null, 'code', o.review_code)`;

/** Resolves those of these orders that may be; returns which. */
export async function resolveMany(pool: Pool, ids: readonly number[], { how, by, why, at }: ResolutionOfMany): Promise<number[]> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(tx, reviewRow, {
      text: `with was as materialized (
          select o.id, o.review_code as code from orders o where o.id = any($1::bigint[]) and ${MAY_RESOLVE} order by ${LOCK_ORDER} for update of o)
        update orders o set ${RESOLVED_TOGETHER} from was where o.id = was.id returning o.id, o.connection_id as "connectionId", o.number, was.code`,
      values: [ids, JSON.stringify({ how, who: by, why, at })],
    });
    const after = { how, complianceId: null };
    const acts = rows.map(({ id, connectionId, code }) => {
      return { who: by, act: 'order.resolved' as const, connectionId, orderRef: id, before: { state: 'review', code }, after, why };
    });
    await writeBridgeActs(tx, acts);
    return rows.map(({ id }) => id);
  });
}

/** An order as it was read: if anything of it was written since, or a worker has it, nothing is done. */
type Seen = { id: number; version: string };

type Adoption = Seen & CreatedRecord & { said: Authorship };

/** A restored ledger would use the numbers of lost steps again, and with them their idempotency keys. */
const LOST_STEPS = 1_000;
const FROM = `o.id = $1 and o.xmin::text = $2 and (o.lease_until is null or o.lease_until < now())`;
/** Which record must be deleted, and which sale it is, only a person can say. */
const UNDISPUTED = `coalesce(o.review_code, '') not in ('record.doubled', 'order.other')`;
const ADOPTED = `open_step = null, uncertain = null, attempts = 0, step_seq = o.step_seq + ${LOST_STEPS}, ${REEVALUATED}, ${CLEARED}, ${TAKEN}`;

const changed = rowsOf('orders', z.object({ seq: z.int(), revision: z.int(), connectionId: z.string() }));

/** The order belongs to this record from now on, and is decided again from there; journaled as a create. False: it has changed meanwhile. */
export async function adoptRecord(pool: Pool, { id, version, current, receipt, said }: Adoption): Promise<boolean> {
  const { record, complianceId, destinationId } = current;
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, changed, {
      text: `update orders o set record = $3, compliance_id = $4, record_destination = $5, receipt = $6, previous = null, ${ADOPTED}
        where ${FROM} and ${UNDISPUTED} and coalesce(o.open_step ->> 'kind', 'create') = 'create' and not exists (select from orders b where b.shop_id = o.shop_id and b.id <> o.id and b.compliance_id = $4)
        returning o.step_seq as seq, o.revision, o.connection_id as "connectionId"`,
      values: [id, version, jsonText(record), complianceId, destinationId, receipt === null ? null : jsonText(receipt)],
    });
    if (row === null) return false;
    await outboxJobsOfRecord(tx, id);
    await journal(tx, { id, ...row, kind: 'create', outcome: 'adopted', detail: 'found at the service by `orderbridge reconcile`', current });
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'order.adopted', connectionId: row.connectionId, orderRef: id, after: { complianceId } }]);
    return true;
  });
}

/** The service no longer has the order's record: it is decided again without it; journaled as a delete. False: it has changed meanwhile. */
export async function takeBackRecord(pool: Pool, { id, version, current, said }: Omit<Adoption, 'receipt'>): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, changed, {
      text: `update orders o set previous = o.record, record = null, compliance_id = null, record_destination = null, receipt = null, ${ADOPTED}
        where ${FROM} and ${UNDISPUTED} and o.open_step is null and o.compliance_id = $3 returning o.step_seq as seq, o.revision, o.connection_id as "connectionId"`,
      values: [id, version, current.complianceId],
    });
    if (row === null) return false;
    await journal(tx, { id, ...row, kind: 'delete', outcome: 'gone', detail: 'missed at the service by `orderbridge reconcile`', current });
    const { complianceId } = current;
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'order.taken-back', connectionId: row.connectionId, orderRef: id, before: { complianceId } }]);
    return true;
  });
}

type Journaled = { id: number; seq: number; revision: number; kind: 'create' | 'delete'; outcome: string; detail: string; current: CurrentRecord };

async function journal(tx: Queryable, step: Journaled): Promise<void> {
  const { id, outcome, detail } = step;
  await tx.query('update steps set outcome = $2, detail = $3, ended_at = now() where order_ref = $1 and ended_at is null', [id, outcome, detail]);
  await writeStep(tx, step);
}

async function writeStep(tx: Queryable, { id, seq, revision, kind, outcome, detail, current }: Journaled): Promise<void> {
  const { record, complianceId, destinationId } = current;
  await tx.query(
    `insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, outcome, detail, ended_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())`,
    [id, seq, kind, revision, destinationId, kind === 'create' ? jsonText(record) : null, complianceId, outcome, detail],
  );
}
