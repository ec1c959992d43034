import { afterAll, beforeAll, expect, test } from 'vitest';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type OwnAuthority, ownAuthority } from '../../support/servers/own-authority.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { until } from '../../support/worlds/settled.ts';

let authority: OwnAuthority;
let redis: TestRedis;
let address: string;
beforeAll(async () => {
  authority = await ownAuthority();
  const port = await freePort();
  redis = await startRedis({ args: ['--tls-port', String(port), ...authority.settings.flatMap(([name, value]) => [`--${name}`, value])] });
  address = `127.0.0.1:${port}`;
});
afterAll(async () => {
  await redis[Symbol.asyncDispose]();
  await authority[Symbol.asyncDispose]();
});

test.for(['rediss', 'redis'])('with the authority of REDIS_CA, %s:// is called over TLS', async (scheme) => {
  const errors: Error[] = [];
  const backend = { kind: 'redis', url: `${scheme}://${address}`, ca: authority.ca } as const;
  await using system = new QueueSystem({ backend, stalledMs: 2_000, onError: (error) => errors.push(error) });
  const done: string[] = [];
  system.worker<object>(scheme, async ({ name }) => void done.push(name), { concurrency: 1 });
  await system.queue<object>(scheme).add('one', {});
  await until(() => done.includes('one'), { what: 'the job to be done' });
  await system.ping(10_000);

  expect(errors).toEqual([]);
});

test('without it, a certificate of an authority that no system knows is refused', async () => {
  const errors: Error[] = [];
  await using system = new QueueSystem({
    backend: { kind: 'redis', url: `rediss://${address}` },
    stalledMs: 2_000,
    onError: (error) => errors.push(error),
  });

  await until(() => errors.some(({ message }) => message.includes('certificate')), { what: 'the certificate to be refused' });
  await expect(system.ping(500)).rejects.toThrow();
});
