import { z } from 'zod';
import { taxRecord } from '../../../contract/record.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { OUTBOX_KINDS } from '../../delivery/outbox-jobs.ts';
import { BRIDGE_AUDIT_LOG, type BridgeAct } from '../bridge-acts.ts';
import { IS_REQUEST, NOT_TAKEN } from '../counts/count-hours.ts';
import { keptStep, STEP_COLUMNS } from '../orders/read-orders.ts';
import { PROBLEM } from '../outbox-job-store.ts';

const requestRows = rowsOf(
  'steps',
  z.object({
    orderRef: z.int(),
    number: z.string().nullable(),
    orderId: z.string(),
    storeName: z.string(),
    kind: z.string(),
    at: z.string(),
    /** Null: it is not answered yet. */
    outcome: z.string().nullable(),
    /** Null: no answer came, or no request was made. */
    status: z.int().nullable(),
    /** From the first sending to the answer; null: it is not answered yet. */
    ms: z.int().nullable(),
    attempts: z.int(),
  }),
);
const paceRows = rowsOf('steps', z.object({ destinationId: z.string(), requests: z.int(), failed: z.int() }));
const probe = z.object({ status: z.int().nullable(), ms: z.int(), detail: z.string() });
const lastProbe = z.object({ at: z.string(), who: z.string(), after: probe });
const probeRows = rowsOf('acts', lastProbe.extend({ subject: z.string() }));

/** A journaled request to a compliance service, without what it said. */
export type LoggedRequest = z.output<typeof requestRows.schema>;

/** The newest first; only those that began from an instant until before another, ISO; null: any. */
export function lastRequests(
  pool: Pool,
  destinationId: string,
  { limit, from, until }: { limit: number; from: string | null; until: string | null },
): Promise<LoggedRequest[]> {
  return readRows(pool, requestRows, {
    text: `select s.order_ref as "orderRef", o.number, o.order_id as "orderId", c.name as "storeName", s.kind, s.began_at as at, s.outcome, s.status, s.attempts,
        round(extract(epoch from s.ended_at - s.began_at) * 1000)::int as ms
      from steps s join orders o on o.id = s.order_ref join connections c on c.id = o.connection_id
      where s.destination_id = $1 and s.began_at >= coalesce($3::timestamptz, '-infinity') and s.began_at < coalesce($4::timestamptz, 'infinity')
      order by s.began_at desc limit $2`,
    values: [destinationId, limit, from, until],
  });
}

/** So many requests of an hour are counted. */
export const MOST_COUNTED = 5_000;

/** Requests of the last hour by destination, and how many of them were not taken; one without any is absent. */
export function lastHour(pool: Pool): Promise<z.output<typeof paceRows.schema>[]> {
  return readRows(pool, paceRows, {
    text: `select d.id as "destinationId", own.requests, own.failed from destinations d cross join lateral (
        select count(*)::int as requests, count(*) filter (where ${NOT_TAKEN})::int as failed
        from (select status, outcome from steps where ${IS_REQUEST} and destination_id = d.id and began_at > now() - interval '1 hour' and ended_at is not null
          order by began_at desc limit $1) s) own
      where own.requests > 0`,
    values: [MOST_COUNTED],
  });
}

/** What a destination answered when somebody asked it last, of the last day. `status` null: it did not answer. */
export type LastProbe = z.output<typeof lastProbe>;

const PROBED: BridgeAct = 'destination.probed';

/** By the ids of all that were asked. */
export async function lastProbes(pool: Pool): Promise<ReadonlyMap<string, LastProbe>> {
  const rows = await readRows(pool, probeRows, {
    text: `select distinct on (subject) subject, at, who, after from ${BRIDGE_AUDIT_LOG.schema}.acts where at > now() - interval '1 day' and act = $1 order by subject, at desc, id desc`,
    values: [PROBED],
  });
  return new Map(rows.map(({ subject, ...one }) => [subject, one]));
}

const request = keptStep.extend({ record: taxRecord.nullable() });
const outboxJob = z.object({
  kind: z.string(),
  madeAt: z.string(),
  isDue: z.boolean(),
  attempts: z.int(),
  problem: z.string().nullable(),
  detail: z.string().nullable(),
});
const requests = rowsOf('steps', request);
const outboxJobs = rowsOf('jobs', outboxJob);

/** A journaled request, with the record that it was about, without the buyer. */
export type KeptRequest = z.output<typeof request>;
/** What the service is still to be told of an order's record. `problem` null: it has not failed. */
export type KeptOutboxJob = z.output<typeof outboxJob>;

export function requestsOfOrder(pool: Pool, id: number): Promise<KeptRequest[]> {
  return readRows(pool, requests, { text: `select ${STEP_COLUMNS}, record from steps where order_ref = $1 order by seq`, values: [id] });
}

export function outboxJobsOfOrder(pool: Pool, id: number): Promise<KeptOutboxJob[]> {
  return readRows(pool, outboxJobs, {
    text: `select j.kind, j.made_at as "madeAt", j.due_at is not null as "isDue", j.attempts, ${PROBLEM} as problem, case when j.due_at is not null then j.error end as detail
      from jobs j where j.kind = any($1) and j.key = $2 order by j.made_at`,
    values: [OUTBOX_KINDS, String(id)],
  });
}
