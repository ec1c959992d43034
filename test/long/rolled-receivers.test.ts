import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, post } from '../support/samples/signed-webhooks.ts';
import { haproxy, nginx, startBalancer } from '../support/servers/balancer.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startKillable } from '../support/servers/killable-program.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { until } from '../support/worlds/settled.ts';

const ORDERS = Number(process.env['ROLLED_ORDERS'] ?? 1_500);
const EVERY_MS = 20;

let postgres: TestPostgres;
let redis: TestRedis;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'everysec' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

for (const kind of [nginx, haproxy]) {
  test(`receivers behind ${kind.file} are restarted one after the other: no webhook is refused, each is recorded once`, {
    timeout: 180_000 + ORDERS * EVERY_MS * 2,
  }, async ({ skip }) => {
    skip(!existsSync(kind.program), `there is no ${kind.program}`);
    await redis.flush();
    await using it = await Deployment.start({ databaseUrl: await postgres.createDatabase('bridge'), redisUrl: redis.url, idempotencyKey: 'supported' });
    await it.worker();
    const ports = [await freePort(), await freePort()];
    const receiver = (port = 0) =>
      startKillable({
        ...{ databaseUrl: it.databaseUrl, redisUrl: redis.url, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'receiver' },
        env: { PORT: String(port), STOP_DELAY_SECONDS: '3' },
      });
    const running = await Promise.all(ports.map(receiver));
    await using setup = new AsyncDisposableStack();
    setup.defer(async () => void (await Promise.all(running.map((each) => each[Symbol.asyncDispose]()))));
    await using balancer = await startBalancer(kind, ports);

    const send = async (id: string): Promise<string> => {
      const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(id) } });
      const at = addressOf(balancer.url, it.connected);
      return post(at, body, standardHeaders(it.connected.secret, body)).then(({ status }) => String(status), String);
    };
    const answers: Promise<string>[] = [];
    const sending = (async () => {
      for (let id = 1; id <= ORDERS; id += 1) {
        answers.push(send(String(id)));
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      }
    })();
    let rolls = 0;
    while (answers.length < ORDERS * 0.8) {
      for (const [i, port] of ports.entries()) {
        expect((await running[i]?.stop())?.code).toBe(0);
        running[i] = await receiver(port);
        rolls += 1;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    }
    await sending;

    expect(rolls).toBeGreaterThan(1);
    expect((await Promise.all(answers)).filter((answer) => answer !== '200')).toEqual([]);
    for (let id = 1; id <= ORDERS; id += 1) await it.settled(String(id), 'recorded');
    expect(answers.map((_, n) => it.service.current(String(n + 1)).length).filter((count) => count !== 1)).toEqual([]);
  });
}

/** Answers 503 to webhooks, to looks at `/readyz`, or to neither; `refused`: how often so far. */
async function startReceiver() {
  const unready = { webhooks: false, looks: false };
  const refused = { webhooks: 0, looks: 0 };
  const server = createServer(({ url }, response) => {
    const what = url === '/readyz' ? 'looks' : 'webhooks';
    if (unready[what]) refused[what] += 1;
    response.writeHead(unready[what] ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, unready, refused, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}

for (const kind of [nginx, haproxy]) {
  test(`receivers behind ${kind.file} that both refused a moment ago are tried all the same`, async ({ skip }) => {
    skip(!existsSync(kind.program), `there is no ${kind.program}`);
    await using one = await startReceiver();
    await using two = await startReceiver();
    const both = [one, two];
    await using balancer = await startBalancer(kind, [one.port, two.port]);
    const send = () => post(new URL('/webhooks/standard/c', balancer.url).href, '{}', {}).then(({ status }) => status);
    const answers = async () => [...new Set(await Promise.all(Array.from({ length: 20 }, send)))];
    await until(async () => (await answers()).join() === '200', { what: 'both to be known' });

    for (const { unready } of both) Object.assign(unready, { webhooks: true, looks: true });
    await until(
      async () => {
        await answers();
        return both.every(({ refused: { webhooks, looks } }) => webhooks > 0 && (kind === nginx || looks > 1));
      },
      { what: 'both to be seen to refuse' },
    );
    for (const { unready } of both) unready.webhooks = false;
    expect(await answers()).toEqual([200]);

    // One that refuses hands on to the other.
    one.unready.webhooks = true;
    expect(await answers()).toEqual([200]);
  });
}

for (const kind of [nginx, haproxy]) {
  test(`${kind.file} passes webhooks and the address that doctor calls, and nothing of operators`, async ({ skip }) => {
    skip(!existsSync(kind.program), `there is no ${kind.program}`);
    await using one = await startReceiver();
    await using two = await startReceiver();
    await using balancer = await startBalancer(kind, [one.port, two.port]);
    const answer = async (path: string) => (await fetch(new URL(path, balancer.url))).status;
    await until(async () => (await answer('/webhooks/standard/c')) === 200, { what: 'a receiver to be known' });

    expect(await answer('/healthz')).toBe(200);
    for (const path of ['/metrics', '/admin/queues', '/status.json', '/readyz', '/console', '/healthz/metrics']) expect(await answer(path)).toBe(404);
  });
}

test('the recipes are what the balancers take', async ({ skip }) => {
  skip(!existsSync(nginx.program), `there is no ${nginx.program}`);
  await using folder = await scratchDir();
  const path = join(folder.path, 'nginx.conf');
  await writeFile(path, nginx.whole(await readFile(join(import.meta.dirname, '../../ops/nginx.conf'), 'utf8'), folder.path));
  expect(() => execFileSync(nginx.program, ['-t', '-q', '-c', path])).not.toThrow();
});
