import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import type { JobEnd, JobKind } from '../../../src/platform/jobs/job-kind.ts';
import { claimJob, claimJobs, dropJob, dueKinds, jobsOf, settleJobs } from '../../../src/platform/jobs/job-store.ts';
import { Jobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createPool, inTransaction, type Pool, reserveConnection } from '../../../src/platform/postgres/postgres.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { allDone, effectKind, effects, jobsLeft, KIND, kindOf, prepareEffects, writeJobs } from '../../support/worlds/jobs.ts';
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

const LEASE_MS = 3_000;
const page = { size: 10, leaseMs: 30_000 };
const running = (kind: JobKind, on: Pool = pool) => new Jobs({ pool: on, everyMs: 20, random: () => 1, onFailed: () => undefined }).start([kind]);
const cutOff = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const LONG_WAITS = { backoff: { firstMs: 600_000, mostMs: 36_000_000 } };
const waitsAbout = (ms: number | null | undefined, wantedMs: number) => expect(Math.abs((ms ?? 0) - wantedMs)).toBeLessThan(60_000);

describe('a job', () => {
  test('is written or not with the transaction of its cause', async () => {
    const rolledBack = inTransaction(pool, async (tx) => {
      await writeJobs(tx, '1');
      throw new Error('the cause failed');
    });

    await expect(rolledBack).rejects.toThrow('the cause failed');
    expect(await jobsLeft(pool)).toEqual([]);
  });

  test('goes when it is done', async () => {
    await writeJobs(pool, '1', '2', '3');
    await using _ = running(effectKind(pool));

    await allDone(pool);

    expect(await effects(pool)).toEqual(['1', '2', '3']);
  });

  test('is claimed by one process; when its lease ends, by another', async () => {
    await writeJobs(pool, '1');

    expect(await claimJobs(pool, KIND, page)).toMatchObject([{ key: '1', attempts: 1 }]);
    expect(await claimJobs(pool, KIND, page)).toEqual([]);
    await pool.query(`update jobs set due_at = due_at - interval '30 seconds'`);
    expect(await claimJobs(pool, KIND, page)).toMatchObject([{ key: '1', attempts: 2 }]);
  });

  test('that lost its lease ends nothing', async () => {
    await writeJobs(pool, '1', '2');
    const before = await claimJobs(pool, KIND, page);
    await pool.query(`update jobs set due_at = now() where key = '1'`);
    const [again] = await claimJobs(pool, KIND, page);

    await settleJobs(pool, { done: before, left: [] });

    expect(await jobsLeft(pool)).toMatchObject([{ key: '1', attempts: 2, isLeased: true }]);
    await settleJobs(pool, { done: again === undefined ? [] : [again], left: [] });
    expect(await jobsLeft(pool)).toEqual([]);
  });

  test('that is written again while it runs runs again', async () => {
    await writeJobs(pool, '1');
    const runs = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    let count = 0;
    await using _ = running(
      kindOf({
        run: async (jobs) => {
          count += 1;
          runs.resolve();
          await goesOn.promise;
          return jobs.map(() => ({ is: 'done' }));
        },
      }),
    );
    await runs.promise;

    await writeJobs(pool, '1');
    goesOn.resolve();
    await allDone(pool);
    expect(count).toBe(2);
  });

  test('that is written again by a cause that is not over yet waits for its end, and runs again', async () => {
    await writeJobs(pool, '1', '2');
    const before = await claimJobs(pool, KIND, page);
    using cause = await reserveConnection(pool);
    await cause.client.query('begin');
    await writeJobs(cause.client, '1');

    const settled = settleJobs(pool, { done: before, left: [] });
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await pool.query(waits)).rowCount === 1, { what: 'the end to wait for the cause' });
    await cause.client.query('commit');
    await settled;

    expect(await jobsLeft(pool)).toMatchObject([{ key: '1', attempts: 0, isLeased: false }]);
  });

  test('whose process needs longer than its lease stays its own', async () => {
    await writeJobs(pool, '1');
    let count = 0;
    const slow = kindOf({
      leaseMs: LEASE_MS,
      run: async (jobs) => {
        count += 1;
        await sleep(2 * LEASE_MS + 500);
        return jobs.map(() => ({ is: 'done' }));
      },
    });
    await using _one = running(slow);
    await using _other = running(slow);

    await allDone(pool);

    expect(count).toBe(1);
  });

  test.each<[string, JobEnd, object]>([
    ['that failed waits, and says why', { is: 'failed', why: '503', afterMs: null }, { attempts: 1, error: '503', isLeased: false, waitsMs: 600_000 }],
    ['that failed waits as long as somebody says', { is: 'failed', why: '429', afterMs: 900_000 }, { attempts: 1, error: '429', waitsMs: 900_000 }],
    ['that was not tried had no attempt', { is: 'waits', ms: 700_000 }, { attempts: 0, error: null, isLeased: false, waitsMs: 700_000 }],
    ['that runs again waits, and begins anew', { is: 'again', ms: 800_000 }, { attempts: 0, error: null, isLeased: false, waitsMs: 800_000 }],
    ['that can’t be done is not due', { is: 'blocked', why: 'no way' }, { attempts: 1, error: 'no way', isLeased: false, waitsMs: null }],
  ])('%s', async (...[, end, { waitsMs, ...left }]: [string, JobEnd, { waitsMs?: number | null }]) => {
    await writeJobs(pool, '1');
    await using _ = running(kindOf({ ...LONG_WAITS, run: async (jobs) => jobs.map(() => end) }));
    await until(async () => (await dueKinds(pool, [kindOf()])).size === 0 && (await jobsLeft(pool)).every(({ isLeased }) => !isLeased), { what: 'the end' });

    const [job] = await jobsLeft(pool);

    expect(job).toMatchObject(left);
    if (waitsMs === null || waitsMs === undefined) expect(job?.waitsMs).toBeNull();
    else waitsAbout(job?.waitsMs, waitsMs);
  });

  test('that its process died of again and again is put off, keeps no other one waiting, and is tried again', async () => {
    const claimed = `insert into jobs (kind, key, due_at, lease, attempts) values ($1, $2, now() - interval '1 minute', gen_random_uuid(), $3)`;
    await pool.query(claimed, [KIND, 'killing', 3]);
    await pool.query(claimed, [KIND, 'cut once', 1]);
    await using _ = running(effectKind(pool, LONG_WAITS));

    await until(async () => (await effects(pool)).length === 1 && (await jobsLeft(pool)).every(({ error }) => error !== null), { what: 'the other one' });
    const [killing] = await jobsLeft(pool);

    expect(await effects(pool)).toEqual(['cut once']);
    expect(killing).toMatchObject({ key: 'killing', attempts: 4, error: 'the process that ran it ended', isLeased: false });
    waitsAbout(killing?.waitsMs, 8 * LONG_WAITS.backoff.firstMs);
    await pool.query('update jobs set due_at = now()');
    await allDone(pool);
    expect(await effects(pool)).toEqual(['cut once', 'killing']);
  });

  test('that is dropped while it runs is told to end', async () => {
    await writeJobs(pool, '1');
    const runs = Promise.withResolvers<void>();
    const over = Promise.withResolvers<string>();
    await using _ = running(
      kindOf({
        leaseMs: 150,
        run: (_jobs, signal) => {
          runs.resolve();
          signal.addEventListener('abort', () => over.resolve(String(signal.reason)));
          return cutOff(signal);
        },
      }),
    );
    await runs.promise;

    expect(await dropJob(pool, { kind: KIND, key: '1' }, async () => undefined)).toBe(1);

    expect(await over.promise).toContain('it was dropped');
    expect(await jobsLeft(pool)).toEqual([]);
  });

  test('that is blocked is tried again at the next start, and once a day', async () => {
    await writeJobs(pool, '1');
    let tries = 0;
    const blocked = kindOf({
      run: async (jobs) => {
        tries += 1;
        return jobs.map(() => ({ is: 'blocked', why: 'no way' }));
      },
    });
    const isBlocked = (times: number) => until(async () => tries === times && (await jobsLeft(pool))[0]?.waitsMs === null, { what: `${times} tries` });
    {
      await using _ = running(blocked);
      await isBlocked(1);
    }
    const clock = performance.now.bind(performance);
    let later = 0;
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock() + later);
    try {
      await using _ = running(blocked);
      await isBlocked(2);
      later = 86_400_000 - 60_000;
      await sleep(100);
      expect(tries).toBe(2);
      later += 60_000;
      await isBlocked(3);
    } finally {
      spy.mockRestore();
    }
  });
});

test('a job that failed keeps its time if what writes it again says so; one that did not is due', async () => {
  await pool.query(`insert into jobs (kind, key, due_at, attempts, error) values ($1, '1', now() + interval '1 hour', 3, 'busy')`, [KIND]);
  await pool.query(`insert into jobs (kind, key, due_at) values ($1, '2', now() + interval '1 hour')`, [KIND]);

  await pool.query(jobsOf(KIND, `select unnest(array['1', '2']) as key`, { keepsWait: true }));

  const [failed, other] = await jobsLeft(pool);
  expect(failed).toMatchObject({ key: '1', attempts: 3, error: 'busy' });
  expect([failed?.waitsMs ?? 0, other?.waitsMs ?? 0].map((ms) => ms > 3_000_000)).toEqual([true, false]);
});

describe('a job that is run now', () => {
  test('is the only one of a process that runs no other', async () => {
    await writeJobs(pool, '1');
    await using jobs = new Jobs({ pool, everyMs: 20, random: () => 1, onFailed: () => undefined }).start([effectKind(pool)], { onlyAsked: true });

    await jobs.runNow(KIND, '2');
    await sleep(200);

    expect(await effects(pool)).toEqual(['2']);
  });

  test('need not be due, nor be there, and ends as any other', async () => {
    await using jobs = new Jobs({ pool, everyMs: 60_000, random: () => 1, onFailed: () => undefined }).start([effectKind(pool)]);
    await pool.query(`insert into jobs (kind, key, due_at) values ($1, '1', now() + interval '1 hour')`, [KIND]);

    expect([await jobs.runNow(KIND, '1'), await jobs.runNow(KIND, '2')]).toEqual([{ is: 'done' }, { is: 'done' }]);

    expect(await effects(pool)).toEqual(['1', '2']);
    expect(await jobsLeft(pool)).toEqual([]);
    await expect(jobs.runNow('unknown', '1')).rejects.toThrow('do not run here');
  });

  test('is not while it runs elsewhere', async () => {
    await using jobs = new Jobs({ pool, everyMs: 60_000, random: () => 1, onFailed: () => undefined }).start([effectKind(pool)]);
    const elsewhere = await claimJob(pool, { kind: KIND, key: '1', leaseMs: 30_000 });

    expect(await jobs.runNow(KIND, '1')).toBeNull();
    await settleJobs(pool, { done: elsewhere === null ? [] : [elsewhere], left: [] });
    expect(await jobs.runNow(KIND, '1')).toEqual({ is: 'done' });
  });
});

describe('a run', () => {
  test.each<[string, Partial<JobKind>, string]>([
    ['that throws', { run: () => Promise.reject(new Error('broken')) }, 'broken'],
    ['that ends when its time is over', { timeoutMs: 50, run: (_, signal) => cutOff(signal) }, 'no end within 50 ms'],
    ['that gives no end', { run: async () => [] }, 'its run gave it no end'],
  ])('%s fails its jobs, which are retried', async (...[, changes, error]) => {
    await writeJobs(pool, '1');
    await using _ = running(kindOf(changes));

    await until(async () => (await jobsLeft(pool))[0]?.error === error, { what: 'the failure' });
  });

  test('that is cut off when the process stops has its jobs due at once', async () => {
    await writeJobs(pool, '1');
    const runs = Promise.withResolvers<void>();
    const jobs = running(
      kindOf({
        run: (_, signal) => {
          runs.resolve();
          return cutOff(signal);
        },
      }),
    );
    await runs.promise;

    await jobs[Symbol.asyncDispose]();

    expect(await claimJobs(pool, KIND, page)).toMatchObject([{ key: '1', attempts: 1, error: null }]);
  });

  test('that does not end when its time is over has its jobs until it does, and its end counts', async () => {
    await writeJobs(pool, '1');
    const goesOn = Promise.withResolvers<void>();
    const late: string[] = [];
    let count = 0;
    const slow = kindOf({
      ...{ concurrency: 2, leaseMs: LEASE_MS, timeoutMs: 50, backoff: { firstMs: 1, mostMs: 1 } },
      run: async (jobs) => {
        count += 1;
        await goesOn.promise;
        return jobs.map(() => ({ is: 'done' }));
      },
    });
    const start = () => new Jobs({ pool, everyMs: 20, random: () => 1, onFailed: (_, err) => late.push(String(err)) }).start([slow]);
    await using _one = start();
    await using _other = start();

    await sleep(2 * LEASE_MS + 500);
    const meanwhile = await jobsLeft(pool);
    goesOn.resolve();
    expect(meanwhile).toMatchObject([{ key: '1', attempts: 1, isLeased: true }]);
    await allDone(pool);

    expect(count).toBe(1);
    expect(new Set(late)).toEqual(new Set(['Error: no end within 50 ms']));
  });

  test('has company as soon as more is due, though its claim was not a full one', async () => {
    await writeJobs(pool, 'long');
    const goesOn = Promise.withResolvers<void>();
    const ran: string[] = [];
    await using _ = running(
      kindOf({
        concurrency: 2,
        run: async (jobs) => {
          ran.push(...jobs.map(({ key }) => key));
          if (ran.at(-1) === 'long') await goesOn.promise;
          return jobs.map(() => ({ is: 'done' }));
        },
      }),
    );
    await until(() => ran.length === 1, { what: 'the long run' });

    await writeJobs(pool, 'short');
    await until(() => ran.length === 2, { what: 'the other run' }).finally(() => goesOn.resolve());

    await allDone(pool);
    expect(ran).toEqual(['long', 'short']);
  });

  test('has company as long as more is due, up to the limit', async () => {
    await writeJobs(pool, ...Array.from({ length: 20 }, (_, place) => String(place)));
    let now = 0;
    let most = 0;
    await using _ = running(
      kindOf({
        concurrency: 3,
        run: async (jobs) => {
          now += 1;
          most = Math.max(most, now);
          await sleep(100);
          now -= 1;
          return jobs.map(() => ({ is: 'done' }));
        },
      }),
    );

    await allDone(pool);

    expect(most).toBe(3);
  });

  test('of a job that failed twice in a row has a place only as long as its kind says, and what works goes on meanwhile', async () => {
    await pool.query(
      `insert into jobs (kind, key, due_at, attempts, error) select $1, 'hangs ' || n, now() - interval '1 hour', 2, 'it hung' from generate_series(1, 6) n`,
      [KIND],
    );
    const goesOn = Promise.withResolvers<void>();
    let hanging = 0;
    let most = 0;
    await using _ = running(
      kindOf({
        ...{ batch: 1, concurrency: 4, failing: 2 },
        run: async (jobs) => {
          const hangs = jobs.some(({ error }) => error !== null);
          hanging += hangs ? 1 : 0;
          most = Math.max(most, hanging);
          if (hangs) await goesOn.promise;
          hanging -= hangs ? 1 : 0;
          return jobs.map(() => ({ is: 'done' }));
        },
      }),
    );
    await until(() => hanging === 2, { what: 'the places to be taken' });

    await writeJobs(pool, ...Array.from({ length: 20 }, (_, place) => `works ${place}`));
    await until(async () => (await jobsLeft(pool)).length === 6, { what: 'all that works' }).finally(() => goesOn.resolve());

    await allDone(pool);
    expect(most).toBe(2);
  });

  test('that failed once has any place', async () => {
    await pool.query(`insert into jobs (kind, key, attempts, error) values ($1, 'once', 1, '503'), ($1, 'twice', 2, '503')`, [KIND]);

    expect(await claimJobs(pool, KIND, { ...page, failing: false })).toMatchObject([{ key: 'once' }]);
  });
});
