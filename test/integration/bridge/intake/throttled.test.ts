import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBodyReader, gatherTraffic } from '../../../../src/app/receiver.ts';
import type { Intake } from '../../../../src/bridge/intake/accept-request.ts';
import { webhookRouter } from '../../../../src/bridge/intake/webhook-router.ts';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { createHttpApp } from '../../../../src/platform/http/http-app.ts';
import { TokenBuckets } from '../../../../src/platform/rate-limit.ts';
import { addressOf, post, postWoo, type Sent } from '../../../support/samples/signed-webhooks.ts';
import { wooOrder } from '../../../support/samples/woo-order.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { Bridge, type Connected, orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';

let postgres: TestPostgres;
let service: ScriptedCompliance;
let bridge: Bridge;

beforeAll(async () => {
  [postgres, service] = await Promise.all([startPostgres(), ScriptedCompliance.start({ honoursIdempotency: true })]);
  bridge = await Bridge.start({ databaseUrl: postgres.url, complianceUrl: service.url });
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  await Promise.all([postgres[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
});

const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf('1') } });
const forged = { 'webhook-id': 'm', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };

describe('a sender that repeats is asked to come slower', () => {
  test('429 above its rate with Retry-After, while another connection is taken', async () => {
    const [busy, other] = [await bridge.connect({ settings: { ratePerSecond: 2 } }), await bridge.connect()];
    const buckets = new TokenBuckets({ burst: 3, now: () => 0 });
    await using receiver = await serve({ throttle: ({ id, settings }) => buckets.take(id, settings.ratePerSecond) });
    const send = (connected: Connected) => post(addressOf(receiver.url, connected), body, standardHeaders(connected.secret, body));

    const answers: Sent[] = [];
    for (let count = 0; count < 4; count += 1) answers.push(await send(busy));
    const forgedToo = await post(addressOf(receiver.url, busy), body, forged);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect([answers[3]?.body.code, answers[3]?.headers.get('retry-after')]).toEqual(['delivery.throttled', '1']);
    expect([(await send(other)).status, forgedToo.status]).toEqual([200, 401]);
  });

  test('one that gives up is never refused for coming too fast', async () => {
    const connected = await bridge.connect({ platform: 'woocommerce' });
    await using receiver = await serve({ throttle: () => 60_000 });

    const sent = await postWoo(addressOf(receiver.url, connected), { topic: 'order.updated', body: wooOrder(), secret: connected.secret });

    expect(sent.status).toBe(200);
  });

  test('of a webhook that neither queue nor database took, no bytes count as kept', async () => {
    const connected = await bridge.connect({ platform: 'woocommerce' });
    const counted: number[] = [];
    const keep = (_id: string, bytes: number) => counted.push(bytes) > 0;
    const answers: boolean[] = [true, false];
    const enqueue = async () => {
      if (answers.shift() === true) throw new Failure('intake.unavailable', 'down', { retryAfterMs: 1_000 });
    };
    await using receiver = await serve({ throttle: () => 0, bodies: { keep }, enqueue });
    const send = () => postWoo(addressOf(receiver.url, connected), { topic: 'order.updated', body: wooOrder(), secret: connected.secret });

    expect([(await send()).status, (await send()).status]).toEqual([503, 200]);

    expect(counted).toHaveLength(3);
    expect(counted[0]).toBeGreaterThan(0);
    expect(counted.reduce((sum, bytes) => sum + bytes)).toBe(counted[0]);
  });

  test('how many were refused is kept for `connections`', async () => {
    const { connection } = await bridge.connect();
    const throttled = { connectionId: connection.id, topic: '', code: 'delivery.throttled', client: null, isPlatforms: true };
    const counts = gatherTraffic(bridge.app.core);
    counts.add(throttled);
    counts.add(throttled);
    await counts[Symbol.asyncDispose]();
    const again = gatherTraffic(bridge.app.core);
    again.add(throttled);
    await again[Symbol.asyncDispose]();

    const found = await bridge.app.core.connections.find(connection.id);
    expect(found?.throttled).toEqual({ count: 3, last: expect.stringMatching(/^\d{4}-.*Z$/) });
  });
});

/** The receiver alone, on this world's connections; what it accepts goes nowhere. */
async function serve({
  throttle,
  ...more
}: Pick<Intake, 'throttle'> & Partial<Pick<Intake, 'bodies' | 'enqueue'>>): Promise<{ url: string } & AsyncDisposable> {
  const router = webhookRouter({
    intake: {
      storefronts,
      read: createBodyReader(),
      throttle,
      bodies: { keep: () => true },
      enqueue: async () => undefined,
      receivedVersion: () => undefined,
      now: Date.now,
      ...more,
    },
    connection: (id) => bridge.app.core.cache.get(id),
    connectionsOfStore: async () => [],
    appSecret: () => null,
    app: async () => null,
    reserve: async () => () => undefined,
    onAnswer: () => undefined,
    now: Date.now,
  });
  const server = createServer(createHttpApp({ routes: [{ path: '/', router }], isStopping: () => false, onError: () => undefined }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
