import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQueues, type Queues } from '../../../src/app/queues.ts';
import { DELIVERIES, type QueuedDeliveries } from '../../../src/bridge/delivery/jobs.ts';
import { Secret } from '../../../src/config/secret.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { Bridge, orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';

const TOKEN = 'a-token-of-21-letters';
const AUTHORIZED = { authorization: `Basic ${Buffer.from(`any:${TOKEN}`).toString('base64')}` };
const MARIA = ['maria@example.invalid', 'Мария', 'Иванова', '+359888123456'];

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres('whole'), startRedis({ appendFsync: 'none' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

/** A delivery whose normalized news and body name the buyer, as the receiver queues it. */
function deliveryOf(job: QueuedDeliveries, topic: string): QueuedDeliveries {
  return { v: 1, deliveries: job.deliveries.map((delivery) => ({ ...delivery, id: randomUUID(), topic })) };
}

/** Has a job of the queue fail for good, with a reason that quotes the buyer. */
async function failOne({ system, deliveries }: Queues, data: QueuedDeliveries): Promise<void> {
  await deliveries.pause();
  await deliveries.add(DELIVERIES, data, { attempts: 1, lifo: true });
  const worker = system.worker<QueuedDeliveries>(
    DELIVERIES,
    async () => {
      throw new Error(`invalid input syntax: "${MARIA.join(' ')}" of ${'long'.repeat(100_000)} ${MARIA[0]}\nKey (email)=(${MARIA[0]})`);
    },
    { concurrency: 1 },
  );
  const failed = once(worker, 'failed');
  await deliveries.resume();
  await failed;
  await worker.close();
}

/** Without the headers that `fetch` sets itself. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe.each(['postgres', 'redis'] as const)('the dashboard, with queues on %s', (backend) => {
  let bridge: Bridge;
  let queues: Queues & AsyncDisposable;
  let base: string;

  beforeAll(async () => {
    const redisUrl = backend === 'redis' ? { redisUrl: redis.url } : {};
    bridge = await Bridge.start({
      databaseUrl: await postgres.createDatabase('whole'),
      ...redisUrl,
      role: 'receiver',
      config: { adminToken: new Secret(TOKEN) },
    });
    queues = openQueues(bridge.app.core);
    base = `${bridge.app.url}/admin/queues`;
    const { pool } = bridge;
    await pool.query(`insert into destinations (key_digest, credentials) values ('x', 'x')`);
    const connected = await bridge.connect();
    const order = orderOf('1001', { customer: { email: MARIA[0], firstName: MARIA[1], lastName: MARIA[2], phone: MARIA[3] } });
    expect(await bridge.send(connected, 'order.paid', { order })).toBe(200);
    const [sent] = await until(async () => queues.deliveries.getJobs(['waiting']), { what: 'the delivery to be queued' });
    if (sent === undefined) throw new Error('no delivery was queued');
    expect(sent.data.deliveries[0]?.buyer).toMatch(/^v1\./);
    expect(JSON.stringify(sent.data)).not.toContain(MARIA[0]);
    await failOne(queues, deliveryOf(sent.data, 'order.updated'));
    await queues.deliveries.add(DELIVERIES, deliveryOf(sent.data, 'order.refunded'), { delay: 3_600_000 });
    await queues.deliveries.add(DELIVERIES, deliveryOf(sent.data, 'order.edited'));
    await queues.deliveries.add(DELIVERIES, { buyer: MARIA } as unknown as QueuedDeliveries);
  });
  afterAll(async () => {
    await queues[Symbol.asyncDispose]();
    await bridge[Symbol.asyncDispose]();
  });

  const look = (path: string) => fetch(`${base}${path}`, { headers: AUTHORIZED });

  test('finding 6: of a job it shows what it is about, and never a buyer or a body, on any of its pages', async () => {
    const jobs = await queues.deliveries.getJobs(['waiting', 'delayed', 'failed']);
    const body = jobs.flatMap(({ data }) => data.deliveries?.flatMap((each) => each.body ?? []) ?? [])[0] ?? '';
    const buyer = jobs.flatMap(({ data }) => data.deliveries?.flatMap((each) => each.buyer ?? []) ?? [])[0] ?? '';
    const ofQueue = ['metrics', 'default-job-options', 'workers', 'rate-limit', 'job-data-schema'].map((what) => `/api/queues/deliveries/${what}`);
    const ofJobs = jobs.flatMap(({ id }) => ['', '/logs', '/flow'].map((what) => `/api/queues/deliveries/${id}${what}`));
    const lists = ['', 'latest', 'waiting', 'delayed', 'failed'].map((status) => `/api/queues?activeQueue=deliveries&status=${status}&page=1&jobsPerPage=20`);
    const pages = [...lists, '/api/redis/stats', '/api/job-schedulers', ...ofQueue, ...ofJobs];

    const answers = await Promise.all(pages.map(async (page) => ({ page, text: await (await look(page)).text() })));

    expect(jobs.length).toBeGreaterThanOrEqual(4);
    expect(body.length).toBeGreaterThan(100);
    expect(buyer).toMatch(/^v1\./);
    const leaks = answers.filter(({ text }) => [...MARIA, body, buyer].some((secret) => text.includes(secret)));
    expect(leaks).toEqual([]);
    const list = answers[1]?.text ?? '';
    for (const shown of ['order.edited', 'order.refunded', 'order.updated', '1001', '#1001', 'unknown shape', 'invalid input syntax: …'])
      expect(list).toContain(shown);
  });

  test('finding 6: nothing can be changed with it, whatever is called', async () => {
    const before = await queues.deliveries.getJobCounts('waiting', 'delayed', 'failed');
    const [job] = await queues.deliveries.getJobs(['delayed']);
    const one = `/api/queues/deliveries/${job?.id}`;
    const all = '/api/queues/deliveries';
    const calls = [
      ['POST', `${all}/add`],
      ...['retry/failed', 'promote', 'clean/failed', 'pause', 'resume', 'concurrency', 'rate-limit', 'rate-limit/release', 'empty', 'obliterate'].map(
        (what) => ['PUT', `${all}/${what}`],
      ),
      ...['pause', 'resume'].map((what) => ['PUT', `/api/queues/${what}`]),
      ...['retry/failed', 'clean', 'promote', 'remove-unprocessed-children'].map((what) => ['PUT', `${one}/${what}`]),
      ...['update-data', 'delay', 'priority'].map((what) => ['PATCH', `${one}/${what}`]),
      ['PUT', `${all}/job-schedulers/sweep/remove`],
      ['PATCH', `${all}/job-schedulers/sweep`],
      ['DELETE', one],
    ] as [string, string][];
    const body = JSON.stringify({ name: 'deliveries', data: {}, options: {} });

    const answers = await Promise.all(
      calls.map(
        async ([method, path]) => (await fetch(`${base}${path}`, { method, body, headers: { ...AUTHORIZED, 'content-type': 'application/json' } })).status,
      ),
    );

    expect(answers).toEqual(calls.map(() => 405));
    expect(await queues.deliveries.getJobCounts('waiting', 'delayed', 'failed')).toEqual(before);
    expect(await queues.deliveries.isPaused()).toBe(false);
  });

  test.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { 'content-type': 'text/plain' }, 415],
    ['a foreign origin', { origin: 'https://evil.example', 'content-type': 'application/json' }, 403],
    ['an unknown origin', { origin: 'null', 'content-type': 'application/json' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }, 403],
    ['a page of a sister site', { 'sec-fetch-site': 'same-site', 'content-type': 'application/json' }, 403],
  ])('finding 6: a post of %s is refused, with and without the password', async (_what, headers: Record<string, string>, status) => {
    const post = (more: Record<string, string>) => fetch(`${base}/api/queues/deliveries/add`, { method: 'POST', body: '{}', headers: { ...headers, ...more } });

    expect([(await post(AUTHORIZED)).status, (await post({})).status]).toEqual([status, status]);
  });

  test('its own page and links from elsewhere are answered, a foreign script is not', async () => {
    const status = (path: string, headers: Record<string, string>) => statusOf(`${base}${path}`, headers);
    const own = { ...AUTHORIZED, origin: bridge.app.url, 'sec-fetch-site': 'same-origin' };
    const link = { ...AUTHORIZED, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const script = { ...AUTHORIZED, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' };

    expect([await status('/api/queues', own), await status('/', link), await status('/api/queues', script)]).toEqual([200, 200, 403]);
  });

  test('finding 6: the page loads nothing from elsewhere, and says so', async () => {
    const page = await look('/');
    const html = await page.text();

    expect(page.status).toBe(200);
    expect(html).not.toMatch(/(src|href)="https?:/);
    const { headers } = page;
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none';.*script-src 'self';.*frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  test('finding 9: no other spelling of the address leads there', async () => {
    const spellings = ['/ADMIN/queues', '/Admin/Queues', '/admin/QUEUES'];

    expect(await Promise.all(spellings.map(async (path) => (await fetch(`${bridge.app.url}${path}`, { headers: AUTHORIZED })).status))).toEqual([
      404, 404, 404,
    ]);
  });
});
