import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startComplianceWork } from '../../../src/app/compliance-work.ts';
import { openService } from '../../../src/app/embedded-service.ts';
import type { ComplianceService } from '../../../src/service/compliance-service.ts';
import { jobsLeft } from '../../support/worlds/jobs.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const newWorld = useSharedWorlds();

/** The background work of a service, some of which is done by the test. */
async function working(work: Partial<ComplianceService['work']>) {
  const world = await newWorld({ role: 'receiver', config: { sweepSeconds: 0.05, bnbRatesUrl: null } });
  const { core, pool } = { core: world.bridge.app.core, pool: world.bridge.pool };
  const stack = new AsyncDisposableStack();
  stack.use(world);
  const service = stack.use(await openService(core));
  const start = () => stack.use(startComplianceWork({ core, service: { ...service, work: { ...service.work, dueMonths: async () => [], ...work } } }));
  return { pool, start, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}

test('a month that waits is tried again when it said so, however often is looked for months', async () => {
  const key = { shopId: randomUUID(), month: '2026-10' };
  let looks = 0;
  let tries = 0;
  await using it = await working({
    async dueMonths() {
      looks += 1;
      return [key];
    },
    async serveMonth() {
      tries += 1;
      return { kind: 'again', afterMs: 3_600_000, why: 'reading' };
    },
  });

  it.start();
  await until(() => tries > 0, { what: 'a try' });
  const before = looks;
  await until(() => looks > before + 2, { what: 'more looks' });

  expect(tries).toBe(1);
  await it.pool.query(`update jobs set due_at = now() where kind = 'month'`);
  await until(() => tries === 2, { what: 'it to be tried again' });
});

test('a month that is not due any more is not made, unless an attempt was cut off', async () => {
  const [made, cutOff] = [randomUUID(), randomUUID()];
  const served: string[] = [];
  await using it = await working({
    async serveMonth({ shopId }) {
      served.push(shopId);
      return { kind: 'done', generation: 'same' };
    },
  });
  await it.pool.query(`insert into jobs (kind, key, attempts) values ('month', $1 || ' 2026-10', 0), ('month', $2 || ' 2026-10', 1)`, [made, cutOff]);

  it.start();
  await until(async () => (await jobsLeft(it.pool)).length === 0, { what: 'both jobs to end' });

  expect(served).toEqual([cutOff]);
});

test('what fails of the audit keeps nothing else of it from being done', async () => {
  const done = new Set<string>();
  const fails = () => Promise.reject(new Error('broken'));
  await using it = await working({
    dueMonths: fails,
    remind: fails,
    noticeStornos: async () => done.add('stornos').size,
    purge: async () => done.add('purge').size,
    dropOld: async () => void done.add('old'),
  });

  it.start();

  await until(() => done.size === 3, { what: 'the other steps' });
});

test('a job of rates goes when their address is no longer set', async () => {
  await using it = await working({});
  await it.pool.query(`insert into jobs (kind, key) values ('rates', '')`);

  it.start();

  await until(async () => (await it.pool.query(`select from jobs where kind = 'rates'`)).rowCount === 0, { what: 'the job to go' });
});
