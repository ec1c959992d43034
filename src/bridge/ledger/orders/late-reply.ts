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
      isDeleted: z.boolean(),
      isRepeated: z.boolean(),
    },
  }),
);

/** Writes a reply that came after the lease was lost: what it says is true all the same. */
export async function recordLateReply(pool: Pool, reply: LateReplyOf): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const row = await readRow(tx, lateRow, {
      text: `select id, connection_id as "connectionId", state, review_code as code, compliance_id as "complianceId", open_step as "openStep", coalesce(state = 'review' and review_code = 'record.doubled', false) as "isDoubled",
         exists (select 1 from steps s where s.order_ref = orders.id and s.kind = 'delete' and s.compliance_id = $2 and s.outcome in ('deleted', 'gone')) as "isDeleted",
         coalesce((select s.attempts > 1 from steps s where s.order_ref = orders.id and s.seq = $3), false) as "isRepeated"
       from orders where id = $1 for update`,
      values: [reply.orderId, reply.end.complianceId, reply.end.seq],
    });
    if (row === null) return;
    await endStep(tx, reply);
    const news = lateNews(row, reply, Date.now());
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
