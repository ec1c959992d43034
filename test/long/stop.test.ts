import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { kill } from 'node:process';
import { describe, expect, test } from 'vitest';
import { withTimeout } from '../../src/platform/with-timeout.ts';
import { addressOf, post } from '../support/samples/signed-webhooks.ts';
import { freezingProxy } from '../support/servers/freezing-proxy.ts';
import { startKillable } from '../support/servers/killable-program.ts';
import { Program } from '../support/servers/program.ts';
import { startRedis } from '../support/servers/redis.ts';
import { type Connected, orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';
import { useWorlds, type World } from '../support/worlds/world.ts';

const world = useWorlds();
/** What a supervisor gives. */
const MOST_MS = 30_000;
const ORDERS = 40;

/** A program that has more to do than it can, at a service that does not answer, and a request of which half has come. */
async function busy(it: World, connected: Connected, url: string): Promise<Disposable> {
  it.service.holdAnswers();
  for (let id = 0; id < ORDERS; id += 1) {
    const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(String(id)) } });
    expect((await post(addressOf(url, connected), body, standardHeaders(connected.secret, body))).status).toBe(200);
  }
  await until(() => it.service.requests('POST').length > 0, { what: 'a create to arrive' });
  const { hostname, port } = new URL(url);
  const half = createConnection({ host: hostname, port: Number(port) });
  half.on('error', () => undefined);
  half.write('POST /webhooks/standard/c_1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"half":');
  return { [Symbol.dispose]: () => void half.destroy() };
}

describe.concurrent('SIGTERM ends it within 30 s', () => {
  test('while the database hangs, which is its queue, too', async () => {
    // Of role compliance: it knows the ledger, and takes no jobs.
    await using it = await world({ onRedis: false, role: 'compliance' });
    await using proxy = await freezingProxy(it.databaseUrl);
    const connected = await it.bridge.connect();
    await using program = await startKillable({ databaseUrl: proxy.url, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'all' });
    using _half = await busy(it, connected, program.url);

    proxy.freeze();

    expect(await withTimeout(MOST_MS, program.stop())).toMatchObject({ code: 0 });
  });

  test('while Redis hangs', async () => {
    await using redis = await startRedis();
    await using it = await world({ onRedis: false, role: 'compliance' });
    const connected = await it.bridge.connect();
    await using program = await startKillable({
      ...{ databaseUrl: it.databaseUrl, redisUrl: redis.url, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'all' },
    });
    using _half = await busy(it, connected, program.url);

    kill(redis.pid(), 'SIGSTOP');

    expect(await withTimeout(MOST_MS, program.stop())).toMatchObject({ code: 0 });
  });

  test('while its own PostgreSQL hangs', async () => {
    await using program = await Program.prepare({ LOG_LEVEL: 'info' });
    const server = await program.start();
    const [postmaster] = (await readFile(join(program.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n').map(Number);
    const processes = await family(postmaster ?? 0);
    for (const pid of processes) kill(pid, 'SIGSTOP');
    try {
      expect(await withTimeout(MOST_MS, server.stop())).toBe(0);
    } finally {
      for (const pid of processes.toReversed()) kill(pid, 'SIGCONT');
    }
    expect(server.log.filter(({ event }) => event === 'stop.cut-off').length).toBeGreaterThan(0);
    // It was left behind, and is taken over.
    expect(await program.json(['orders'])).toEqual([]);
  });
});

/** A process and its children. */
async function family(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children];
}
