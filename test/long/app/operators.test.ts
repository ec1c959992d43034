import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQueues } from '../../../src/app/queues.ts';
import { startApp } from '../../../src/app/start-app.ts';
import { Secret } from '../../../src/config/secret.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type OwnPostgres, startOwnPostgres } from '../../support/servers/own-postgres.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Bridge } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';

const TOKEN = 'a-token-of-21-letters';
type Line = Record<string, unknown>;

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres('whole');
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** A bridge, and what it logs. */
async function logged(options: Omit<Parameters<typeof Bridge.start>[0], 'databaseUrl' | 'log'>, databaseUrl = postgres.url) {
  const lines: Line[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  return { lines, bridge: await Bridge.start({ databaseUrl, log, ...options }) };
}

const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}` });
const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

describe('passwords of the dashboard', () => {
  test('finding 6: wrong ones are slowed, logged with the client and counted, and others are not locked out', async () => {
    const { bridge, lines } = await logged({ role: 'receiver', config: { adminToken: new Secret(TOKEN), trustProxy: ['loopback'] } });
    await using _bridge = bridge;
    const url = `${bridge.app.url}/admin/queues`;
    const from = (client: string, password: string) => statusOf(url, { ...basic(password), 'x-forwarded-for': client });

    const guesses: number[] = [];
    for (let n = 0; n < 40; n += 1) guesses.push(await from('192.0.2.66', `guess ${n}`));
    const throttled = await fetch(url, { headers: { ...basic(TOKEN), 'x-forwarded-for': '192.0.2.66' } });
    const operator = await from('198.51.100.7', TOKEN);

    expect(guesses.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(guesses.filter((status) => status === 401).length).toBeLessThan(10);
    expect([throttled.status, operator]).toEqual([429, 200]);
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0);
    const refused = lines.filter(({ event }) => event === 'admin.refused');
    expect(refused[0]).toMatchObject({ level: 'warn', why: 'password', method: 'GET', client: '192.0.2.66', requestId: expect.stringMatching(/^[\w-]{8,}$/) });
    expect(refused.length).toBe(20);
    expect(JSON.stringify(lines)).not.toContain('guess');
    expect(await (await fetch(`${bridge.app.url}/metrics`)).text()).toMatch(/orderbridge_admin_refused_total\{why="throttled"\} [1-9]/);
  });

  test('finding 6: with ADMIN_TOKEN=1 the dashboard is off, the log says why, and everything else runs', async () => {
    const { bridge, lines } = await logged({ role: 'receiver', config: { adminToken: new Secret('1') } });
    await using _bridge = bridge;

    expect(await statusOf(`${bridge.app.url}/admin/queues`, basic('1'))).toBe(404);
    expect(await statusOf(`${bridge.app.url}/readyz`)).toBe(200);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'admin.off', level: 'warn', msg: expect.stringContaining('ADMIN_TOKEN is too short') }));
  });
});

describe('where it listens', () => {
  const started = (lines: Line[]) => lines.find(({ event }) => event === 'started');

  test('finding 9: on HOST alone, which the log names', async () => {
    const { bridge, lines } = await logged({ role: 'receiver', config: { host: '127.0.0.2' } });
    await using _bridge = bridge;

    expect(bridge.app.url).toBe(`http://127.0.0.2:${bridge.app.port}`);
    expect(started(lines)).toMatchObject({ host: '127.0.0.2', port: bridge.app.port, opsPort: null });
    expect(await statusOf(`${bridge.app.url}/healthz`)).toBe(200);
    await expect(fetch(`http://127.0.0.1:${bridge.app.port}/healthz`)).rejects.toThrow();
  });

  test('without HOST on all interfaces, and commands on this machine reach it', async () => {
    const { bridge, lines } = await logged({ role: 'receiver', config: { host: null } });
    await using _bridge = bridge;

    expect(['::', '0.0.0.0']).toContain(started(lines)?.['host']);
    expect(bridge.app.url).toBe(`http://127.0.0.1:${bridge.app.port}`);
    expect(await statusOf(`http://127.0.0.2:${bridge.app.port}/healthz`)).toBe(200);
  });

  test('OPS_PORT has metrics and dashboard alone, and health is on both', async () => {
    const { bridge } = await logged({ config: { opsPort: 0, consolePort: 0, adminToken: new Secret(TOKEN) } });
    await using _bridge = bridge;
    const { url, opsUrl } = bridge.app;
    const inside = ['/metrics', '/admin/queues'];
    const health = ['/healthz', '/readyz', '/status', '/status.json'];
    const statuses = (base: string, paths: string[]) => Promise.all(paths.map((path) => statusOf(`${base}${path}`, basic(TOKEN))));

    expect(opsUrl).not.toBe(url);
    expect([await statuses(url, inside), await statuses(opsUrl, inside)]).toEqual([
      [404, 404],
      [200, 200],
    ]);
    expect([await statuses(url, health), await statuses(opsUrl, health)]).toEqual([health.map(() => 200), health.map(() => 200)]);
    const stranger = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    const says = async (base: string) => Object.keys((await (await fetch(`${base}/status.json`, stranger)).json()) as object);
    for (const base of [url, bridge.app.consoleUrl ?? '']) expect(await says(base)).toEqual(['health', 'at']);
    expect(await says(opsUrl)).toContain('failedChecks');
    expect([await statusOf(`${url}/openapi.json`), await statusOf(`${opsUrl}/openapi.json`)]).toEqual([200, 404]);
    expect((await fetch(`${opsUrl}/webhooks/standard/c_x`, { method: 'POST' })).status).toBe(404);
  });

  test.each([
    ['an address of another machine', { host: '192.0.2.1' }, /HOST 192\.0\.2\.1 is no address of this machine/],
    ['a name that nobody has', { host: 'no-such-host.invalid' }, /HOST no-such-host\.invalid (is neither|can't be looked up)/],
  ])('%s is refused in words', async (_what, config, words) => {
    await expect(logged({ role: 'receiver', config })).rejects.toThrow(words);
  });

  test('a port that is taken is named with its variable', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;

    await expect(logged({ role: 'receiver', config: { port } })).rejects.toThrow(`port ${port} is taken; set PORT to a free one`);
    await expect(logged({ role: 'receiver', config: { opsPort: port } })).rejects.toThrow(`port ${port} is taken; set OPS_PORT to a free one`);
    taken.close();
  });
});

describe('addresses', () => {
  test('finding 9: are case-sensitive and strict', async () => {
    const { bridge } = await logged({ config: { complianceFaults: true } });
    await using _bridge = bridge;
    const exact = ['/metrics', '/readyz', '/healthz', '/openapi', '/openapi.json', '/faults'];
    const others = ['/METRICS', '/Metrics/', '/metrics/', '/ReadyZ', '/readyz/', '/OPENAPI', '/openapi/', '/Faults', '/faults/'];
    const service = ['/Public-API/v1/shop', '/public-api/v1/SHOP', '/service/v1/shops/', '/SERVICE/v1/shops', '/public-api/v1/order/'];
    const statuses = (paths: string[]) => Promise.all(paths.map((path) => statusOf(`${bridge.app.url}${path}`)));

    expect(await statuses(exact)).toEqual(exact.map(() => 200));
    expect(await statuses([...others, ...service])).toEqual([...others, ...service].map(() => 404));
    expect(await statuses(['/service/v1/shops'])).toEqual([401]);
  });

  test('finding 14: JSON and metrics are not sniffed', async () => {
    const { bridge } = await logged({});
    await using _bridge = bridge;
    const paths = ['/metrics', '/healthz', '/service/v1/shops', '/nowhere'];

    const headers = await Promise.all(paths.map(async (path) => (await fetch(`${bridge.app.url}${path}`)).headers.get('x-content-type-options')));

    expect(headers).toEqual(paths.map(() => 'nosniff'));
  });

  test('finding 14: a request to our compliance service without a key is logged with client and request id', async () => {
    const { bridge, lines } = await logged({ config: { trustProxy: ['loopback'] } });
    await using _bridge = bridge;

    const { headers } = await fetch(`${bridge.app.url}/service/v1/shops`, { headers: { 'x-forwarded-for': '192.0.2.66', 'x-request-id': 'mine-1' } });

    expect(headers.get('x-request-id')).toBe('mine-1');
    await until(async () => lines.some(({ status }) => status === 401), { what: 'the line' });
    expect(lines.find(({ status }) => status === 401)).toMatchObject({ client: '192.0.2.66', requestId: 'mine-1' });
  });
});

describe('readiness', () => {
  let own: OwnPostgres;
  beforeAll(async () => {
    own = await startOwnPostgres();
  });
  afterAll(() => own[Symbol.asyncDispose]());

  test('finding 9: says that the database is down without its address, which the log has', async () => {
    const { bridge, lines } = await logged({ role: 'receiver' }, own.url);
    await using _bridge = bridge;
    // BullMQ's own tables are made by then.
    await until(async () => (await (await fetch(`${bridge.app.url}/metrics`)).text()).includes('orderbridge_queue_paused{queue='), {
      what: 'the queues to be open',
    });
    await own.stop();

    const answer = await until(
      async () => {
        const response = await fetch(`${bridge.app.url}/readyz`);
        if (response.status !== 503) throw new Error(`it is ${response.status}`);
        return response.json();
      },
      { what: 'it to notice' },
    );

    expect(answer).toEqual({ ready: false, failedChecks: ['database: down'], paused: [] });
    expect(lines.filter(({ event }) => event === 'readiness')).toEqual([
      expect.objectContaining({ level: 'warn', down: ['database'], err: expect.anything() }),
    ]);
    await own.start();
    await until(async () => (await statusOf(`${bridge.app.url}/readyz`)) === 200, { what: 'it to be ready' });
    expect(lines.filter(({ event }) => event === 'readiness').length).toBe(2);
  });

  test('finding 6: a paused queue is in its body and a metric, and it stays ready', async () => {
    const { bridge } = await logged({ role: 'receiver' }, await postgres.createDatabase('whole'));
    await using _bridge = bridge;
    await using queues = openQueues(bridge.app.core);
    await queues.deliveries.pause();

    const answer = await until(
      async () => {
        const response = await fetch(`${bridge.app.url}/readyz`);
        const body = await response.json();
        if (JSON.stringify(body).includes('deliveries')) return { status: response.status, body };
        throw new Error('it does not say so');
      },
      { what: 'the paused queue' },
    );

    expect(answer).toEqual({ status: 200, body: { ready: true, failedChecks: [], paused: ['deliveries'] } });
    const metrics = await (await fetch(`${bridge.app.url}/metrics`)).text();
    expect(metrics).toContain('orderbridge_queue_paused{queue="deliveries"} 1');
    expect(metrics).toContain('orderbridge_queue_paused{queue="submissions"} 0');
  });
});

test('finding 9: the gauges are read once for 256 scrapes, and once in 15 s', async () => {
  const { bridge } = await logged({ role: 'receiver' }, await postgres.createDatabase('whole'));
  await using _bridge = bridge;
  const { config } = bridge.app.core;
  await using app = await startApp({ config, role: 'receiver', log: createLog({ level: 'silent', name: 'test' }) });
  const scrape = async () => (await fetch(`${app.url}/metrics`)).text();
  await Promise.all(Array.from({ length: 256 }, scrape));
  await until(async () => (await scrape()).includes('orderbridge_inbox_deliveries 0'), { what: 'the first reading' });

  await bridge.pool.query(`insert into inbox (id, delivery) values (gen_random_uuid(), '{}')`);
  await scrape();

  expect(await scrape()).toContain('orderbridge_inbox_deliveries 0');
  await until(async () => (await (await fetch(`${bridge.app.url}/metrics`)).text()).includes('orderbridge_inbox_deliveries 1'), { what: 'the fresh reading' });
});
