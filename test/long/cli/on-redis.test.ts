import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Core, openCore } from '../../../src/app/core.ts';
import { openQueues } from '../../../src/app/queues.ts';
import { noteDelivery } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { storeExport } from '../../../src/bridge/ledger/privacy/privacy-exports.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { Program } from '../../support/servers/program.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { keepRunning } from '../../support/worlds/cli-world.ts';

const compress = promisify(zstdCompress);
const secret = `whsec_${'A'.repeat(43)}=`;

let redis: TestRedis;
let program: Program;
let postgres: AsyncDisposable;
let core: Core;
let connectionId: string;
let shopId: string;

beforeAll(async () => {
  redis = await startRedis({ appendFsync: 'always' });
  program = await Program.prepare({ REDIS_URL: redis.url });
  postgres = await keepRunning(program);
  const loaded = loadConfig({ DATA_DIR: program.dataDir, REDIS_URL: redis.url }, { role: 'all', cwd: program.dataDir });
  if (!loaded.ok) throw new Error(loaded.problems.join('; '));
  core = await openCore(loaded.config, createLog({ level: 'silent', name: 'test' }));
  shopId = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  const connected = await program.ok(['connect', '--platform', 'standard', '--name', 'corner', '--secret', secret, '--compliance-shop', shopId, '--json']);
  connectionId = JSON.parse(connected).connectionId;
});

afterAll(async () => {
  await core[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

test('a webhook that an older release could not read is replayed, and its order recorded', async () => {
  const now = new Date().toISOString();
  const id = randomUUID();
  const body = JSON.stringify({ type: 'order.paid', timestamp: now, data: { order: orderOf('1', { paidAt: now }) } });
  const delivery = { id, connectionId, arrivedAt: now, topic: '', platformDeliveryId: 'msg_1', store: null, body: (await compress(body)).toString('base64') };
  const unread = { ...delivery, normalized: { kind: 'ignored', why: 'not looked at' } as const };
  await noteDelivery(core.pool, { delivery: unread, outcome: 'review', code: 'payload.unreadable', detail: 'what is this?' });

  await program.ok(['replay', id]);
  const drained = await program.json<{ states: object }>(['drain']);

  expect(drained).toMatchObject({ drained: true, states: { recorded: 1 } });
  expect(await program.json(['review'])).toEqual({ orders: [], deliveries: [], stores: [] });
  expect(await program.json(['order', connectionId, '1'])).toMatchObject({ state: 'recorded', deliveries: [{ arrivedAt: now, outcome: 'merged' }] });
});

test('the data that a customer asked for is shown to the merchant', async () => {
  const scope = { shopId, platform: 'standard', store: 'corner', orderIds: ['1'], until: new Date().toISOString() };
  await storeExport(core.pool, scope, { connectionId, requestId: 'request-7' });

  const exports = await program.json<{ requestId: string; data: { orders: { order_id: string }[] } }[]>(['exports']);

  expect(exports).toMatchObject([{ requestId: 'request-7', data: { orders: [{ order_id: '1' }] } }]);
  expect(await program.ok(['exports'])).toContain('request-7');
});

test('doctor accepts a Redis that keeps everything', async () => {
  await using _server = await program.start();
  expect(await program.run(['doctor'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok +queue +Redis .+: appendonly yes, appendfsync always, noeviction/m),
  });
});

test('a compliance service is listed with the end of its key, probed, and its pause ended', async () => {
  const [{ destinationId = '', keyEnd = '' } = {}] = await program.json<{ destinationId: string; keyEnd: string }[]>(['destinations']);
  const reason = { code: 'compliance.failing', detail: '502' } as const;
  const pause = () => core.destinations.pause({ destinationId, shopId: null, callType: 'records', ...reason }, () => 3_600_000);
  await pause();

  expect(await program.ok(['destinations', 'list'])).toMatch(
    new RegExp(`our own service +…${keyEnd} +paused .+\n! our own service: records \\(corner\\) paused since .+502`),
  );
  expect(await program.json(['destinations', 'resume', '--why', 'it is back'])).toMatchObject({ destinationId, ended: [{ code: 'compliance.failing' }] });
  expect(await program.ok(['destinations', 'resume'])).toBe('our own service was not paused.\n');
  // A probe may end the pause before the next command sees it.
  await pause();
  expect(await program.json(['destinations', 'probe', destinationId.slice(0, 8)])).toMatchObject({ works: true, status: 404, probed: 1 });
  expect(await program.run(['destinations', 'probe', 'nowhere'])).toMatchObject({ code: 1, err: expect.stringContaining('no compliance service has the id') });

  const acts = await program.json<{ act: string; who: string; why: string | null }[]>(['activity']);
  expect(acts.filter(({ act }) => act.startsWith('destination.'))).toMatchObject([
    { act: 'destination.probed' },
    { act: 'destination.resumed', who: expect.stringMatching(/^cli:/), why: 'it is back' },
  ]);
});

test('decisions about orders and pauses need no queue: workers see them in the ledger', async () => {
  const env = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
  const [{ destinationId = '' } = {}] = await program.json<{ destinationId: string }[]>(['destinations']);
  await core.destinations.pause({ destinationId, shopId: null, callType: 'records', code: 'compliance.failing', detail: '502' }, () => 3_600_000);

  const resumed = await program.run(['destinations', 'resume'], { env });
  const changed = await program.run(['settings', connectionId, '--set', 'ratePerSecond=9'], { env });

  expect(resumed).toMatchObject({ code: 0, err: '' });
  expect(changed).toMatchObject({ code: 0, err: '' });
});

test('finding 6: a queue that somebody paused is wrong for doctor, listed by queues, and resumed', async () => {
  await using opened = openQueues(core);
  await opened.deliveries.pause();

  const doctor = await program.run(['doctor']);
  const listed = await program.ok(['queues']);
  const resumed = await program.ok(['queues', '--resume', 'deliveries']);
  const again = await program.ok(['queues', '--resume', 'deliveries']);

  expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +queue +deliveries is paused.+`orderbridge queues --resume deliveries`$/m) });
  expect(listed).toMatch(/^queue +state +waiting.+\ndeliveries +paused +\d/);
  expect(resumed).toMatch(/^deliveries is resumed\.\n\nqueue .+\ndeliveries +running/);
  expect(again).toContain('deliveries was not paused.');
  expect(await opened.deliveries.isPaused()).toBe(false);
  expect((await program.json<{ act: string }[]>(['activity'])).filter(({ act }) => act === 'queue.resumed')).toMatchObject([{ subject: 'deliveries' }]);
  expect(await program.run(['queues', '--resume', 'nowhere'])).toMatchObject({ code: 1, err: expect.stringContaining('they are deliveries, submissions') });
});

test('finding 6: doctor reports a password of the dashboard that could be guessed', async () => {
  expect(await program.run(['doctor'], { env: { ADMIN_TOKEN: '1' } })).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^WRONG +dashboard +off: ADMIN_TOKEN has fewer than 16 characters/m),
  });
});

test('doctor reports a Redis that may lose data', async () => {
  await using careless = await startRedis();

  const { code, out } = await program.run(['doctor'], { env: { REDIS_URL: careless.url } });

  expect(code).toBe(1);
  expect(out).toMatch(/^WRONG +queue +Redis .+: appendonly is not yes/m);
});

test('settings are replaced while the queue is down, and what they free is decided again', async () => {
  const body = { ...orderOf('2', { payment: { method: 'shells' } }), paidAt: new Date().toISOString() };
  const raw = JSON.stringify({ type: 'order.paid', timestamp: body.paidAt, data: { order: body } });
  const delivery = { id: randomUUID(), connectionId, arrivedAt: body.paidAt, topic: '', platformDeliveryId: null, store: null };
  const kept = { ...delivery, body: (await compress(raw)).toString('base64'), normalized: { kind: 'ignored', why: '' } as const };
  await noteDelivery(core.pool, { delivery: kept, outcome: 'review', code: 'payload.unreadable', detail: '' });
  await program.ok(['replay', kept.id]);
  await program.ok(['drain']);
  await program.writeJson('settings.json', { payments: { shells: { paymentType: 'OTHER' } } });

  await redis.stop();
  const { code, out, err } = await program.run(['settings', connectionId, 'settings.json']);
  await redis.start();

  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('1 order in review is decided again') });
  expect(err).toBe('');
  expect(await program.json(['drain'])).toMatchObject({ states: { recorded: 2 } });
});
