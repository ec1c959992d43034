import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const request = z.object({
  seq: z.int(),
  kind: z.enum(['create', 'delete', 'receipt']),
  outcome: z.string().nullable(),
  status: z.int().nullable(),
  detail: z.string().nullable(),
  attempts: z.int(),
  complianceId: z.string().nullable(),
  at: z.string(),
  endedAt: z.string().nullable(),
  record: taxRecord.nullable(),
});
const outboxJob = z.object({
  kind: z.string(),
  madeAt: z.string(),
  isDue: z.boolean(),
  attempts: z.int(),
  problem: z.string().nullable(),
  detail: z.string().nullable(),
});
const requests = rowsOf('steps', request);
const outboxJobs = rowsOf('outbox_jobs', outboxJob);

/** A journaled request, with the record that it was about, without the buyer. */
export type KeptRequest = z.output<typeof request>;
/** What the service is still to be told of an order's record. `problem` null: it has not failed. */
export type KeptOutboxJob = z.output<typeof outboxJob>;

export function requestsOfOrder(pool: Pool, id: number): Promise<KeptRequest[]> {
  return readRows(pool, requests, {
    text: `select seq, kind, outcome, status, detail, attempts, compliance_id as "complianceId", began_at as at, ended_at as "endedAt", record
      from steps where order_ref = $1 order by seq`,
    values: [id],
  });
}

export function outboxJobsOfOrder(pool: Pool, id: number): Promise<KeptOutboxJob[]> {
  return readRows(pool, outboxJobs, {
    text: `select kind, made_at as "madeAt", next_at is not null as "isDue", attempts, problem, detail from outbox_jobs where order_ref = $1 order by made_at`,
    values: [id],
  });
}
