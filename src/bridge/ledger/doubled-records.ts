import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { Receipt, Standing } from '../order/decisions/claim.ts';
import type { StepEnd } from '../order/decisions/step.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { jsonText } from './json-columns.ts';
import { TAKEN } from './order-columns.ts';
import { outboxJobsOfRecord } from './outbox-job-store.ts';

const madeRows = rowsOf('steps', z.object({ complianceId: z.string(), destinationId: z.string(), record: taxRecord, at: z.string(), isCurrent: z.boolean() }));

/** A record that was made for an order and, as far as the journal knows, not deleted. `isCurrent`: the order stands for it. */
export type MadeRecord = z.output<typeof madeRows.schema>;

/** The records of an order, the oldest first: two, if it is recorded twice. */
export function recordsMade(pool: Pool, id: number): Promise<MadeRecord[]> {
  return readRows(pool, madeRows, {
    text: `select * from (
        select distinct on (s.compliance_id) s.compliance_id as "complianceId", s.destination_id as "destinationId", s.record, coalesce(s.ended_at, s.began_at) as at,
          s.compliance_id is not distinct from o.compliance_id as "isCurrent"
        from steps s join orders o on o.id = s.order_ref
        where s.order_ref = $1 and s.kind = 'create' and s.compliance_id is not null and s.record is not null and not exists (
          select from steps d where d.order_ref = s.order_ref and d.kind = 'delete' and d.compliance_id = s.compliance_id and d.outcome in ('deleted', 'gone'))
        order by s.compliance_id, s.seq desc) made order by at`,
    values: [id],
  });
}

/** `kept`: what the order stands for from then on, if it stood for the one that is deleted; null: it stays as it is. */
export type BeginDelete = { id: number; record: MadeRecord; kept: { standing: Standing; receipt: Receipt | null } | null; by: Actor; why?: string };

const begunRow = rowsOf('orders', z.object({ seq: z.int(), revision: z.int(), connectionId: z.string() }));

/** Journals the delete of one of two records before it is sent. Null: the order has changed meanwhile, or a worker has it. */
export async function beginDelete(pool: Pool, { id, record, kept, by, why }: BeginDelete): Promise<number | null> {
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, begunRow, {
      text: `update orders set step_seq = step_seq + 1, ${TAKEN}
        where id = $1 and state = 'review' and review_code = 'record.doubled' and (lease_until is null or lease_until < now())
          and (compliance_id is not distinct from $2) = $3 returning step_seq as seq, revision, connection_id as "connectionId"`,
      values: [id, record.complianceId, record.isCurrent],
    });
    if (row === null) return null;
    if (kept !== null) await hold(tx, id, kept);
    await tx.query(`insert into steps (order_ref, seq, kind, revision, destination_id, compliance_id) values ($1, $2, 'delete', $3, $4, $5)`, [
      ...[id, row.seq, row.revision],
      ...[record.destinationId, record.complianceId],
    ]);
    const named = { connectionId: row.connectionId, orderRef: id, subject: record.complianceId, ...(why === undefined ? {} : { why }) };
    await writeBridgeActs(tx, [
      { who: by, act: 'record.deleted', ...named, ...(kept === null ? {} : { after: { complianceId: kept.standing.complianceId } }) },
    ]);
    return row.seq;
  });
}

async function hold(tx: Queryable, id: number, { standing, receipt }: NonNullable<BeginDelete['kept']>): Promise<void> {
  const { record, complianceId, destinationId } = standing;
  const values = [id, jsonText(record), complianceId, destinationId, receipt === null ? null : jsonText(receipt)];
  await tx.query('update orders set record = $2, compliance_id = $3, record_destination = $4, receipt = $5 where id = $1', values);
  await outboxJobsOfRecord(tx, id);
}

/** What the service answered to it. */
export async function endDelete(pool: Pool, id: number, { seq, outcome, status, detail }: StepEnd): Promise<void> {
  await pool.query('update steps set outcome = $3, status = $4, detail = $5, ended_at = now() where order_ref = $1 and seq = $2', [
    ...[id, seq],
    ...[outcome, status, detail],
  ]);
}
