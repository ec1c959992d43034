import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import type { JobKind } from '../../../src/platform/jobs/job-kind.ts';
import { writePeriodic } from '../../../src/platform/jobs/job-store.ts';
import { Jobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createPool, type Pool } from '../../../src/platform/postgres/postgres.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { jobsLeft, kindOf, prepareEffects } from '../../support/worlds/jobs.ts';
import { until } from '../../support/worlds/settled.ts';

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

const running = (kind: JobKind, on: Pool = pool) => new Jobs({ pool: on, everyMs: 20, random: () => 1, onFailed: () => undefined }).start([kind]);

describe('a kind that runs by itself', () => {
  test('is one job, whatever number of processes has it, and runs about so often', async () => {
    const runs: number[] = [];
    const periodic = kindOf({
      everyMs: 200,
      run: async (jobs) => {
        runs.push(performance.now());
        return jobs.map(() => ({ is: 'done' }));
      },
    });
    {
      await using _one = running(periodic);
      await using _other = running(periodic);
      await until(async () => runs.length > 3, { what: 'some runs' });
    }

    expect(runs.slice(1).every((at, place) => at - (runs[place] ?? 0) > 150)).toBe(true);
    expect(await jobsLeft(pool)).toMatchObject([{ key: '', attempts: 0, error: null, isLeased: false }]);
  });

  test('runs again at its time though it failed', async () => {
    const fails = () => Promise.reject(new Error('one step failed'));
    await using _ = running(kindOf({ everyMs: 5_000, backoff: { firstMs: 60_000, mostMs: 60_000 }, run: fails }));
    const left = async () => (await jobsLeft(pool)).filter(({ error }) => error !== null);
    await until(async () => (await left()).length > 0, { what: 'a run that fails' });

    expect(await left()).toMatchObject([{ attempts: 1, error: 'one step failed' }]);
    expect((await left())[0]?.waitsMs ?? 60_000).toBeLessThanOrEqual(5_000);
  });

  test('that takes longer than its time leaves a pause', async () => {
    const pauses: number[] = [];
    let ended: number | null = null;
    const slow = kindOf({
      everyMs: 10,
      run: async (jobs) => {
        if (ended !== null) pauses.push(performance.now() - ended);
        await sleep(50);
        ended = performance.now();
        return jobs.map(() => ({ is: 'done' }));
      },
    });
    await using _ = new Jobs({ pool, everyMs: 400, random: () => 1, onFailed: () => undefined }).start([slow]);
    await until(() => pauses.length > 1, { what: 'some runs' });

    expect(pauses.every((ms) => ms > 150)).toBe(true);
  });

  test('is written again if somebody deletes it', async () => {
    let runs = 0;
    const periodic = kindOf({
      everyMs: 50,
      run: async (jobs) => {
        runs += 1;
        return jobs.map(() => ({ is: 'done' }));
      },
    });
    await using _ = running(periodic);
    await until(() => runs > 0, { what: 'a run' });
    await pool.query('delete from jobs');
    const before = runs;

    await until(() => runs > before + 1, { what: 'more runs' });
  });

  test('comes sooner when it is to run more often', async () => {
    await writePeriodic(pool, [kindOf({ everyMs: 60_000 })]);
    await pool.query(`update jobs set due_at = now() + interval '1 hour'`);

    await writePeriodic(pool, [kindOf({ everyMs: 60_000 }), { kind: 'written', everyMs: null }]);

    const [job, ...others] = await jobsLeft(pool);
    expect(others).toEqual([]);
    expect(Math.abs((job?.waitsMs ?? 0) - 60_000)).toBeLessThan(50_000);
  });
});
