import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { receiptDue } from '../order/receipt.ts';
import type { OpenStep } from '../order/step.ts';
import { jsonText } from './json-text.ts';

export type Resolution = { recorded: string } | { recorded: null };
export type Resolved = 'resolved' | 'missing' | 'not-unconfirmed';

/** A person says what became of a create whose reply was lost; the order is planned again from there. */
export async function resolveOrder(pool: Pool, id: number, { recorded }: Resolution): Promise<Resolved> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ state: string; leased: boolean; open_step: OpenStep | null }>(
      'select state, open_step, coalesce(lease_until > now(), false) as leased from orders where id = $1 for update',
      [id],
    );
    const row = rows[0];
    if (row === undefined) return 'missing';
    // A create that is under way answers for itself.
    if (row.state !== 'unconfirmed' || row.leased || row.open_step?.kind !== 'create') return 'not-unconfirmed';
    const { record, seq, destinationId, receipt } = row.open_step;
    const due = receipt === true && recorded !== null ? jsonText(receiptDue(recorded, Date.now())) : null;
    await tx.query(`update steps set outcome = $3, compliance_id = $4, detail = 'said by a person', ended_at = now() where order_ref = $1 and seq = $2`, [
      id,
      seq,
      recorded === null ? 'not-recorded' : 'recorded',
      recorded,
    ]);
    await tx.query(
      `update orders set open_step = null, record = $2, compliance_id = $3, record_destination = $4, receipt = $5, state = 'queued', recorded_revision = least(recorded_revision, revision - 1),
         held_revision = 0, fence = fence + 1, lease_until = null, attempts = 0, due_at = now(), dirty_since = coalesce(dirty_since, now()), updated_at = now() where id = $1`,
      recorded === null ? [id, null, null, null, null] : [id, jsonText(record), recorded, destinationId, due],
    );
    return 'resolved';
  });
}
