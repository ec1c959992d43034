import { z } from 'zod';
import { claimJob, type Job, renewLeases, settleJobs } from '../../../platform/jobs/job-store.ts';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../../platform/seal.ts';
import type { KeptProblem, Watch, WatchLedger } from '../../reconciliation/watch-ledger.ts';
import { CONNECTIONS_CHANNEL, connectionRows, SELECT, sealConnection } from '../connection-row.ts';
import { jsonText } from '../json-columns.ts';
import { wantWindow } from './sync-store.ts';

const problem = z.object({
  topic: z.string(),
  kind: z.enum(['missing', 'disabled', 'paused', 'wrong-address', 'narrowed', 'not-arriving', 'left-over']),
  words: z.string(),
  repairs: z.enum(['itself', 'request', 'nothing']),
});
const problems: z.ZodType<KeptProblem[]> = z.array(problem);
const watchRows = rowsOf(
  'watches',
  z.object({ connectionId: z.string(), since: z.string(), goodAt: z.string().nullable(), problems }) satisfies z.ZodType<Omit<Watch, 'job'>>,
);
const topicRows = rowsOf('traffic_topics', z.object({ topic: z.string(), acceptedAt: z.string() }));
const arrivedRow = rowsOf('deliveries', z.object({ at: z.string().nullable() }));
const stateRows = rowsOf('watches', z.object({ connectionId: z.string(), listedAt: z.string().nullable(), error: z.string().nullable(), problems }));
const mayRow = rowsOf('watches', z.object({ may: z.boolean() }));
const leaseRow = rowsOf('watches', z.object({ leased: z.boolean() }));
const countRow = rowsOf('watches', z.object({ count: z.int() }));

const LIVE = `select c.id from connections c where c.closed_at is null and c.store_access is not null`;

/** What is known of the webhooks of stores, and who looks after them. */
export function createWatchLedger(pool: Pool, sealer: Sealer): WatchLedger {
  const open = async (job: Job): Promise<Watch> => {
    await pool.query('insert into watches (connection_id, since) select id, created_at from connections where id = $1 on conflict do nothing', [job.key]);
    const text = 'select connection_id as "connectionId", since, good_at as "goodAt", problems from watches where connection_id = $1';
    return { ...(await readOne(pool, watchRows, { text, values: [job.key] })), job };
  };
  return {
    begin: async (platforms) => {
      await pool.query(BEGIN, [platforms]);
    },
    open,
    take: async (connectionId, leaseMs) => {
      const job = await claimJob(pool, { kind: 'webhooks', key: connectionId, leaseMs });
      return job === null ? null : open(job);
    },
    isLeased: async (connectionId) => (await readOne(pool, leaseRow, { text: IS_LEASED, values: [connectionId] })).leased,
    keep: async ({ connectionId, job }, wrong, leaseMs) => {
      await renewLeases(pool, [job], leaseMs);
      const text = `update watches set problems = $4 where connection_id = $1 and ${OURS}`;
      const { rowCount } = await pool.query(text, [connectionId, job.id, job.lease, jsonText(wrong)]);
      return rowCount === 1;
    },
    end: async ({ connectionId, job }, ended) => {
      const seen = 'error' in ended ? [ended.error, null, null, null] : [null, ended.listedAt, jsonText(ended.found), jsonText(ended.problems)];
      await pool.query(END, [connectionId, job.id, job.lease, ...seen]);
      // A little later or sooner each time, so that stores that were connected together do not stay together.
      const waitMs = ended.nextMs * (0.95 + Math.random() * 0.1);
      await settleJobs(pool, { done: [], left: [{ job, waitMs, attempts: 0, error: null }] });
    },
    accepted: async (connectionId) => {
      const text = 'select topic, accepted_at as "acceptedAt" from traffic_topics where connection_id = $1';
      const rows = await readRows(pool, topicRows, { text, values: [connectionId] });
      return new Map(rows.map(({ topic, acceptedAt }) => [topic, acceptedAt]));
    },
    lastArrived: async (connectionId, topics) => (await readOne(pool, arrivedRow, { text: ARRIVED, values: [connectionId, topics] })).at,
    missedAt: async (connectionId) => {
      const text = 'select missed_at as at from store_syncs where connection_id = $1';
      return (await readRow(pool, arrivedRow, { text, values: [connectionId] }))?.at ?? null;
    },
    mayChange: async (connectionId) => (await readOne(pool, mayRow, { text: MAY_CHANGE, values: [connectionId] })).may,
    noteRefused: async (connectionId, isRefused) => {
      await pool.query('update watches set refused_at = case when $2 then now() end where connection_id = $1', [connectionId, isRefused]);
    },
    repairingSecret: (connectionId, make) => repairingSecret(pool, sealer, { connectionId, make }),
    wantWindow: (connectionId, wanted) => wantWindow(pool, connectionId, wanted),
  };
}

// Not in the hour of the daily reading, which has its own requests: a store is asked at most 12 times an hour.
const MAY_CHANGE = `select not exists (select from watches t left join store_syncs w on w.connection_id = t.connection_id
  where t.connection_id = $1 and t.refused_at is not null and (t.refused_at > now() - interval '24 hours'
    or (w.windows ->> 'months')::timestamptz > now() - interval '1 hour'
    or (w.windows ->> 'months')::timestamptz between now() - interval '25 hours' and now() - interval '23 hours')) as may`;

const IS_LEASED = `select exists (select from jobs where kind = 'webhooks' and key = $1 and lease is not null and due_at > now()) as leased`;
const OURS = 'exists (select from jobs j where j.id = $2 and j.lease = $3)';

// A new store is set up by a person first.
const BEGIN = `insert into jobs (kind, key, due_at) select 'webhooks', c.id, c.created_at + interval '1 hour' from connections c
  where c.closed_at is null and c.store_access is not null and c.platform = any($1)
    and not exists (select from jobs j where j.kind = 'webhooks' and j.key = c.id) order by c.id on conflict (kind, key) do nothing`;

const isBroken = (problems: string): string => `jsonb_path_exists(${problems}, '$[*] ? (@.kind != "left-over" && @.kind != "not-arriving")')`;

// What was sent and did not come is read from the store: the time is good all the same.
const END = `update watches set error = $4, listed_at = coalesce($5::timestamptz, listed_at), found = coalesce($6::jsonb, found), problems = coalesce($7::jsonb, problems),
    good_at = case when $7::jsonb is null or ${isBroken('$7::jsonb')} then good_at else $5::timestamptz end
  where connection_id = $1 and ${OURS}`;

// Each topic for itself: one that is alive says nothing about another. Without any of a topic, the time is not known.
const ARRIVED = `select case when count(at) = count(*) then min(at) end as at from (
    select greatest((select accepted_at from traffic_topics x where x.connection_id = $1 and x.topic = t.topic),
      (select max(arrived_at) from deliveries d where d.connection_id = $1 and d.topic = t.topic)) as at
    from unnest($2::text[]) as t(topic)) of_topics`;

/** What is known of the webhooks of a connection. `listedAt` null: they were never listed; `error`: why not the last time. */
export type WatchState = { listedAt: string | null; error: string | null; problems: KeptProblem[] };

/** By connection: those that are live and whose store has an API. */
export async function watchStates(pool: Pool): Promise<ReadonlyMap<string, WatchState>> {
  const text = `select connection_id as "connectionId", listed_at as "listedAt", error, problems from watches where connection_id in (${LIVE})`;
  return new Map((await readRows(pool, stateRows, { text })).map(({ connectionId, ...state }) => [connectionId, state]));
}

/** How many webhooks with an address of this connection its store had when it listed them last; null: they were not listed, or not the last time. */
export async function countFound(pool: Pool, connectionId: string): Promise<number | null> {
  const text = 'select jsonb_array_length(found) as count from watches where connection_id = $1 and listed_at is not null and error is null';
  return (await readRow(pool, countRow, { text, values: [connectionId] }))?.count ?? null;
}

/** Live connections something is wrong with whose webhooks, beyond what is only remarked. */
export async function countBroken(pool: Pool): Promise<number> {
  const text = `select count(*)::int as count from watches where ${isBroken('problems')} and connection_id in (${LIVE})`;
  return (await readOne(pool, countRow, { text })).count;
}

/**
 * The secret for webhooks of a connection that are created anew, live beside the others before it is returned: the one of an earlier time, or what
 * `make` gives. Throws if the others can't be opened, because they would be lost.
 */
async function repairingSecret(pool: Pool, sealer: Sealer, { connectionId, make }: { connectionId: string; make(): string }): Promise<string> {
  return inTransaction(pool, async (tx) => {
    const { secrets, unopened = [] } = await readOne(tx, connectionRows(sealer), {
      text: `${SELECT} where id = $1 for update of connections`,
      values: [connectionId],
    });
    const [words] = unopened;
    if (words !== undefined) throw new Error(`no webhook can be made anew: ${words}`);
    const known = secrets.find(({ repairing, until }) => repairing === true && until === null);
    if (known !== undefined) return known.secret;
    const secret = make();
    // The first one stays what people gave.
    const sealed = sealConnection(sealer, connectionId).secrets([...secrets, { secret, until: null, repairing: true }]);
    await tx.query('update connections set secrets = $2 where id = $1', [connectionId, sealed]);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, connectionId]);
    return secret;
  });
}
