import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { claimJob, countJobs, writeMissing } from '../../../src/platform/jobs/job-store.ts';
import { Jobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createPool, type Pool, type Statement } from '../../../src/platform/postgres/postgres.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { jobsLeft, KIND, kindOf, prepareEffects } from '../../support/worlds/jobs.ts';
import { until } from '../../support/worlds/settled.ts';

const EVERY_MS = 20;

let postgres: TestPostgres;
let pool: Pool;

beforeAll(async () => {
  postgres = await startPostgres('bridge');
  pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 8, onError: () => undefined });
});
beforeEach(() => prepareEffects(pool));
afterAll(async () => {
  await pool.end();
  await postgres[Symbol.asyncDispose]();
});

test('what is due for longer than any process pauses is said to be run by none, unless one of its kind runs', async () => {
  await pool.query(
    `insert into jobs (kind, key, due_at, attempts, error) values ($1, '1', now() - interval '2 hours', 0, null), ('other', '1', now() - interval '2 hours', 1, '503'),
      ('new', '1', now() - interval '10 minutes', 0, null)`,
    [KIND],
  );
  const counted = async () => (await countJobs(pool)).map(({ kind, state, count }) => `${kind} ${state} ${count}`);

  expect(await counted()).toEqual([`${KIND} unclaimed 1`, 'new due 1', 'other unclaimed 1']);
  await claimJob(pool, { kind: KIND, key: '2', leaseMs: 30_000 });
  expect((await counted()).slice(0, 2)).toEqual([`${KIND} due 1`, `${KIND} running 1`]);
});

test('jobs that are there already are not written again', async () => {
  await writeMissing(pool, { kind: KIND, keys: ['1'], waitMs: 50_000 });
  await writeMissing(pool, { kind: KIND, keys: ['1', '2'] });

  const [one, two] = await jobsLeft(pool);
  expect([one?.waitsMs ?? 0, two?.waitsMs ?? 0].map((ms) => ms > 40_000)).toEqual([true, false]);
});

test('a hundred thousand jobs that wait cost one statement a look, whatever parts of a process it is for', async () => {
  await pool.query(`insert into jobs (kind, key, due_at) select $1, n::text, now() + interval '1 hour' from generate_series(1, 100000) n`, [KIND]);
  await pool.query('analyze jobs');
  let statements = 0;
  const began = performance.now();
  const counted: Pool = {
    connect: () => pool.connect(),
    end: () => pool.end(),
    query(statement: string | Statement, values?: unknown[]) {
      statements += 1;
      return pool.query(statement, values);
    },
  };
  {
    const jobs = new Jobs({ pool: counted, everyMs: EVERY_MS, random: () => 1, onFailed: () => undefined });
    await using _one = jobs.start([kindOf()]);
    await using _other = jobs.start([kindOf({ kind: 'other' })]);
    // So many that two statements a look would be seen.
    await until(() => statements > 60, { what: 'many looks' });
  }

  // At the start of each part what runs by itself is written, what was blocked is made due, and it is looked once.
  expect(statements).toBeLessThanOrEqual(6 + (1.3 * (performance.now() - began)) / EVERY_MS);
});
