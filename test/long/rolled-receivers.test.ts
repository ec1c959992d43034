import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
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
    expect(answers.map((_, n) => it.service.standing(String(n + 1)).length).filter((count) => count !== 1)).toEqual([]);
  });
}

test('the recipes are what the balancers take', async ({ skip }) => {
  skip(!existsSync(nginx.program), `there is no ${nginx.program}`);
  await using folder = await scratchDir();
  const path = join(folder.path, 'nginx.conf');
  await writeFile(path, nginx.whole(await readFile(join(import.meta.dirname, '../../ops/nginx.conf'), 'utf8'), folder.path));
  expect(() => execFileSync(nginx.program, ['-t', '-q', '-c', path])).not.toThrow();
});
