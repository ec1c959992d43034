import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import type { Receipt, Standing } from '../order/decisions/claim.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { jsonText } from './json-columns.ts';
import { CLEARED, REEVALUATED, TAKEN } from './order-columns.ts';
import { outboxJobsOfRecord } from './outbox-job-store.ts';

/** An order as it was read: if anything of it was written since, or a worker has it, nothing is done. */
export type Seen = { id: number; version: string };

export type Adoption = Seen & { standing: Standing; receipt: Receipt | null; said: Said };

/** A restored ledger would use the numbers of lost steps again, and with them their idempotency keys. */
const LOST_STEPS = 1_000;
const FROM = `o.id = $1 and o.xmin::text = $2 and (o.lease_until is null or o.lease_until < now())`;
/** Which record must be deleted, and which sale it is, only a person can say. */
const UNDISPUTED = `coalesce(o.review_code, '') not in ('record.doubled', 'order.other')`;
const AGAIN = `open_step = null, doubted = null, attempts = 0, step_seq = o.step_seq + ${LOST_STEPS}, ${REEVALUATED}, ${CLEARED}, ${TAKEN}`;

const changed = rowsOf('orders', z.object({ seq: z.int(), revision: z.int(), connectionId: z.string() }));

/** The order stands for this record from now on, and is decided again from there; journaled as a create. False: it has changed meanwhile. */
export async function adoptRecord(pool: Pool, { id, version, standing, receipt, said }: Adoption): Promise<boolean> {
  const { record, complianceId, destinationId } = standing;
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, changed, {
      text: `update orders o set record = $3, compliance_id = $4, record_destination = $5, receipt = $6, previous = null, ${AGAIN}
        where ${FROM} and ${UNDISPUTED} and coalesce(o.open_step ->> 'kind', 'create') = 'create' and not exists (select from orders b where b.shop_id = o.shop_id and b.id <> o.id and b.compliance_id = $4)
        returning o.step_seq as seq, o.revision, o.connection_id as "connectionId"`,
      values: [id, version, jsonText(record), complianceId, destinationId, receipt === null ? null : jsonText(receipt)],
    });
    if (row === null) return false;
    await outboxJobsOfRecord(tx, id);
    await journal(tx, { id, ...row, kind: 'create', outcome: 'adopted', detail: 'found at the service by `orderbridge reconcile`', standing });
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'order.adopted', connectionId: row.connectionId, orderRef: id, after: { complianceId } }]);
    return true;
  });
}

/** The service no longer has the order's record: it is decided again without it; journaled as a delete. False: it has changed meanwhile. */
export async function takeBackRecord(pool: Pool, { id, version, standing, said }: Omit<Adoption, 'receipt'>): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, changed, {
      text: `update orders o set previous = o.record, record = null, compliance_id = null, record_destination = null, receipt = null, ${AGAIN}
        where ${FROM} and ${UNDISPUTED} and o.open_step is null and o.compliance_id = $3 returning o.step_seq as seq, o.revision, o.connection_id as "connectionId"`,
      values: [id, version, standing.complianceId],
    });
    if (row === null) return false;
    await journal(tx, { id, ...row, kind: 'delete', outcome: 'gone', detail: 'missed at the service by `orderbridge reconcile`', standing });
    const { complianceId } = standing;
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'order.taken-back', connectionId: row.connectionId, orderRef: id, before: { complianceId } }]);
    return true;
  });
}

type Journaled = { id: number; seq: number; revision: number; kind: 'create' | 'delete'; outcome: string; detail: string; standing: Standing };

async function journal(tx: Queryable, { id, seq, revision, kind, outcome, detail, standing }: Journaled): Promise<void> {
  const { record, complianceId, destinationId } = standing;
  await tx.query('update steps set outcome = $2, detail = $3, ended_at = now() where order_ref = $1 and ended_at is null', [id, outcome, detail]);
  await tx.query(
    `insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, outcome, detail, ended_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())`,
    [id, seq, kind, revision, destinationId, kind === 'create' ? jsonText(record) : null, complianceId, outcome, detail],
  );
}
