import { randomUUID } from 'node:crypto';
import { z } from 'zod';
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
  heals: z.enum(['itself', 'request', 'nothing']),
});
const problems: z.ZodType<KeptProblem[]> = z.array(problem);
const watchRows = rowsOf(
  'watches',
  z.object({ connectionId: z.string(), holder: z.string(), since: z.string(), goodAt: z.string().nullable(), problems }) satisfies z.ZodType<Watch>,
);
const topicRows = rowsOf('traffic_topics', z.object({ topic: z.string(), acceptedAt: z.string() }));
const arrivedRow = rowsOf('deliveries', z.object({ at: z.string().nullable() }));
const stateRows = rowsOf('watches', z.object({ connectionId: z.string(), listedAt: z.string().nullable(), error: z.string().nullable(), problems }));
const mayRow = rowsOf('watches', z.object({ may: z.boolean() }));
const leaseRow = rowsOf('watches', z.object({ leased: z.boolean() }));
const countRow = rowsOf('watches', z.object({ count: z.int() }));

const WATCH = `connection_id as "connectionId", holder, since, good_at as "goodAt", problems`;
const LIVE = `select c.id from connections c where c.closed_at is null and c.store_access is not null`;
/** A new store is set up by a person first. */
const FIRST = `c.created_at + interval '1 hour'`;

/** What is known of the webhooks of stores, and who looks after them. */
export function createWatchLedger(pool: Pool, sealer: Sealer): WatchLedger {
  const take = (which: string, values: unknown[], leaseMs: number): Promise<Watch | null> =>
    readRow(pool, watchRows, {
      text: `update watches set holder = $1, lease_until = now() + $2 * interval '1 ms' where connection_id = (${which}) returning ${WATCH}`,
      values: [randomUUID(), leaseMs, ...values],
    });
  return {
    begin: async (platforms) => {
      await pool.query(
        `insert into watches (connection_id, since, next_at) select c.id, c.created_at, ${FIRST} from connections c
          where c.closed_at is null and c.store_access is not null and c.platform = any($1)
            and not exists (select from watches w where w.connection_id = c.id) on conflict do nothing`,
        [platforms],
      );
    },
    takeDue: (platforms, leaseMs) => take(DUE, [platforms], leaseMs),
    take: async (connectionId, leaseMs) => {
      await pool.query(
        `insert into watches (connection_id, since, next_at) select c.id, c.created_at, ${FIRST} from connections c where c.id = $1 on conflict do nothing`,
        [connectionId],
      );
      return take(`select w.connection_id from watches w where w.connection_id = $3 and ${FREE} for update of w skip locked`, [connectionId], leaseMs);
    },
    isLeased: async (connectionId) => (await readOne(pool, leaseRow, { text: IS_LEASED, values: [connectionId] })).leased,
    keep: async ({ connectionId, holder }, wrong, leaseMs) => {
      const { rowCount } = await pool.query(
        `update watches set problems = $3, lease_until = now() + $4 * interval '1 ms' where connection_id = $1 and holder = $2`,
        [connectionId, holder, jsonText(wrong), leaseMs],
      );
      return rowCount === 1;
    },
    end: async ({ connectionId, holder }, ended) => {
      const seen = 'error' in ended ? [ended.error, null, null, null] : [null, ended.listedAt, jsonText(ended.found), jsonText(ended.problems)];
      await pool.query(END, [connectionId, holder, ended.nextMs, ...seen]);
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
    healingSecret: (connectionId, make) => healingSecret(pool, sealer, { connectionId, make }),
    wantWindow: (connectionId, wanted) => wantWindow(pool, connectionId, wanted),
  };
}

// Not in the hour of the daily reading, which has its own requests: a store is asked at most 12 times an hour.
const MAY_CHANGE = `select not exists (select from watches t left join store_syncs w on w.connection_id = t.connection_id
  where t.connection_id = $1 and t.refused_at is not null and (t.refused_at > now() - interval '24 hours'
    or (w.windows ->> 'months')::timestamptz > now() - interval '1 hour'
    or (w.windows ->> 'months')::timestamptz between now() - interval '25 hours' and now() - interval '23 hours')) as may`;

const IS_LEASED = 'select exists (select from watches where connection_id = $1 and lease_until > now()) as leased';
const FREE = '(w.lease_until is null or w.lease_until <= now())';

const DUE = `select w.connection_id from watches w join connections c on c.id = w.connection_id
  where w.next_at <= now() and ${FREE} and c.closed_at is null and c.store_access is not null and c.platform = any($3)
  order by w.next_at limit 1 for update of w skip locked`;

// What was sent and did not come is read from the store: the time is good all the same.
// A little later or sooner each time, so that stores that were connected together do not stay together.
const END = `update watches set holder = null, lease_until = null, next_at = now() + $3 * (0.95 + random() * 0.1) * interval '1 ms',
    error = $4, listed_at = coalesce($5::timestamptz, listed_at), found = coalesce($6::jsonb, found), problems = coalesce($7::jsonb, problems),
    good_at = case when $7::jsonb is null or jsonb_path_exists($7::jsonb, '$[*] ? (@.kind != "left-over" && @.kind != "not-arriving")') then good_at
      else $5::timestamptz end
  where connection_id = $1 and holder = $2`;

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

/** Live connections something is wrong with whose webhooks. */
export async function countBroken(pool: Pool): Promise<number> {
  const text = `select count(*)::int as count from watches where problems <> '[]' and connection_id in (${LIVE})`;
  return (await readOne(pool, countRow, { text })).count;
}

/**
 * The secret for webhooks of a connection that are created anew, live beside the others before it is returned: the one of an earlier time, or what
 * `make` gives. Throws if the others can't be opened, because they would be lost.
 */
async function healingSecret(pool: Pool, sealer: Sealer, { connectionId, make }: { connectionId: string; make(): string }): Promise<string> {
  return inTransaction(pool, async (tx) => {
    const { secrets, unopened = [] } = await readOne(tx, connectionRows(sealer), {
      text: `${SELECT} where id = $1 for update of connections`,
      values: [connectionId],
    });
    const [words] = unopened;
    if (words !== undefined) throw new Error(`no webhook can be made anew: ${words}`);
    const known = secrets.find(({ healing, until }) => healing === true && until === null);
    if (known !== undefined) return known.secret;
    const secret = make();
    // The first one stays what people gave.
    const sealed = sealConnection(sealer, connectionId).secrets([...secrets, { secret, until: null, healing: true }]);
    await tx.query('update connections set secrets = $2 where id = $1', [connectionId, sealed]);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, connectionId]);
    return secret;
  });
}
