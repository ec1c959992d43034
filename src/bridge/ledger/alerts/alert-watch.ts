import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { type AlertMessage, type Digest, reportedCheck } from '../../alerts/alert.ts';
import { jsonText } from '../json-columns.ts';
import { countInReview, countUnconfirmed } from '../orders/read-orders.ts';
import { queueAlerts } from './alert-outbox.ts';

const instant = z.string().nullable();
const incident = z.object({
  failedCheck: reportedCheck,
  beganAt: z.string(),
  /** When it was seen last. */
  seenAt: z.string(),
  /** Since when it is not seen; null: it was there at the last look. */
  goneAt: instant,
  /** When it was reported first; null: it was not. */
  raisedAt: instant,
  /** When it was reported last, and as what. */
  reportedAt: instant,
  reportedLevel: reportedCheck.shape.level.nullable(),
  /** Subjects of its members, such as ids of stores, of which it was reported since the last day's message; empty: it is of one. */
  reportedMembers: z.array(z.string()),
  /** When its end was reported; null: it was not. It is remembered for a day, in case it comes back. */
  resolvedAt: instant,
  /** How often it came back within a day of its end. */
  relapses: z.int(),
  /** The alert that raised it. */
  thread: z.string().nullable(),
});
const incidentRows = rowsOf('incidents', incident);

/** An incident that is followed. Instants are ISO text. */
export type KnownIncident = z.output<typeof incident>;

const watchRow = rowsOf('alert_watch', z.object({ digestOn: z.string().nullable() }));
const dayRow = rowsOf('steps', z.object({ recorded: z.int(), removed: z.int(), refused: z.int() }));

/** What one round leaves behind; `digestOn` null: the day of the last digest stays. */
type Decided = { keep: readonly KnownIncident[]; messages: readonly AlertMessage[]; digestOn: string | null };

const changesRow = rowsOf('incidents', z.object({ raised: z.int(), resolved: z.int() }));

/** How many incidents alerts raised and resolved since an instant, of the last 24 hours at most: of earlier ones the resolved ones are forgotten. */
export function alertsSince(db: Queryable, since: string): Promise<z.output<typeof changesRow.schema>> {
  return readOne(db, changesRow, {
    text: `select count(*) filter (where raised_at >= s.at)::int as raised, count(*) filter (where resolved_at >= s.at and raised_at is not null)::int as resolved
      from incidents, (select greatest($1::timestamptz, now() - interval '1 day') as at) s`,
    values: [since],
  });
}

/** Which process evaluates, and what it knows. */
export type AlertWatch = {
  /** Takes the watch, or keeps it, for so long; false: another process has it. */
  lease(leaseMs: number): Promise<boolean>;
  /** Lets another process have it at once. */
  release(): Promise<void>;
  round(decide: (before: { known: KnownIncident[]; digestOn: string | null }) => Decided, now: Date): Promise<boolean>;
  digestOn(): Promise<string | null>;
  counts(day: string): Promise<Digest['counts']>;
};

export function createAlertWatch(pool: Pool, holder: string): AlertWatch {
  const digestOn = async (): Promise<string | null> =>
    (await readOne(pool, watchRow, { text: 'select digest_on::text as "digestOn" from alert_watch' })).digestOn;
  return {
    digestOn,
    async lease(leaseMs) {
      const { rowCount } = await pool.query(
        `update alert_watch set holder = $1, lease_until = now() + $2 * interval '1 ms' where holder = $1 or lease_until is null or lease_until < now()`,
        [holder, leaseMs],
      );
      return rowCount === 1;
    },
    async release() {
      await pool.query('update alert_watch set holder = null, lease_until = null where holder = $1', [holder]);
    },
    round: (decide, now) =>
      inTransaction(pool, async (tx) => {
        const text = 'select digest_on::text as "digestOn" from alert_watch where holder = $1 for update';
        const watch = await readRow(tx, watchRow, { text, values: [holder] });
        if (watch === null) return false;
        const { keep, messages, digestOn: made } = decide({ known: await readRows(tx, incidentRows, { text: KNOWN }), digestOn: watch.digestOn });
        await writeIncidents(tx, keep);
        await queueAlerts(tx, messages, now);
        if (made !== null) await tx.query('update alert_watch set digest_on = $1', [made]);
        return true;
      }),
    counts: (day) => dayCounts(pool, day),
  };
}

const KNOWN = `select failed_check as "failedCheck", ${isoText('began_at')} as "beganAt", ${isoText('seen_at')} as "seenAt", ${isoText('gone_at')} as "goneAt",
  ${isoText('raised_at')} as "raisedAt", ${isoText('reported_at')} as "reportedAt", reported_level as "reportedLevel", reported_members as "reportedMembers",
  ${isoText('resolved_at')} as "resolvedAt", relapses, thread from incidents`;

const KEPT = `json_to_recordset($1::json) as k ("failedCheck" jsonb, "beganAt" timestamptz, "seenAt" timestamptz, "goneAt" timestamptz, "raisedAt" timestamptz,
  "reportedAt" timestamptz, "reportedLevel" text, "reportedMembers" jsonb, "resolvedAt" timestamptz, relapses int, thread uuid)`;

async function writeIncidents(tx: Queryable, keep: readonly KnownIncident[]): Promise<void> {
  const kept = jsonText(keep);
  await tx.query(
    `delete from incidents t where not exists (select from ${KEPT} where k."failedCheck" ->> 'code' = t.code and k."failedCheck" ->> 'subject' = t.subject)`,
    [kept],
  );
  await tx.query(
    `insert into incidents (code, subject, failed_check, began_at, seen_at, gone_at, raised_at, reported_at, reported_level, reported_members, resolved_at,
       relapses, thread)
     select "failedCheck" ->> 'code', "failedCheck" ->> 'subject', "failedCheck", "beganAt", "seenAt", "goneAt", "raisedAt", "reportedAt", "reportedLevel",
       "reportedMembers", "resolvedAt", relapses, thread from ${KEPT}
     on conflict (code, subject) do update set failed_check = excluded.failed_check, began_at = excluded.began_at, seen_at = excluded.seen_at, gone_at = excluded.gone_at,
       raised_at = excluded.raised_at, reported_at = excluded.reported_at, reported_level = excluded.reported_level, reported_members = excluded.reported_members,
       resolved_at = excluded.resolved_at, relapses = excluded.relapses, thread = excluded.thread`,
    [kept],
  );
}

/** Of refused webhooks the last 50 of each connection are kept: so many are counted at most. */
async function dayCounts(pool: Pool, day: string): Promise<Digest['counts']> {
  const begins = `($1::date::timestamp at time zone 'Europe/Sofia')`;
  const ends = `(($1::date + 1)::timestamp at time zone 'Europe/Sofia')`;
  const [row, review, unconfirmed] = await Promise.all([
    readOne(pool, dayRow, {
      text: `select count(*) filter (where kind = 'create' and outcome = 'recorded')::int as recorded,
          count(*) filter (where kind = 'delete' and outcome in ('deleted', 'gone'))::int as removed,
          (select count(*)::int from refusals where at >= ${begins} and at < ${ends}) as refused
        from steps where began_at >= ${begins} and began_at < ${ends}`,
      values: [day],
    }),
    countInReview(pool),
    countUnconfirmed(pool),
  ]);
  return { ...row, review: Object.values(review).reduce((sum, count) => sum + count, 0), unconfirmed };
}
