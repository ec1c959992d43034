import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { Jobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createPool, type Pool, sealBy } from '../../../src/platform/postgres/postgres.ts';
import { isOver, killedKind, REAL_KINDS, type RealKind, SEALING, writeCauses } from '../../support/kills/real-kinds.ts';
import { drawn } from '../../support/run-size.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { allDone, effectKind, effects, prepareEffects, writeJobs } from '../../support/worlds/jobs.ts';
import { until } from '../../support/worlds/settled.ts';

const PROGRAM = join(import.meta.dirname, '../../support/kills/job-program.ts');
const FIVE_MINUTES_MS = 300_000;
const KEYS = ['1', '2', '3', '4'];
/** Write, unblock, look, claim, two effects, settle, claim, two effects, settle, claim. */
const STATEMENTS = 11;
/** Write, unblock, look, claim, read the orders, tell of each, settle; or of each mail, which is split between two: claim, read, split, send, note, settle, claim, read, send, note, settle. */
const OF_REAL: Record<RealKind, number> = { 'forget-buyer': 6 + KEYS.length, 'bridge-mail': 3 + KEYS.length * 11 };

let postgres: TestPostgres;
let pool: Pool;

beforeAll(async () => {
  postgres = await startPostgres('bridge');
  pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
  sealBy(pool, SEALING);
});
beforeEach(() => prepareEffects(pool));
afterAll(async () => {
  await pool.end();
  await postgres[Symbol.asyncDispose]();
});

/** A process that runs jobs. */
function start(env: { KIND?: RealKind; KILL_AT?: string; LEASE_MS: string; CLOCK_MS?: string }): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [PROGRAM], { env: { PATH, DATABASE_URL: postgres.url, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function ended(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
  return child.signalCode;
}

describe('a process that is killed', () => {
  const places = Array.from({ length: STATEMENTS * 2 }, (_, place) => place);

  test.each(drawn(places, 6))('at place %i loses no job, and repeats those of one claim at most', async (place) => {
    await writeJobs(pool, ...KEYS);

    expect(await ended(start({ KILL_AT: String(place), LEASE_MS: '300', CLOCK_MS: String(FIVE_MINUTES_MS) }))).toBe('SIGKILL');
    await using _ = new Jobs({ pool, everyMs: 20, random: Math.random, onFailed: (_kind, err) => expect.fail(String(err)) }).start([effectKind(pool)]);
    await allDone(pool);

    const done = await effects(pool);
    expect([...new Set(done)]).toEqual(KEYS);
    expect(done.length).toBeLessThanOrEqual(KEYS.length + 2);
  });
});

describe.each(REAL_KINDS)('processes that run jobs of the kind %s', (kind) => {
  const places = Array.from({ length: OF_REAL[kind] * 2 }, (_, place) => place);

  test.each(drawn(places, 4))('of which one is killed at place %i lose none, and repeat those of one claim at most', async (place) => {
    const all = await writeCauses(kind, pool, KEYS.length);

    expect(await ended(start({ KIND: kind, KILL_AT: String(place), LEASE_MS: '300', CLOCK_MS: String(FIVE_MINUTES_MS) }))).toBe('SIGKILL');
    await using _ = new Jobs({
      pool,
      everyMs: 20,
      random: Math.random,
      onFailed: (_kind, err) => expect.fail(String(err)),
    }).start([killedKind(kind, pool, {})]);
    await until(() => isOver(kind, pool), { what: 'the end' });

    const reached = await effects(pool);
    expect([...new Set(reached)]).toEqual(all);
    // A mail is claimed by itself; buyers of a page are forgotten again, which changes nothing at the service.
    expect(reached.length).toBeLessThanOrEqual(all.length + (kind === 'bridge-mail' ? 1 : all.length));
  });

  test('whose clocks differ by five minutes do each once', async () => {
    const all = await writeCauses(kind, pool, 100);

    const children = [String(-FIVE_MINUTES_MS / 2), String(FIVE_MINUTES_MS / 2)].map((CLOCK_MS) => start({ KIND: kind, LEASE_MS: '30000', CLOCK_MS }));
    await until(() => isOver(kind, pool), { what: 'the end' }).finally(() => children.map((child) => child.kill('SIGKILL')));
    await Promise.all(children.map(ended));

    expect(await effects(pool)).toEqual(all);
  });
});

test('two processes whose clocks differ by five minutes run each job once', async () => {
  const keys = Array.from({ length: 300 }, (_, place) => String(1_000 + place));
  await writeJobs(pool, ...keys);

  const children = [String(-FIVE_MINUTES_MS / 2), String(FIVE_MINUTES_MS / 2)].map((CLOCK_MS) => start({ LEASE_MS: '30000', CLOCK_MS }));
  await allDone(pool).finally(() => children.map((child) => child.kill('SIGKILL')));
  await Promise.all(children.map(ended));

  expect(await effects(pool)).toEqual(keys);
});
