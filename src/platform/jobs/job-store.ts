import { z } from 'zod';
import type { Pool } from '../postgres/postgres.ts';
import { readRows, rowsOf } from '../postgres/read-rows.ts';

const jobRow = z.object({
  id: z.int(),
  kind: z.string(),
  /** What it is about: there is one job of a kind and key. */
  key: z.string(),
  /** This one included. */
  attempts: z.int(),
  /** Of the last attempt that failed. */
  error: z.string().nullable(),
  /** Which claim this is: only who has it may end the job. */
  lease: z.string(),
});
const jobRows = rowsOf('jobs', jobRow);
const kindRows = rowsOf('jobs', z.object({ kind: z.string() }));

/** A job that this process has claimed. */
export type Job = z.output<typeof jobRow>;

/**
 * SQL that writes jobs of a kind, for the transaction of their cause; `keys` gives their `key`, each once. One that is there is due again, whatever
 * became of it: what is under way began before the cause, so it does not end it.
 */
export function jobsOf(kind: string, keys: string): string {
  return `insert into jobs (kind, key) select '${kind}', key from (${keys}) due order by key
    on conflict (kind, key) do update set due_at = now(), made_at = now(), attempts = 0, error = null, lease = null`;
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

/** Those of these kinds that have a job to run. One statement, however many kinds there are and however many jobs wait. */
export async function dueKinds(pool: Pool, kinds: readonly string[]): Promise<Set<string>> {
  const text = 'select kind from unnest($1::text[]) kind where exists (select from jobs j where j.kind = kind.kind and j.due_at <= now())';
  return new Set((await readRows(pool, kindRows, { text, values: [kinds] })).map(({ kind }) => kind));
}

// While a job runs, it is due again at the end of its lease. All times are the database's, so clocks of processes may differ.
const CLAIM = `with due as materialized (select id from jobs where kind = $1 and due_at <= now() order by due_at, id limit $2 for update skip locked)
  update jobs j set due_at = now() + $3 * interval '1 ms', lease = gen_random_uuid(), attempts = attempts + 1 from due where j.id = due.id
  returning j.id, j.kind, j.key, j.attempts, j.error, j.lease`;

/** Jobs that are due, those first that have been for longest. Nobody else gets them until the lease ends. */
export function claimJobs(pool: Pool, kind: string, { size, leaseMs }: { size: number; leaseMs: number }): Promise<Job[]> {
  return readRows(pool, jobRows, { text: CLAIM, values: [kind, size, leaseMs] });
}

/** How a claimed job is left. `waitMs` null: until something makes it due again. */
export type Left = { job: Job; waitMs: number | null; attempts: number; error: string | null };

// In the order of their keys, as they are written: two that wait for each other's jobs would wait for ever.
const MINE = `select j.id from jobs j join claimed c on c.id = j.id and c.lease = j.lease order by j.kind, j.key for update of j`;
const SETTLE = `with claimed as materialized (select * from jsonb_to_recordset($1) as c(id bigint, lease uuid, done boolean, ms float8, attempts int, error text)),
    mine as materialized (${MINE}),
    gone as (delete from jobs where id in (select m.id from mine m join claimed c on c.id = m.id where c.done))
  update jobs j set due_at = now() + c.ms * interval '1 ms', attempts = c.attempts, error = c.error, lease = null
    from claimed c join mine m on m.id = c.id where j.id = c.id and not c.done`;

/** Ends claimed jobs: those that are done go. One that was written again meanwhile, or that another process has, stays as it is. */
export async function settleJobs(pool: Pool, { done, left }: { done: readonly Job[]; left: readonly Left[] }): Promise<void> {
  const ended = done.map(({ id, lease }) => ({ id, lease, done: true }));
  const later = left.map(({ job: { id, lease }, waitMs, attempts, error }) => ({ id, lease, done: false, ms: waitMs, attempts, error }));
  await pool.query(SETTLE, [JSON.stringify([...ended, ...later])]);
}

// Whoever changes jobs beside their claim passes over locked ones, so that no two wait for each other: those are being written again, or ended.
const RENEWED = `select j.id from jobs j join unnest($1::bigint[], $2::uuid[]) c(id, lease) on j.id = c.id and j.lease = c.lease for update of j skip locked`;

export async function renewLeases(pool: Pool, jobs: readonly Job[], leaseMs: number): Promise<void> {
  const values = [jobs.map(({ id }) => id), jobs.map(({ lease }) => lease), leaseMs];
  await pool.query(`update jobs set due_at = now() + $3 * interval '1 ms' where id in (${RENEWED})`, values);
}

/** Makes jobs due that waited for something to change. */
export async function unblockJobs(pool: Pool, kinds: readonly string[]): Promise<void> {
  const blocked = 'select id from jobs where kind = any($1) and error is not null and due_at is null for update skip locked';
  await pool.query(`update jobs set due_at = now(), error = null where id in (${blocked})`, [kinds]);
}

/** Drops jobs that have waited for so long for something to change; returns how many. */
export async function dropBlocked(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const old = `select id from jobs where error is not null and due_at is null and made_at < $2::timestamptz - $1 * interval '1 day' limit 1000 for update skip locked`;
  return (await pool.query(`delete from jobs where id in (${old})`, [days, now])).rowCount ?? 0;
}
