import { z } from 'zod';
import { type Job, jobsOf } from '../../../platform/jobs/job-store.ts';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { ALERT_KINDS, type AlertMessage, alertBody } from '../../alerts/alert.ts';
import { type ClaimedAlert, type SendAlertsDeps, type TriedAlert, UNSENT_MS } from '../../alerts/send-alerts.ts';
import { jsonText } from '../json-columns.ts';

const message = z.object({
  id: z.string(),
  channel: z.string(),
  kind: z.enum(ALERT_KINDS),
  body: alertBody,
  attempts: z.int(),
  createdAt: z.string(),
});
const claimedRows = rowsOf('alert_messages', message satisfies z.ZodType<ClaimedAlert>);

const WAITS = 'sent_at is null and failed_at is null';

/** Puts messages into the outbox, within the transaction of what they tell of. */
export async function queueAlerts(tx: Queryable, messages: readonly AlertMessage[], now: Date): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(
    `with messages as (insert into alert_messages (id, channel, kind, body, created_at)
       select id, channel, kind, body, $2::timestamptz from json_to_recordset($1::json) as m (id uuid, channel text, kind text, body jsonb) returning channel)
     ${jobsOf('alerts', 'select distinct channel as key from messages', { keepsWait: true })}`,
    [jsonText(messages), now],
  );
}

/** The outbox of alerts. Any number of processes may send; each channel is used by one of them. */
export function createAlertOutbox(db: Queryable): SendAlertsDeps['ledger'] & { prune(kept: { days: number; now: Date }): Promise<void> } {
  return {
    next: ({ id, key: channel, lease }: Job) =>
      readRow(db, claimedRows, {
        text: `update alert_messages set attempts = attempts + 1 where id = (
            select id from alert_messages where channel = $1 and ${WAITS} order by created_at, kind, id limit 1)
            and exists (select from jobs j where j.id = $2 and j.lease = $3)
          returning id, channel, kind, body, attempts, ${isoText('created_at')} as "createdAt"`,
        values: [channel, id, lease],
      }),
    note: (tried, now) => note(db, tried, now),
    // What waits longer is of a channel that is not configured any more.
    prune: async ({ days, now }) => {
      await db.query(
        `delete from alert_messages where created_at < $1::timestamptz - case when ${WAITS} then $3 * interval '1 ms' else $2 * interval '1 day' end`,
        [now, days, UNSENT_MS],
      );
    },
  };
}

// The count of attempts is the fence: who lost the lease writes nothing.
async function note(db: Queryable, { alert, state, error }: TriedAlert, now: Date): Promise<void> {
  await db.query(
    `update alert_messages set last_error = $3, sent_at = case when $4 = 'sent' then $5::timestamptz end,
       failed_at = case when $4 = 'failed' then $5::timestamptz end where id = $1 and attempts = $2 and ${WAITS}`,
    [alert.id, alert.attempts, error, state, now],
  );
}

/** A test that was sent at once is kept with the others: a channel that took it is not broken any more. */
export async function keepTest(db: Queryable, { message, error }: { message: AlertMessage; error: string | null }, now: Date): Promise<void> {
  await db.query(
    `insert into alert_messages (id, channel, kind, body, created_at, attempts, sent_at, failed_at, last_error)
     values ($1, $2, $3, $4, $5, 1, case when $6::text is null then $5::timestamptz end, case when $6::text is not null then $5::timestamptz end, $6)`,
    [message.id, message.channel, message.kind, jsonText(message.body), now, error],
  );
}

const countRow = rowsOf('alert_messages', z.object({ waiting: z.int(), failed: z.int() }));

/** Messages that wait to be sent, and those of the last day that were given up. */
export function countAlerts(db: Queryable): Promise<z.output<typeof countRow.schema>> {
  return readOne(db, countRow, {
    text: `select count(*) filter (where ${WAITS})::int as waiting, count(*) filter (where failed_at > now() - interval '1 day')::int as failed
      from alert_messages`,
  });
}

const listedRows = rowsOf(
  'alert_messages',
  message.extend({
    sentAt: z.string().nullable(),
    failedAt: z.string().nullable(),
    lastError: z.string().nullable(),
  }),
);
export type ListedAlert = z.output<typeof listedRows.schema>;

/** The last messages, the newest first. */
export function listAlerts(db: Queryable, limit: number): Promise<ListedAlert[]> {
  return readRows(db, listedRows, {
    text: `select id, channel, kind, body, ${isoText('created_at')} as "createdAt", attempts, ${isoText('sent_at')} as "sentAt", ${isoText('failed_at')} as "failedAt",
        last_error as "lastError" from alert_messages order by created_at desc, channel limit $1`,
    values: [limit],
  });
}

const brokenRows = rowsOf('alert_messages', z.object({ channel: z.string(), failed: z.int(), since: z.string() }));

/** The tries of the first quarter of an hour. */
const RETRIED = 5;

/**
 * Channels of alerts that gave up a message in the last week, or have been trying one for a quarter of an hour, and took none since. `failed`: how
 * many; `since`: when the first of them failed (ISO instant).
 */
export async function brokenChannels(pool: Pool): Promise<z.output<typeof brokenRows.schema>[]> {
  return readRows(pool, brokenRows, {
    text: `select m.channel, count(*) as failed, min(m.at) as since from (
        select channel, coalesce(failed_at, created_at) as at from alert_messages
        where failed_at > now() - interval '7 days' or (${WAITS} and attempts >= ${RETRIED})) m
      where not exists (select from alert_messages s where s.channel = m.channel and s.sent_at > m.at)
      group by m.channel order by m.channel`,
  });
}
