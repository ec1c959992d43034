import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveriesOfOrder } from '../../src/bridge/ledger/deliveries/delivery-store.ts';
import { addressOf, post } from '../support/samples/signed-webhooks.ts';
import { BUILT } from '../support/servers/built-program.ts';
import { type Collector, startCollector } from '../support/servers/collector.ts';
import { startKillable } from '../support/servers/killable-program.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { ENCRYPTION_KEYS, orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

/** Each span with its service, and the span that it is below. */
function tree({ spans }: Collector): string[] {
  const nameOf = (id: string | undefined) => (id === undefined ? 'nothing' : (spans.find(({ spanId }) => spanId === id)?.name ?? 'a span that never came'));
  return spans.map(({ service, name, parentSpanId }) => `${String(service)}: ${name} below ${nameOf(parentSpanId)}`).sort();
}

test('one order’s way through two processes is one trace, and the compliance service is told of it', async () => {
  await using collector = await startCollector();
  await using it = await Deployment.start({ databaseUrl: await postgres.createDatabase('bridge'), redisUrl: redis.url });
  const start = (role: 'receiver' | 'worker') =>
    startKillable({
      ...{ databaseUrl: it.databaseUrl, redisUrl: redis.url, complianceUrl: it.service.url, idempotencyKey: 'supported', role },
      // Nothing is taken over, however late it is.
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LEASE_SECONDS: '60', STALLED_SECONDS: '60', COMPLIANCE_TIMEOUT_SECONDS: '30' },
    });
  await using receiver = await start('receiver');
  const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf('1') } });
  expect((await post(addressOf(receiver.url, it.connected), body, standardHeaders(it.connected.secret, body))).status).toBe(200);
  await receiver.stop();
  await using worker = await start('worker');
  const order = await it.settled('1', 'recorded');
  await worker.stop();

  expect(tree(collector)).toEqual([
    'orderbridge-receiver: POST /webhooks below nothing',
    'orderbridge-receiver: send deliveries below POST /webhooks',
    'orderbridge-worker: POST /order below attempt',
    'orderbridge-worker: attempt below POST /webhooks',
    'orderbridge-worker: process deliveries below POST /webhooks',
  ]);
  const [delivery] = await deliveriesOfOrder(it.receiver.pool, order.id);
  const traceId = delivery?.id.replaceAll('-', '');
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  const call = collector.spans.find(({ name }) => name === 'POST /order');
  expect(it.service.requests('POST').map(({ headers }) => headers['traceparent'])).toEqual([`00-${traceId}-${call?.spanId}-01`]);
  expect(call?.attributes).toMatchObject({ 'http.response.status_code': 200 });
  for (const personal of ['maria', 'Мария', 'Иванова', 'Тениска', it.connected.secret]) expect(collector.bodies.join()).not.toContain(personal);
});

const HOOK = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write('loads ' + url + '\\n'); return next(url, context); } });`;

/** What a receiver writes whose database is down. */
async function writtenBy(env: Record<string, string>, options: readonly string[] = []): Promise<{ stdout: string; stderr: string }> {
  await using folder = await scratchDir();
  const ground = { PATH: process.env['PATH'], DATA_DIR: folder.path, DATABASE_URL: 'postgres://127.0.0.1:1/none', ENCRYPTION_KEYS, PORT: '0' };
  const args = [...options, BUILT, 'start', '--role', 'receiver'];
  return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder.path, env: { ...ground, ...env }, timeout: 150_000 });
}

/** What it loads. */
async function loadedBy(env: Record<string, string>): Promise<string[]> {
  const { stderr } = await writtenBy(env, ['--import', `data:text/javascript,${encodeURIComponent(HOOK)}`]);
  return [...stderr.matchAll(/^loads file:\/\/\S+\/([\w-]+)\.js$/gm)].map(([, name = '']) => name.replace(/-[\w-]{8}$/, ''));
}

test('nothing of OpenTelemetry is loaded unless traces are wanted', async () => {
  const [without, wanted] = await Promise.all([loadedBy({}), loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })]);

  expect(without.length).toBeGreaterThan(10);
  expect(wanted.filter((name) => !without.includes(name))).toEqual(['traces']);
});

test.each([
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
])('a slip in %s is logged, and the start goes on', async (name, value) => {
  const { stdout, stderr } = await writtenBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', [name]: value });

  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ event: 'traces.not-sent', why: expect.stringContaining(value) }));
  expect(stderr).toContain('ECONNREFUSED');
});
