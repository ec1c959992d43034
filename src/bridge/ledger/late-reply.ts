import type { TaxRecord } from '../../contract/record.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import type { LateReply } from '../delivery/visit-ports.ts';
import { receiptDue } from '../order/receipt.ts';
import type { OpenStep } from '../order/step.ts';
import { jsonText } from './json-text.ts';

type Row = { id: number; record: TaxRecord | null; compliance_id: string | null; open_step: OpenStep | null; doubled: boolean };

/** Plans again from here; whoever holds a claim loses it. */
const REPLAN = `recorded_revision = least(recorded_revision, revision - 1), held_revision = least(held_revision, revision - 1), fence = fence + 1, lease_until = null,
  due_at = now(), dirty_since = coalesce(dirty_since, now()), updated_at = now()`;

// An order that is parked as doubled stays so, whatever else comes to light: its other record must not be forgotten.
function planAgain({ doubled }: Row): string {
  return doubled ? 'fence = fence + 1, lease_until = null, updated_at = now()' : `state = 'queued', ${REPLAN}`;
}

/** Writes a reply that came after the lease was lost: what it says is true all the same. */
export async function recordLateReply(pool: Pool, reply: LateReply): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Row>(
      `select id, record, compliance_id, open_step, state = 'parked' and parked_code = 'record.doubled' as doubled from orders where id = $1 for update`,
      [reply.orderId],
    );
    const row = rows[0];
    if (row === undefined) return;
    await endStep(tx, reply);
    // A receipt that the service gave to nobody is asked for again.
    if (reply.recorded === 'unknown' || reply.step.kind === 'receipt') return;
    await (reply.step.kind === 'create' ? lateCreate(tx, row, reply) : lateDelete(tx, row, reply));
  });
}

async function endStep(tx: Queryable, { orderId, end }: LateReply): Promise<void> {
  await tx.query(
    'update steps set outcome = $3, status = $4, detail = $5, compliance_id = coalesce($6, compliance_id), ended_at = now() where order_ref = $1 and seq = $2',
    [orderId, end.seq, end.outcome, end.status, end.detail, end.complianceId],
  );
}

async function lateCreate(tx: Queryable, row: Row, { step, end, recorded }: LateReply): Promise<void> {
  if (step.kind !== 'create') return;
  const stillOpen = row.open_step?.seq === step.seq;
  if (recorded === 'no') {
    if (stillOpen) await tx.query(`update orders set open_step = null, ${planAgain(row)} where id = $1`, [row.id]);
    return;
  }
  if (row.compliance_id === end.complianceId) return;
  if (row.compliance_id === null && (stillOpen || row.open_step === null)) {
    await tx.query(
      `update orders set record = $2, compliance_id = $3, record_destination = $4, receipt = $5, open_step = null, ${planAgain(row)} where id = $1`,
      [
        row.id,
        jsonText(step.record),
        end.complianceId,
        step.destinationId,
        step.receipt === true && end.complianceId !== null ? jsonText(receiptDue(end.complianceId, Date.now())) : null,
      ],
    );
    return;
  }
  await tx.query(
    `update orders set state = 'parked', parked_code = 'record.doubled',
       parked_detail = case when parked_code = 'record.doubled' then parked_detail || '; ' else '' end || $2, held_revision = revision, fence = fence + 1, lease_until = null, updated_at = now()
     where id = $1`,
    [row.id, `recorded once more as ${end.complianceId}, which came to light only now; it must not stand beside ${row.compliance_id ?? 'the one being sent'}`],
  );
}

async function lateDelete(tx: Queryable, row: Row, { step, end }: LateReply): Promise<void> {
  const deleted = end.outcome === 'deleted' || end.outcome === 'gone';
  if (step.kind !== 'delete' || !deleted || row.compliance_id !== step.complianceId) return;
  await tx.query(
    `update orders set previous = coalesce(previous, record), record = null, compliance_id = null, record_destination = null, receipt = null, open_step = null, ${planAgain(row)} where id = $1`,
    [row.id],
  );
}
