import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { LateReplyOf } from '../../delivery/attempt-ports.ts';
import { type LateNews, lateNews } from '../../order/decisions/late-reply.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { jsonText } from '../json-columns.ts';
import { orderState, REEVALUATED, REVIEW_REVISION, storedCode, TAKEN } from '../order-columns.ts';
import { outboxJobsOfRecord } from '../outbox-job-store.ts';
import { type ReviewCause, reviewActs } from './review-acts.ts';

const lateRow = rowsOf(
  'orders',
  z.object({
    ...{ id: z.int(), connectionId: z.string(), state: orderState, code: storedCode.nullable() },
    ...{
      complianceId: z.string().nullable(),
      openStep: z.object({ seq: z.int() }).nullable(),
      isDoubled: z.boolean(),
      isKnown: z.boolean(),
      isRepeated: z.boolean(),
      isEnded: z.boolean(),
    },
  }),
);

/** Writes a reply that came after the lease was lost: what it says is true all the same. */
export async function recordLateReply(pool: Pool, reply: LateReplyOf): Promise<void> {
  await inTransaction(pool, async (tx) => {
    // By a statement of its own: one that waits for the lock sees the steps as they were before.
    await tx.query('select from orders where id = $1 for update', [reply.orderId]);
    const row = await readRow(tx, lateRow, {
      text: `select o.id, o.connection_id as "connectionId", o.state, o.review_code as code, o.compliance_id as "complianceId", o.open_step as "openStep", coalesce(o.state = 'review' and o.review_code = 'record.doubled', false) as "isDoubled",
         exists (select from steps s where s.order_ref = o.id and s.compliance_id = $2 and s.outcome in ('recorded', 'deleted', 'gone')) as "isKnown",
         coalesce((select s.attempts > 1 from steps s where s.order_ref = o.id and s.seq = $3), false) as "isRepeated",
         coalesce((select s.outcome in ('recorded', 'deleted', 'gone', 'receipt-got', 'receipt-refused') from steps s where s.order_ref = o.id and s.seq = $3), false) as "isEnded"
       from orders o where o.id = $1`,
      values: [reply.orderId, reply.end.complianceId, reply.end.seq],
    });
    if (row === null) return;
    const news = lateNews(row, reply, Date.now());
    if (!row.isEnded) await endStep(tx, reply);
    else if (news.is === 'recorded' || news.is === 'doubled') await addStep(tx, reply);
    await writeNews(tx, { id: reply.orderId, news, isDoubled: row.isDoubled });
    await writeBridgeActs(tx, reviewActs(row, row, askedAfter(news, row)));
  });
}

function askedAfter(news: LateNews, { state, code, isDoubled }: z.output<typeof lateRow.schema>): ReviewCause {
  if (news.is === 'doubled') return { state: 'review', code: 'record.doubled', detail: news.detail };
  return news.is === 'nothing' || isDoubled ? { state, code } : { state: 'queued', code: null };
}

async function endStep(tx: Queryable, { orderId, end }: LateReplyOf): Promise<void> {
  await tx.query(
    'update steps set outcome = $3, status = $4, detail = $5, compliance_id = coalesce($6, compliance_id), ended_at = now() where order_ref = $1 and seq = $2',
    [orderId, end.seq, end.outcome, end.status, end.detail, end.complianceId],
  );
}

/** The step's row says what became of its repeat; this record gets a row of its own, or nobody could find and delete it. */
async function addStep(tx: Queryable, { orderId, end }: LateReplyOf): Promise<void> {
  await tx.query(
    `with o as (update orders set step_seq = step_seq + 1 where id = $1 returning id, step_seq)
     insert into steps (order_ref, seq, kind, revision, destination_id, record, idempotency_key, began_at, outcome, status, detail, compliance_id, ended_at)
     select o.id, o.step_seq, s.kind, s.revision, s.destination_id, s.record, s.idempotency_key, s.began_at, $3, $4, $5, $6, now()
     from o join steps s on s.order_ref = o.id and s.seq = $2`,
    [orderId, end.seq, end.outcome, end.status, end.detail, end.complianceId],
  );
}

async function writeNews(tx: Queryable, { id, news, isDoubled }: { id: number; news: LateNews; isDoubled: boolean }): Promise<void> {
  // An order that needs review as doubled stays so, even after another late reply: its other record must not be forgotten.
  const again = isDoubled ? TAKEN : `${REEVALUATED}, ${TAKEN}`;
  switch (news.is) {
    case 'nothing':
      return;
    case 'not-recorded':
      await tx.query(`update orders set open_step = null, ${again} where id = $1`, [id]);
      return;
    case 'recorded': {
      const { record, complianceId, destinationId } = news.current;
      const receipt = news.receipt === null ? null : jsonText(news.receipt);
      await tx.query(
        `update orders set record = $2, compliance_id = $3, record_destination = $4, receipt = $5, open_step = null, uncertain = null, ${again} where id = $1`,
        [id, jsonText(record), complianceId, destinationId, receipt],
      );
      await outboxJobsOfRecord(tx, id);
      return;
    }
    case 'doubled':
      await tx.query(
        `update orders set state = 'review', review_code = 'record.doubled',
           review_detail = case when review_code = 'record.doubled' then review_detail || '; ' else '' end || $2, ${REVIEW_REVISION} = revision, ${TAKEN}
         where id = $1`,
        [id, news.detail],
      );
      return;
    case 'deleted':
      await tx.query(
        `update orders set previous = coalesce(previous, record), record = null, compliance_id = null, record_destination = null, receipt = null, open_step = null,
           uncertain = $2, ${again} where id = $1`,
        [id, news.uncertain === null ? null : jsonText(news.uncertain)],
      );
  }
}
