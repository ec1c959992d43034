import { z } from 'zod';
import type { JobKind } from '../../../src/platform/jobs/job-kind.ts';
import { jobsOf } from '../../../src/platform/jobs/job-store.ts';
import type { Pool, Queryable } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { until } from './settled.ts';

export const KIND = 'effect';

/** A kind whose jobs do nothing, in short times. */
export const kindOf = (changes: Partial<JobKind> = {}): JobKind => ({
  ...{
    kind: KIND,
    everyMs: null,
    batch: 2,
    concurrency: 1,
    leaseMs: 30_000,
    timeoutMs: 60_000,
    backoff: { firstMs: 1_000, mostMs: 60_000 },
  },
  run: async (jobs) => jobs.map(() => ({ is: 'done' })),
  ...changes,
});

/** A kind whose jobs add their key to the table `effects`, which `prepareEffects` makes. */
export const effectKind = (db: Queryable, changes: Partial<JobKind> = {}): JobKind =>
  kindOf({
    run: async (jobs) => {
      for (const { key } of jobs) await db.query('insert into effects values ($1)', [key]);
      return jobs.map(() => ({ is: 'done' }));
    },
    ...changes,
  });

export async function prepareEffects(db: Queryable): Promise<void> {
  await db.query('create table if not exists effects (key text not null)');
  await db.query('truncate effects, jobs');
}

export async function writeJobs(db: Queryable, ...keys: string[]): Promise<void> {
  await db.query(jobsOf(KIND, 'select unnest($1::text[]) as key'), [keys]);
}

const effectRows = rowsOf('effects', z.object({ key: z.string() }));

/** The keys of effects, one for each time. */
export async function effects(pool: Pool): Promise<string[]> {
  return (await readRows(pool, effectRows, { text: 'select key from effects order by key' })).map(({ key }) => key);
}

const jobRows = rowsOf(
  'jobs',
  z.object({ key: z.string(), attempts: z.int(), error: z.string().nullable(), waitsMs: z.number().nullable(), isLeased: z.boolean() }),
);

/** But for those that the program runs by itself. */
export function jobsLeft(pool: Pool) {
  return readRows(pool, jobRows, {
    text: `select key, attempts, error, (extract(epoch from due_at - now()) * 1000)::float8 as "waitsMs", lease is not null as "isLeased" from jobs
      where key <> '' or kind = $1 order by key`,
    values: [KIND],
  });
}

export function allDone(pool: Pool): Promise<boolean> {
  return until(async () => (await jobsLeft(pool)).length === 0, { what: 'all jobs to be done' });
}
