import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Standing } from '../order/claim.ts';
import type { Receipt } from '../order/receipt.ts';
import type { Settled } from '../order/settled.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { jsonText } from './json-text.ts';
import { outboxJobsOfRecord } from './outbox-job-store.ts';
import { CLEARED, REPLANNED, TAKEN } from './replan.ts';

/** An order in review as a person saw it, and the word about it; `complianceId`: of the record that it had. */
export type Word = { id: number; connectionId: string; complianceId: string | null; settled: Settled };

/** The record that the order has from now on, made by hand, and its receipt. */
export type ByHand = { standing: Standing; receipt: Receipt | null };

// A worker that has it writes no more: all that it may be doing is to look whether the question is still right, or to request a receipt.
const IN_REVIEW = `o.id = $1 and o.state = 'review' and o.open_step is null and o.revision = ($2::jsonb ->> 'revision')::int
  and o.review_code = $2::jsonb ->> 'code' and o.compliance_id is not distinct from $3`;
const SETTLED = `state = 'settled', settled = $2, ${CLEARED}, recorded_revision = o.revision, dirty_since = null, attempts = 0, previous = null, doubted = null, ${TAKEN}`;
const NOT_ELSEWHERE = 'not exists (select from orders b where b.shop_id = o.shop_id and b.id <> o.id and b.compliance_id = $4)';

const settledRow = rowsOf('orders', z.object({ seq: z.int(), revision: z.int() }));

/** The order is settled as a person said. `made`: a record that it did not have, journaled as a create. False: the order has changed meanwhile. */
export async function settleOrder(pool: Pool, word: Word, made: ByHand | null): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const isSettled = made === null ? await settleAsItIs(tx, word) : await settleByHand(tx, word, made);
    if (isSettled) await writeAct(tx, 'order.settled', word);
    return isSettled;
  });
}

async function settleAsItIs(tx: Queryable, word: Word): Promise<boolean> {
  const { rowCount } = await tx.query(`update orders o set ${SETTLED} where ${IN_REVIEW}`, seen(word));
  return rowCount === 1;
}

async function settleByHand(tx: Queryable, word: Word, { standing, receipt }: ByHand): Promise<boolean> {
  const { record, complianceId, destinationId } = standing;
  const row = await readRow(tx, settledRow, {
    text: `update orders o set ${SETTLED}, compliance_id = $4, record = $5, record_destination = $6, receipt = $7, step_seq = o.step_seq + 1, due_at = now()
      where ${IN_REVIEW} and ${NOT_ELSEWHERE} returning o.step_seq as seq, o.revision`,
    values: [...seen(word), complianceId, jsonText(record), destinationId, receipt === null ? null : jsonText(receipt)],
  });
  if (row === null) return false;
  await outboxJobsOfRecord(tx, word.id);
  await tx.query(
    `insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, outcome, detail, ended_at)
     values ($1, $2, 'create', $3, $4, $5, $6, 'by-hand', 'said by a person', now())`,
    [word.id, row.seq, row.revision, destinationId, jsonText(record), complianceId],
  );
  return true;
}

/** A person says whether a cancelled order is still a sale: it is decided again by that. False: it has changed meanwhile. */
export async function decideRemoval(pool: Pool, word: Word): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(`update orders o set ${REPLANNED}, ${CLEARED}, settled = $2, attempts = 0, ${TAKEN} where ${IN_REVIEW}`, seen(word));
    if (rowCount === 1) await writeAct(tx, 'order.released', word);
    return rowCount === 1;
  });
}

function seen({ id, settled, complianceId }: Word): unknown[] {
  return [id, jsonText(settled), complianceId];
}

async function writeAct(tx: Queryable, act: 'order.settled' | 'order.released', { id, connectionId, settled }: Word): Promise<void> {
  const { how, complianceId, code, who, why } = settled;
  await writeBridgeActs(tx, [{ who, act, connectionId, orderRef: id, before: { state: 'review', code }, after: { how, complianceId }, why }]);
}
