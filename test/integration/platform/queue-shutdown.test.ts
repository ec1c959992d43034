import type { Worker } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { withTimeout } from '../../../src/platform/with-timeout.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { until } from '../../support/worlds/settled.ts';

/** Longer than a test may take. */
const CANCEL_MS = 600_000;
/** A process that is stopped has so long. */
const STOP_MS = 27_000;

let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis[Symbol.asyncDispose]());

test('a worker whose Redis was never up is closed without waiting for jobs', async () => {
  await using system = systemOn(`redis://127.0.0.1:${await freePort()}`);
  const worker = system.worker('never', async () => undefined, { concurrency: 1 });

  await withTimeout(STOP_MS, system.finish(worker as Worker, CANCEL_MS));
  expect(worker.closing).toBeDefined();
});

test('a worker whose Redis went down is closed without waiting for jobs', async () => {
  await using system = systemOn(redis.url);
  const queue = system.queue<object>('gone');
  let done = 0;
  const worker = system.worker<object>(
    'gone',
    async () => {
      done += 1;
    },
    { concurrency: 1 },
  );
  await queue.add('job', {});
  await until(() => done === 1, { what: 'the job to be done' });

  await redis.stop();
  await withTimeout(STOP_MS, system.finish(worker as Worker, CANCEL_MS));
  await redis.start();

  expect(worker.closing).toBeDefined();
});

test('a running job is finished, although its queue is down', async () => {
  await using system = systemOn(redis.url);
  const job = Promise.withResolvers<void>();
  const steps: string[] = [];
  const worker = system.worker<object>(
    'runs',
    async () => {
      steps.push('began');
      await job.promise;
      steps.push('done');
    },
    { concurrency: 1 },
  );
  await system.queue<object>('runs').add('job', {});
  await until(() => steps.length === 1, { what: 'the job to begin' });

  await redis.stop();
  const finished = system.finish(worker as Worker, CANCEL_MS).then(() => steps.push('closed'));
  await until(() => system.redis?.status === 'reconnecting', { what: 'the loss to be noticed' });
  job.resolve();
  await finished;
  await redis.start();

  expect(steps).toEqual(['began', 'done', 'closed']);
});

test('a job that does not finish in time is cancelled', async () => {
  await using system = systemOn(redis.url);
  let stopped = false;
  let began = false;
  const worker = system.worker<object>(
    'long',
    async (_job, _token, signal) => {
      began = true;
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      stopped = true;
    },
    { concurrency: 1 },
  );
  await system.queue<object>('long').add('job', {});
  await until(() => began, { what: 'the job to begin' });

  await system.finish(worker as Worker, 50);

  expect(stopped).toBe(true);
});

function systemOn(url: string): QueueSystem {
  return new QueueSystem({ backend: { kind: 'redis', url }, stalledMs: 2_000, onError: () => undefined });
}
