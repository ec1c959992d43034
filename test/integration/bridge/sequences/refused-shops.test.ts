import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../../src/app/ops/metrics.ts';
import { openQueues } from '../../../../src/app/queues.ts';
import { createSubmitter } from '../../../../src/app/submitter.ts';
import type { Scope } from '../../../../src/bridge/delivery/pauses.ts';
import { probe } from '../../../../src/bridge/delivery/probe.ts';
import { probeCandidates, stampTried } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { storefrontOf, storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { longTest } from '../../../support/long-test.ts';
import { newsOf } from '../../../support/samples/snapshot-of.ts';
import type { SeenRequest } from '../../../support/servers/scripted-compliance.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

const suspended = { status: 403, body: { title: 'shop suspended' } };

function isOf({ connection }: Connected): (request: SeenRequest) => boolean {
  return ({ body }) => body.includes(connection.shopId);
}

/** One delivery of this order, merged into the ledger; nobody is announced. Returns its id there. */
async function merged({ bridge }: World, { connection }: Connected, id: string): Promise<number> {
  const { normalize } = storefrontOf(storefronts, 'standard');
  const order = { type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(id) } };
  const normalized = normalize({ topic: 'order.paid', deliveryId: null, store: null }, order);
  const about = { connectionId: connection.id, topic: 'order.paid', platformDeliveryId: null, store: null, body: null, normalized };
  const delivery = { id: randomUUID(), arrivedAt: new Date().toISOString(), ...about };
  const key = { shopId: connection.shopId, platform: 'standard', store: 'corner', orderId: id };
  const { orders } = await recordOrders(bridge.pool, [{ delivery, key, news: newsOf(normalized), quietSeconds: 0 }]);
  return orders[0]?.id ?? 0;
}

describe('B8: a service that answers 403 to one shop', () => {
  longTest('holds up no order of another: 10 bad ones, 40 good ones', async () => {
    await using it = await world();
    const [bad, good] = [await it.bridge.connect(), await it.bridge.connect()];
    it.service.always((request) => (isOf(bad)(request) ? suspended : 'ok'));
    const pauses = () => it.bridge.app.core.destinations.pauses();
    for (let n = 1; n <= 10; n += 1) await it.bridge.send(bad, 'order.paid', { order: orderOf(`bad-${n}`) });
    await until(async () => (await pauses()).length === 1, { what: 'the shop to be paused' });
    const before = it.service.requests('POST').filter(isOf(bad)).length;

    for (let n = 1; n <= 40; n += 1) await it.bridge.send(good, 'order.paid', { order: orderOf(`good-${n}`) });
    await until(() => it.service.living === 40, { what: 'the good ones to be recorded' });

    // Each good order took one request, and meanwhile the bad shop had its probes alone.
    expect(it.service.requests('POST').filter(isOf(good))).toHaveLength(40);
    expect(it.service.requests('POST').filter(isOf(bad)).length - before).toBeLessThan(20);
    expect(await pauses()).toMatchObject([{ shopId: bad.connection.shopId, code: 'compliance.misconfigured', detail: '403 shop suspended' }]);

    it.service.always(null);
    await until(() => it.service.living === 50, { what: 'the bad ones to be recorded' });
    expect(await pauses()).toEqual([]);
  });

  test('and then to a second is paused for all, until another shop shows that it works', async () => {
    await using it = await world({ role: 'receiver' });
    const [bad, worse, good] = [await it.bridge.connect(), await it.bridge.connect(), await it.bridge.connect()];
    it.service.always((request) => (isOf(good)(request) ? 'ok' : suspended));
    const [first, second, third] = [await merged(it, bad, '1'), await merged(it, worse, '2'), await merged(it, good, '3')];
    await using submitter = submitterOf(it);
    const pauses = async () => (await it.bridge.app.core.destinations.pauses()).map(({ shopId }) => shopId);

    await submitter.attempt({ orderId: first });
    expect(await pauses()).toEqual([bad.connection.shopId]);
    await submitter.attempt({ orderId: second });
    expect(await pauses()).toEqual([bad.connection.shopId, worse.connection.shopId, null]);
    expect(await submitter.attempt({ orderId: third })).toMatchObject({ kind: 'paused' });

    expect(await submitter.attempt({ orderId: third, probe: true })).toMatchObject({ kind: 'rest', state: 'recorded' });
    expect(await pauses()).toEqual([bad.connection.shopId, worse.connection.shopId]);
  });

  test('is probed fairly: each of six bad orders before any of them twice', async () => {
    await using it = await world({ role: 'receiver' });
    const bad = await it.bridge.connect();
    it.service.always(suspended);
    for (let n = 1; n <= 6; n += 1) await merged(it, bad, String(n));
    await using submitter = submitterOf(it);
    const scope: Scope = { destinationId: bad.connection.destinationId, shopId: bad.connection.shopId, callType: 'records' };

    for (let rounds = 0; rounds < 12; rounds += 1) await probeOnce(it, submitter, scope);

    const probed = it.service.requests('POST').map(({ body }) => String(JSON.parse(body).internalId));
    expect(probed).toEqual(['1', '2', '3', '4', '5', '6', '1', '2', '3', '4', '5', '6']);
  });
});

type Submitter = ReturnType<typeof createSubmitter>;

/** A submitter whose orders the test processes. */
function submitterOf({ bridge }: World): Submitter & AsyncDisposable {
  const { core } = bridge.app;
  const queues = openQueues(core);
  const embeddedUrl = () => Promise.reject(new Error('there is none'));
  const submitter = createSubmitter({ core, queues, metrics: createMetrics(), embeddedUrl });
  const stack = new AsyncDisposableStack();
  stack.use(queues);
  stack.use(submitter);
  return { ...submitter, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function probeOnce({ bridge }: World, submitter: Submitter, scope: Scope): Promise<void> {
  const { pool } = bridge;
  const deps = {
    candidates: (where: Scope, size: number) => probeCandidates(pool, where, size),
    tried: (orderId: number) => stampTried(pool, orderId),
    attempt: async (orderId: number) => {
      let sent = false;
      const processed = await submitter.attempt({
        ...{ orderId, probe: true },
        onSent: () => {
          sent = true;
        },
      });
      return { processed, sent };
    },
    fetchLater: () => undefined,
    resume: () => Promise.reject(new Error('an order of the scope is behind')),
    onFailed: (_id: number, err: unknown) => {
      throw err;
    },
  };
  await probe(deps, scope);
}
