import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { SHOP_FLAGS } from '../support/samples/shop-flags.ts';
import { post } from '../support/samples/signed-webhooks.ts';
import { compiled } from '../support/servers/compiled.ts';
import { plantBuild } from '../support/servers/next-build.ts';
import { openPool } from '../support/servers/open-pool.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { Program, type Server } from '../support/servers/program.ts';
import { startRedis } from '../support/servers/redis.ts';
import { ENCRYPTION_KEYS, orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';

const EVERY_MS = 40;
/** That both of two builds take. */
const TOGETHER = 150;

/** Sends webhooks to servers in turn that say at `/readyz` that they are ready, as a balancer does. */
class Balancer implements AsyncDisposable {
  readonly #secret: string;
  readonly #path: string;
  readonly #ready = new Map<string, boolean>();
  readonly #ending = new AbortController();
  readonly #ended: Promise<unknown>;
  readonly #answers: Promise<string>[] = [];

  constructor(secret: string, webhookUrl: string) {
    this.#secret = secret;
    this.#path = new URL(webhookUrl).pathname;
    this.#ended = Promise.all([this.#look(), this.#send()]);
  }

  get sent(): number {
    return this.#answers.length;
  }

  add({ url }: Server): void {
    this.#ready.set(url, false);
  }

  /** As a person takes it out; resolves when nothing is under way there. */
  async remove({ url }: Server): Promise<void> {
    this.#ready.delete(url);
    await Promise.all(this.#answers);
  }

  /** Until so many more were sent. */
  async more(count: number): Promise<void> {
    const enough = this.sent + count;
    await until(() => this.sent >= enough, { what: `${count} more webhooks to be sent`, timeoutMs: 120_000 });
  }

  /** Sends no more; what was answered. */
  async end(): Promise<string[]> {
    this.#ending.abort();
    await this.#ended;
    return Promise.all(this.#answers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #look(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      for (const url of this.#ready.keys()) {
        const isReady = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
          ({ ok }) => ok,
          () => false,
        );
        if (this.#ready.has(url)) this.#ready.set(url, isReady);
      }
      await sleep(100);
    }
  }

  async #send(): Promise<void> {
    for (let turn = 0; !this.#ending.signal.aborted; turn += 1) {
      const ready = [...this.#ready].flatMap(([url, isReady]) => (isReady ? [url] : []));
      const url = ready[turn % Math.max(1, ready.length)];
      if (url !== undefined) this.#answers.push(this.#post(url, String(this.sent + 1)));
      await sleep(EVERY_MS);
    }
  }

  #post(url: string, id: string): Promise<string> {
    const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order: orderOf(id) } });
    return post(`${url}${this.#path}`, body, standardHeaders(this.#secret, body)).then(({ status }) => String(status), String);
  }
}

const numberOf = async (pool: pg.Pool, sql: string): Promise<number> => Number((await pool.query({ text: sql, rowMode: 'array' })).rows[0]?.[0]);

test('a release that expands and one that contracts are rolled in under load, each beside the one before: no webhook is refused, each is recorded once', {
  timeout: 600_000,
}, async () => {
  await using expanding = await plantBuild(2);
  await using contracting = await plantBuild(3);
  await using postgres = await startPostgres();
  await using redis = await startRedis({ appendFsync: 'everysec' });
  const env = { ...compiled(), DATABASE_URL: postgres.url, REDIS_URL: redis.url, ENCRYPTION_KEYS, STOP_DELAY_SECONDS: '2' };
  await using today = await Program.prepare(env);
  await using next = await Program.prepare(env, expanding.main);
  await using later = await Program.prepare(env, contracting.main);
  const { pool, end } = openPool(postgres.url);
  await using _ = { [Symbol.asyncDispose]: end };
  const versions = () => numberOf(pool, 'select (select max(version) from bridge.migrations) * 10 + (select max(version) from compliance.migrations)');

  const first = await today.start();
  const shop = (await today.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await today.writeJson('settings.json', { recordFrom: '2020-01-01T00:00:00Z' });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const connect = ['connect', '--platform', 'standard', '--name', 'corner', '--secret', secret, '--compliance-shop', shop, '--settings', 'settings.json'];
  const { webhookUrl } = await today.json<{ webhookUrl: string }>(connect);
  await using balancer = new Balancer(secret, webhookUrl);
  balancer.add(first);
  await balancer.more(TOGETHER);

  // The tables are expanded under it; it goes on, may be restarted, and so may its commands.
  expect(await next.spawn(['migrate'])).toMatchObject({ code: 0 });
  expect(await versions()).toBe(22);
  const second = await next.start();
  balancer.add(second);
  await balancer.more(TOGETHER);
  const restarted = await today.start();
  balancer.add(restarted);
  expect(await first.stop()).toBe(0);
  await balancer.more(TOGETHER);
  expect(await today.spawn(['orders'])).toMatchObject({ code: 0 });

  // The next release waits until it has gone.
  const refused = await later.spawn(['migrate']);
  expect(refused).toMatchObject({ code: 1, out: '' });
  const pid = await numberOf(pool, `select pid from jobs.processes where versions ->> 'bridge' = '1' and role = 'all'`);
  expect(refused.err).toContain('version 3 of the schema bridge runs beside programs of version 2 and later, and older ones run: all on ');
  expect(refused.err).toContain(`all on ${hostname()} (pid ${pid}, since `);
  expect(await versions()).toBe(22);

  // One that could not be seen for a while leaves as soon as it sees that.
  await balancer.remove(restarted);
  kill(pid, 'SIGSTOP');
  await pool.query(`update jobs.processes set seen_at = now() - interval '2 minutes' where pid = $1`, [pid]);
  expect(await later.spawn(['migrate'])).toMatchObject({ code: 0 });
  expect(await versions()).toBe(33);
  kill(pid, 'SIGCONT');
  await until(async () => (await fetch(`${restarted.url}/readyz`)).status === 503, { what: 'it to say that it is not ready' });
  expect(await restarted.ended()).toBe(1);
  expect(restarted.log).toContainEqual(expect.objectContaining({ event: 'database.newer', schema: 'bridge' }));

  balancer.add(await later.start());
  await balancer.more(TOGETHER);
  for (const command of ['start', 'orders'])
    expect(await today.spawn([command])).toMatchObject({ code: 1, err: expect.stringContaining('this program is too old for the schema bridge') });

  const answers = await balancer.end();
  expect(answers.filter((answer) => answer !== '200')).toEqual([]);
  const recorded = `select count(*) from bridge.orders where state = 'recorded'`;
  await until(async () => (await numberOf(pool, recorded)) === answers.length, { what: 'all to be recorded', timeoutMs: 120_000 });
  const inService =
    'select count(distinct internal_id), count(*), max(document_number) - min(document_number) + 1 as numbers, count(net) as net from compliance.orders';
  expect((await pool.query({ text: inService, rowMode: 'array' })).rows[0]?.map(Number)).toEqual(Array(4).fill(answers.length));
  expect(await numberOf(pool, 'select count(*) from bridge.deliveries where handed_ms is null')).toBe(0);
});
