import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Connection } from '../../../../src/bridge/connections/connection.ts';
import { erase, forgetOldBuyers, type PrivacyScope } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { Secret } from '../../../../src/config/secret.ts';
import { type Dialect, embeddedDialect } from '../../../../src/contract/dialect.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { longTest } from '../../../support/long-test.ts';
import { Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, later, recorded, refundedInFull, totals, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const DAY_MS = 86_400_000;

const withPhone = orderOf('1', { updatedAt: later(1), customer: { email: 'maria@example.invalid', phone: '+359888123456' } });
const storeRow = rowsOf('orders', z.object({ store: z.string() }));
const stepRow = rowsOf('orders', z.object({ step: z.string() }));

const keptStep = async ({ bridge }: Pick<World, 'bridge'>) =>
  (await readOne(bridge.pool, stepRow, { text: `select coalesce(open_step::text, '') as step from orders` })).step;
const bodies = ({ service }: World) => new Set(service.requests('POST').map(({ body }) => body));
const keys = ({ service }: World) => new Set(service.requests('POST').map(({ headers }) => headers['idempotency-key']));

/** Its create is done and its reply lost; repeats are answered 500 until `always(null)`. */
async function lost({ bridge, service }: World, connected: Connected, order = orderOf('1')): Promise<void> {
  service.next('create', 'lose-reply');
  service.always({ status: 500 });
  await bridge.send(connected, 'order.paid', { order });
  await until(() => service.requests('POST').length > 1, { what: 'the create to be repeated' });
}

/** The order's news, or an erasure, and one more repeat after it. */
async function changed(it: World, change: () => Promise<unknown>): Promise<void> {
  await change();
  await until(async () => (await keptStep(it)).includes('"buyer"'), { what: 'the former buyer to be kept' });
}

describe('a repeat under one Idempotency-Key sends the same bytes', () => {
  test('though the buyer got a phone from a later webhook: they are kept, sealed, until the outcome is known', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await lost(it, connected);

    await changed(it, () => it.bridge.send(connected, 'order.updated', { order: withPhone }));

    expect(await keptStep(it)).toMatch(/"sentWith": "v1\./);
    expect(await keptStep(it)).not.toContain('maria');
    it.service.always(null);
    await it.bridge.settled(connected, '1', 'recorded');
    expect([bodies(it).size, keys(it).size, totals(it.service, '1')]).toEqual([1, 1, ['48.00']]);
    expect(await keptStep(it)).toBe('');
  });

  test('though it had no buyer then', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    const { customer: _none, ...nameless } = orderOf('1');
    await lost(it, connected, nameless);

    await changed(it, () => it.bridge.send(connected, 'order.updated', { order: withPhone }));

    expect(await keptStep(it)).not.toContain('sentWith');
    it.service.always(null);
    await it.bridge.settled(connected, '1', 'recorded');
    expect([bodies(it).size, keys(it).size]).toEqual([1, 1]);
  });

  longTest('though the program is told of another way to write amounts', async () => {
    await using it = await world({ role: 'receiver' });
    const connected = await it.bridge.connect();
    const before = await workerFor(it, 'minor');
    await lost(it, connected);
    await before[Symbol.asyncDispose]();
    expect(it.service.requests('POST')[0]?.body).toContain('"price":2400');
    it.service.always(null);

    await using _after = await workerFor(it, 'decimal');

    await it.bridge.settled(connected, '1', 'recorded');
    expect([bodies(it).size, keys(it).size]).toEqual([1, 1]);
  });

  test.each<[string, (it: World, connected: Connected) => Promise<unknown>]>([
    ['they asked for it', async (it, { connection }) => erase(it.bridge.pool, await scopeOf(it, connection))],
    ['they were kept for long enough', async ({ bridge }) => forgetOldBuyers(bridge.pool, { days: 1, now: new Date(Date.now() + 2 * DAY_MS) })],
  ])('or a person is asked, once the buyer is erased: %s', async (_why, forget) => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await lost(it, connected);
    await it.bridge.send(connected, 'order.updated', { order: withPhone });
    await until(async () => (await keptStep(it)).includes('sentWith'), { what: 'the former buyer to be kept' });

    await forget(it, connected);

    expect(await keptStep(it)).toContain('"buyer": "erased"');
    expect(await keptStep(it)).not.toContain('sentWith');
    await it.bridge.settled(connected, '1', 'unconfirmed');
    expect([bodies(it).size, totals(it.service, '1')]).toEqual([1, ['48.00']]);
  });
});

describe('a buyer who does not open', () => {
  const spoil = ({ bridge }: World) => bridge.pool.query('update customers set data = set_byte(data, 40, get_byte(data, 40) # 1)');

  test('is left out of a replacement; a full refund deletes it; and a newer state of the order brings them back', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    const nameless = (order: Record<string, unknown>) => ({ order: { ...order, customer: undefined } });
    await recorded(it, connected, '1');
    await spoil(it);

    await it.bridge.send(connected, 'order.updated', nameless(edited('1', 5, '30.00')));
    await until(() => totals(it.service, '1').join() === '30.00', { what: 'the edit to be recorded' });
    expect((await it.bridge.settled(connected, '1', 'recorded')).customer).toEqual({ kind: 'unopened' });
    expect(it.service.current('1')[0]?.dto.customer).toBeUndefined();
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 6, '20.00') });
    await until(() => totals(it.service, '1').join() === '20.00', { what: 'the second edit to be recorded' });
    expect((await it.bridge.settled(connected, '1', 'recorded')).customer.kind).toBe('known');
    expect(it.service.current('1')[0]?.dto.customer).toMatchObject({ email: 'maria@example.invalid' });
    await spoil(it);
    await it.bridge.send(connected, 'order.updated', nameless(refundedInFull('1', 7)));

    await it.bridge.settled(connected, '1', 'removed');
    expect(totals(it.service, '1')).toEqual([]);
    expect(it.service.requests('POST')).toHaveLength(3);
  });

  test('may have been sent with an open create: that is not repeated without them', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await lost(it, connected);
    await spoil(it);

    await it.bridge.settled(connected, '1', 'unconfirmed');
    await it.bridge.send(connected, 'order.updated', { order: withPhone });

    await until(async () => (await keptStep(it)).includes('"buyer": "erased"'), { what: 'the former buyer to be given up' });
    expect([bodies(it).size, keys(it).size, totals(it.service, '1')]).toEqual([1, 1, ['48.00']]);
  });
});

async function scopeOf({ bridge }: World, { shopId, platform }: Connection): Promise<PrivacyScope> {
  const { store } = await readOne(bridge.pool, storeRow, { text: 'select store from orders' });
  return { shopId, platform, store, orderIds: ['1'], until: new Date().toISOString() };
}

/** A worker of the world, whose program is told that the service takes amounts so. */
function workerFor({ databaseUrl, redisUrl, service }: World, amounts: 'decimal' | 'minor'): Promise<Bridge> {
  const dialect: Dialect = { ...embeddedDialect, amounts };
  const config = { compliance: { kind: 'remote', baseUrl: service.url, apiKey: 'key', apiSecret: new Secret('secret'), dialect } } as const;
  return Bridge.start({ databaseUrl, redisUrl, role: 'worker', config });
}
