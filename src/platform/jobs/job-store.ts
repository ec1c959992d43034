import { z } from 'zod';
import { type Migration, migrate, newestOf } from '../postgres/migrate.ts';
import { inTransaction, type Pool, type Queryable, type Statement } from '../postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../postgres/read-rows.ts';
import { programFile } from '../program-file.ts';

const MIGRATIONS: readonly Migration[] = [{ version: 1, name: 'jobs', runsBeside: 1, sql: programFile('platform/jobs/version-1.sql') }];
export const JOBS_VERSION = newestOf(MIGRATIONS);

/** Creates the table of jobs, or brings that of an earlier version up to date. */
export async function migrateJobs(pool: Pool): Promise<void> {
  await migrate(pool, { schema: 'jobs', migrations: MIGRATIONS, functions: [] });
}

const jobRow = z.object({
  id: z.int(),
  kind: z.string(),
  /** What it is about: there is one job of a kind and key. */
  key: z.string(),
  /** This one included. */
  attempts: z.int(),
  /** How long ago its cause was. */
  ageMs: z.number(),
  /** Of the last attempt that failed. */
  error: z.string().nullable(),
  /** Which claim this is: only who has it may end the job. */
  lease: z.string(),
});
const jobRows = rowsOf('jobs', jobRow);
/** `wasCut`: the run before had no end, since its process died. */
const claimedRows = rowsOf('jobs', jobRow.extend({ wasCut: z.boolean() }));
const kindRows = rowsOf('jobs', z.object({ kind: z.string() }));

/** A job that this process has claimed. */
export type Job = z.output<typeof jobRow>;

/**
 * SQL that writes jobs of a kind, for the transaction of their cause; `keys` gives their `key`, each once. One that is there is due again, whatever
 * became of it; with `keepsWait` one that failed stays due when it was. If it runs, that began before the cause: it runs again after that. (No attempt is then counted, by which its end sees it.)
 */
export function jobsOf(kind: string, keys: string, { keepsWait = false } = {}): string {
  return `insert into jobs (kind, key) select '${kind}', key from (${keys}) due order by key
    on conflict (kind, key) do update set due_at = case when jobs.lease is null then now() else jobs.due_at end, made_at = now(), attempts = 0, error = null${keepsWait ? ' where jobs.lease is not null or jobs.error is null' : ''}`;
}

/** Writes jobs of a kind that are not there yet, due after `waitMs`. */
export async function writeMissing(pool: Pool, { kind, keys, waitMs = 0 }: { kind: string; keys: readonly string[]; waitMs?: number }): Promise<void> {
  const text = `insert into jobs (kind, key, due_at) select $1, key, now() + $3 * interval '1 ms' from unnest($2::text[]) key order by key
    on conflict (kind, key) do nothing`;
  await pool.query(text, [kind, keys, waitMs]);
}

/** Writes the one job of each kind that runs by itself. It comes sooner if it runs more often than before. */
export async function writePeriodic(pool: Pool, kinds: readonly { kind: string; everyMs: number | null }[]): Promise<void> {
  const periodic = kinds.filter(({ everyMs }) => everyMs !== null);
  await pool.query(
    `insert into jobs (kind, key) select kind, '' from unnest($1::text[], $2::float8[]) p(kind, ms) order by kind
      on conflict (kind, key) do update set due_at = least(jobs.due_at, now() + (select ms from unnest($1::text[], $2::float8[]) p(kind, ms)
        where p.kind = excluded.kind) * interval '1 ms') where jobs.lease is null`,
    [periodic.map(({ kind }) => kind), periodic.map(({ everyMs }) => everyMs)],
  );
}

const DUE_KINDS = `with written as (insert into jobs (kind, key) select kind, '' from unnest($2::text[]) kind
    where not exists (select from jobs j where j.kind = kind.kind and j.key = '') order by kind on conflict (kind, key) do nothing)
  select kind from unnest($1::text[]) kind where exists (select from jobs j where j.kind = kind.kind and j.due_at <= now())`;

/**
 * Those of these kinds that have a job to run. One statement, however many kinds there are and however many jobs wait. It writes the one of a kind that runs
 * by itself if somebody deleted it.
 */
export async function dueKinds(pool: Pool, kinds: readonly { kind: string; everyMs: number | null }[]): Promise<Set<string>> {
  const periodic = kinds.filter(({ everyMs }) => everyMs !== null);
  const values = [kinds, periodic].map((some) => some.map(({ kind }) => kind));
  return new Set((await readRows(pool, kindRows, { text: DUE_KINDS, values })).map(({ kind }) => kind));
}

const CLAIMED = `j.id, j.kind, j.key, j.attempts, (extract(epoch from now() - j.made_at) * 1000)::float8 as "ageMs", j.error, j.lease`;

// While a job runs, it is due again at the end of its lease. All times are the database's, so clocks of processes may differ.
const CLAIM = `with due as materialized (
    select id, lease is not null as cut from jobs where kind = $1 and due_at <= now() and ($4 or error is null or attempts < 2)
    order by due_at, id limit $2 for update skip locked)
  update jobs j set due_at = now() + $3 * interval '1 ms', lease = gen_random_uuid(), attempts = attempts + 1 from due where j.id = due.id
  returning ${CLAIMED}, due.cut as "wasCut"`;

/** `failing`: those, too, that failed twice in a row. */
type Wanted = { size: number; leaseMs: number; failing?: boolean };

/** Jobs that are due, those first that have been for longest. Nobody else gets them until the lease ends. */
export function claimJobs(pool: Pool, kind: string, { size, leaseMs, failing = true }: Wanted): Promise<(Job & { wasCut: boolean })[]> {
  return readRows(pool, claimedRows, { text: CLAIM, values: [kind, size, leaseMs, failing] });
}

const CLAIM_ONE = `insert into jobs as j (kind, key, due_at, lease, attempts) values ($1, $2, now() + $3 * interval '1 ms', gen_random_uuid(), 1)
  on conflict (kind, key) do update set due_at = excluded.due_at, lease = excluded.lease, attempts = j.attempts + 1 where j.lease is null or j.due_at <= now()
  returning ${CLAIMED}`;

/** A job, whether or not it is due; it is written if it is not there. Null: it runs. */
export function claimJob(pool: Pool, { kind, key, leaseMs }: { kind: string; key: string; leaseMs: number }): Promise<Job | null> {
  return readRow(pool, jobRows, { text: CLAIM_ONE, values: [kind, key, leaseMs] });
}

/** How a claimed job is left. `waitMs` null: until something makes it due again. */
export type Left = { job: Job; waitMs: number | null; attempts: number; error: string | null };

// In the order of their keys, as they are written: two that wait for each other's jobs would wait for ever.
const MINE = `select j.id, j.attempts <> c.claimed as anew, c.done, c.ms, c.attempts, c.error from jobs j join claimed c on c.id = j.id and c.lease = j.lease
    order by j.kind, j.key for update of j`;
const SETTLE = `with claimed as materialized (
      select * from jsonb_to_recordset($1) as c(id bigint, lease uuid, claimed int, done boolean, ms float8, attempts int, error text)),
    mine as materialized (${MINE}),
    gone as (delete from jobs where id in (select id from mine where done and not anew))
  update jobs j set lease = null, due_at = case when m.anew then now() else now() + m.ms * interval '1 ms' end,
      attempts = case when m.anew then 0 else m.attempts end, error = case when not m.anew then m.error end
    from mine m where j.id = m.id and (m.anew or not m.done)`;

/** Ends claimed jobs: those that are done go. One that was written again meanwhile is due at once; one that another process has stays as it is. */
export async function settleJobs(pool: Pool, { done, left }: { done: readonly Job[]; left: readonly Left[] }): Promise<void> {
  const ended = done.map(({ id, lease, attempts }) => ({ id, lease, claimed: attempts, done: true }));
  const later = left.map(({ job, waitMs, attempts, error }) => ({
    id: job.id,
    lease: job.lease,
    claimed: job.attempts,
    done: false,
    ms: waitMs,
    attempts,
    error,
  }));
  await pool.query(SETTLE, [JSON.stringify([...ended, ...later])]);
}

// Anyone who changes jobs beside their claim passes over locked ones, so that no two wait for each other: those are being written again, or ended.
const OURS = `j.id from jobs j join unnest($1::bigint[], $2::uuid[]) c(id, lease) on j.id = c.id and j.lease = c.lease`;
const RENEWED = `select ${OURS} for update of j skip locked`;

/** Returns whether any of them is still ours. */
export async function renewLeases(pool: Pool, jobs: readonly Job[], leaseMs: number): Promise<boolean> {
  const values = [jobs.map(({ id }) => id), jobs.map(({ lease }) => lease), leaseMs];
  const text = `with renewed as (update jobs set due_at = now() + $3 * interval '1 ms' where id in (${RENEWED})) select ${OURS} limit 1`;
  return (await pool.query(text, values)).rowCount === 1;
}

/** Makes jobs due that waited for something to change. */
export async function unblockJobs(pool: Pool, kinds: readonly { kind: string }[]): Promise<void> {
  const blocked = 'select id from jobs where kind = any($1) and error is not null and due_at is null for update skip locked';
  await pool.query(`update jobs set due_at = now(), error = null where id in (${blocked})`, [kinds.map(({ kind }) => kind)]);
}

// No process looks less often than once an hour: what is due for longer, while none of its kind runs, is run by none.
const STATE = `case when due_at is null then 'blocked' when lease is not null and due_at > now() then 'running'
  when due_at < now() - interval '1 hour' and kind not in (select kind from jobs where lease is not null and due_at > now()) then 'unclaimed'
  when error is not null then 'failing' when due_at > now() then 'waiting' else 'due' end`;
/** unclaimed: no process runs this kind, such as after a change of the configuration. */
export const JOB_STATES = ['waiting', 'due', 'running', 'failing', 'blocked', 'unclaimed'] as const;
const countRows = rowsOf('jobs', z.object({ kind: z.string(), state: z.enum(JOB_STATES), count: z.int(), since: z.string() }));

/** How many jobs of a kind are in a state. `since`: when the cause of the oldest was. */
export type JobCount = z.output<typeof countRows.schema>;

export function countJobs(pool: Pool): Promise<JobCount[]> {
  return readRows(pool, countRows, {
    text: `select kind, ${STATE} as state, count(*)::int as count, min(made_at) as since from jobs group by 1, 2 order by 1, 2`,
  });
}

const failingRows = rowsOf(
  'jobs',
  z.object({ kind: z.string(), key: z.string(), attempts: z.int(), error: z.string(), since: z.string(), nextAt: z.string().nullable() }),
);

/** A job that failed, or can't be done (`nextAt` null). */
export type FailingJob = z.output<typeof failingRows.schema>;

export function failingJobs(pool: Pool, limit: number): Promise<FailingJob[]> {
  return readRows(pool, failingRows, {
    text: 'select kind, key, attempts, error, made_at as since, due_at as "nextAt" from jobs where error is not null and lease is null order by made_at, id limit $1',
    values: [limit],
  });
}

/** What is noted of a change, in its transaction. */
type Note = (tx: Queryable, count: number) => Promise<void>;

/** Makes jobs of a kind that failed due now, or the one of a key; returns how many. */
export function retryJobs(pool: Pool, { kind, key }: { kind: string; key: string | null }, note: Note): Promise<number> {
  const those = 'select id from jobs where kind = $1 and error is not null and lease is null and ($2::text is null or key = $2) for update skip locked';
  return changed(pool, { text: `update jobs set due_at = now() where id in (${those})`, values: [kind, key] }, note);
}

/** If it runs, that ends soon. Returns 0 if there is none. */
export function dropJob(pool: Pool, { kind, key }: { kind: string; key: string }, note: Note): Promise<number> {
  return changed(pool, { text: 'delete from jobs where kind = $1 and key = $2', values: [kind, key] }, note);
}

function changed(pool: Pool, statement: Statement, note: Note): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const count = (await tx.query(statement)).rowCount ?? 0;
    if (count > 0) await note(tx, count);
    return count;
  });
}
