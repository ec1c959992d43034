import { expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { countInReview, countStates } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { ordersInReview as review } from '../../../src/bridge/ledger/review/release-from-review.ts';
import { changeSettings } from '../../../src/operations/connections/change-settings.ts';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { releaseOneFirst } from '../../../src/operations/one-first.ts';
import { type ReleaseCode, releaseCode } from '../../../src/operations/orders/release-orders.ts';
import { readActs } from '../../../src/platform/audit-log/audit-log.ts';
import type { Behaviour, SeenRequest } from '../../support/servers/scripted-compliance.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { until } from '../../support/worlds/settled.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useClearedWorlds();
const TYPO = 'payments.econt_pay.paymentType=POSTAL';
const RIGHT = 'payments.econt_pay.paymentType=POSTAL_PAYMENT';
const FIRST_TRY = { waitMs: 30_000 };
const AT_ONCE = 20;
const MANY = 300;

/** A service that knows one payment type beside Stripe's, as ours does of many. */
function knowsPostalPayment({ kind, body }: SeenRequest): Behaviour {
  if (kind !== 'create' || /"paymentType":"(POSTAL_PAYMENT|PAYMENT_PROCESSOR)"/.test(body)) return 'ok';
  return { status: 400, body: { title: 'paymentType: must be one of PAYMENT_PROCESSOR, POSTAL_PAYMENT' } };
}

/** Paid orders that wait for a person, since their method has no type. */
async function ordersInReview({ bridge }: World, connected: Connected, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, i) => String(i + 1));
  const send = (id: string) => bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: 'econt_pay' } }) });
  for (let from = 0; from < count; from += AT_ONCE) await Promise.all(ids.slice(from, from + AT_ONCE).map(send));
  const inReviewNow = async () => (await bridge.pool.query(`select from orders where state = 'review' and lease_until is null`)).rowCount ?? 0;
  await until(async () => (await inReviewNow()) >= count, { what: `${count} orders to be sent to review, and their attempts over`, timeoutMs: 90_000 });
}

async function setting(it: World, connected: Connected, set: string) {
  const { core } = it.bridge.app;
  // The sweeper wakes what is released.
  const deps = { pool: core.pool, connections: core.connections, notify: () => undefined };
  return changeSettings(deps, { id: connected.connection.id, by: 'cli:maria@shop', why: 'Econt', firstTry: FIRST_TRY, changes: { set: [set], unset: [] } });
}

function release(it: World, request: Partial<ReleaseCode> = {}) {
  const { core } = it.bridge.app;
  const deps = { pool: core.pool, connections: core.connections, notify: () => undefined };
  return releaseCode(deps, { code: 'payment.unmapped', connection: null, by: 'cli:maria@shop', firstTry: FIRST_TRY, ...request });
}

/** Maps the method by hand, so that nothing is released by it. */
async function mapped({ bridge }: World, { connection }: Connected, paymentType = 'POSTAL_PAYMENT'): Promise<void> {
  const edit = () => ({ ...connection.settings, payments: { ...connection.settings.payments, econt_pay: { paymentType } } });
  await bridge.app.core.connections.changeSettings(connection.id, { by: 'test', edit });
}

const states = (it: World) => countStates(it.bridge.pool);

test(`F3: one typo in a mapping costs one refused order of ${MANY}, and its correction records them all`, { timeout: 240_000 }, async () => {
  await using it = await world();
  it.service.always(knowsPostalPayment);
  const connected = await it.bridge.connect();
  await ordersInReview(it, connected, MANY);

  const typo = await setting(it, connected, TYPO);
  expect(typo.warnings).toMatchObject([{ en: expect.stringContaining('payments.econt_pay.paymentType is POSTAL, which is none of') }]);
  expect(typo.again).toMatchObject({
    released: 1,
    notReleased: [{ codes: ['payment.unmapped'], orders: MANY - 1, tried: [{ state: 'review', code: 'compliance.refused' }] }],
  });
  expect(await countInReview(it.bridge.pool)).toEqual({ 'compliance.refused': 1, 'payment.unmapped': MANY - 1 });
  expect(it.service.requests('POST')).toHaveLength(1);

  const corrected = await setting(it, connected, RIGHT);
  expect(corrected.again).toEqual({ released: MANY });
  expect(corrected.difference).toEqual([{ path: 'payments.econt_pay.paymentType', before: 'POSTAL', after: 'POSTAL_PAYMENT' }]);
  await until(async () => expect(await states(it)).toEqual({ recorded: MANY }), { what: 'all to be recorded', timeoutMs: 90_000 });
  expect(it.service.living).toBe(MANY);
});

test('at our own service the typo is refused where it is given, and nothing is changed', async () => {
  await using it = await world({ embeddedService: true });
  const connected = await it.bridge.connect();
  const { id } = connected.connection;

  await expect(setting(it, connected, TYPO)).rejects.toMatchObject({ kind: 'invalid', what: expect.stringContaining('did you mean POSTAL_PAYMENT?') });
  await expect(setting(it, connected, 'vatGroups.9=GROUP_X')).rejects.toThrow('vatGroups.9 is GROUP_X');
  await expect(setting(it, connected, 'payments.card.paymentType=PAYMENT_PROCESSOR')).rejects.toThrow('payments.card.paymentProcessorName is missing');
  expect(await readActs(it.bridge.pool, BRIDGE_AUDIT_LOG, { limit: 10 })).toMatchObject([{ act: 'store.connected' }]);
  // What is stored already stays, and does not stand in the way of other changes.
  await it.bridge.pool.query(`update connections set settings = settings || '{"vatGroups": {"9": "GROUP_X"}}' where id = $1`, [id]);
  const { warnings, connection } = await setting(it, connected, 'freeOrders=record');
  expect(warnings).toMatchObject([{ en: expect.stringContaining('vatGroups.9 is GROUP_X') }]);
  expect(connection.settings).toMatchObject({ freeOrders: 'record', vatGroups: { '9': 'GROUP_X' } });
  const [listed] = await listConnections(it.bridge.app.core, 'https://bridge.example');
  expect(listed?.warnings).toEqual([expect.stringContaining('vatGroups.9 is GROUP_X')]);
});

test('a change is in the audit log with what was before, and so is each order that it released', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await ordersInReview(it, connected, 2);

  await setting(it, connected, RIGHT);

  const acts = await readActs(it.bridge.pool, BRIDGE_AUDIT_LOG, { connectionId: connected.connection.id, limit: 10 });
  const of = (name: string) => acts.filter(({ act }) => act === name);
  expect(of('settings.changed')).toMatchObject([
    { who: 'cli:maria@shop', why: 'Econt', after: { payments: { econt_pay: { paymentType: 'POSTAL_PAYMENT' } } } },
  ]);
  expect(of('settings.changed')[0]?.before).not.toHaveProperty('payments.econt_pay');
  expect(of('order.released')).toMatchObject([1, 2].map(() => ({ who: 'cli:maria@shop', before: { code: 'payment.unmapped' }, orderRef: expect.any(Number) })));
});

test('a refused order is decided again only if another record would be sent', async () => {
  await using it = await world();
  it.service.always(knowsPostalPayment);
  const connected = await it.bridge.connect({ settings: { payments: { econt_pay: { paymentType: 'POSTAL' } } } });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'econt_pay' } }) });
  await it.bridge.settled(connected, '1', 'review');

  expect((await setting(it, connected, 'vatGroups.5=GROUP_A')).again.released).toBe(0);
  expect((await setting(it, connected, RIGHT)).again.released).toBe(1);

  await it.bridge.settled(connected, '1', 'recorded');
});

test('of two changes at once none is lost', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const rates = Array.from({ length: 8 }, (_, i) => String(i + 1));

  await Promise.all(rates.map((rate) => setting(it, connected, `vatGroups.${rate}=GROUP_A`)));

  const kept = await it.bridge.app.core.connections.find(connected.connection.id);
  expect(Object.keys(kept?.settings.vatGroups ?? {})).toEqual(expect.arrayContaining(rates));
});

test('release by code tries three of more than 20, and says why the rest stay', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const beside = await it.bridge.connect({ name: 'beside' });
  await ordersInReview(it, connected, 25);

  const unmapped = await release(it);

  const tried = [1, 2, 3].map(() => ({ state: 'review', code: 'payment.unmapped', detail: expect.stringContaining('econt_pay') }));
  expect(unmapped).toMatchObject({ released: 3, notReleased: [{ connectionId: connected.connection.id, orders: 22, tried }] });

  await mapped(it, connected);
  expect(await release(it, { connection: 'BESIDE' })).toMatchObject({ released: 0, stores: [] });
  expect(beside.connection.name).toBe('beside');
  expect(await release(it, { connection: connected.connection.id })).toMatchObject({
    released: 25,
    stores: [{ connectionId: connected.connection.id, name: 'corner', released: 25 }],
    notReleased: [],
  });
  await until(async () => expect(await states(it)).toEqual({ recorded: 25 }), { what: 'all to be recorded' });
});

test('a refusal of what a worker made with earlier settings is no answer', async () => {
  await using it = await world();
  it.service.always(knowsPostalPayment);
  const connected = await it.bridge.connect();
  await ordersInReview(it, connected, 21);
  await mapped(it, connected, 'POSTAL');
  const { pool } = it.bridge;
  const orders = await review(pool, { codes: ['payment.unmapped'], connectionId: null });
  const isOutdated = async () => {
    await mapped(it, connected);
    return true;
  };

  const groups = [{ connectionId: connected.connection.id, orders }];
  const { released, notReleased } = await releaseOneFirst(
    { pool, notify: () => undefined },
    { groups, by: 'test', firstTry: FIRST_TRY, endsAtRefusal: { isOutdated } },
  );

  expect([released.length, notReleased]).toEqual([expect.toSatisfy((count) => count === 20 || count === 21, 'all, but for one that a worker has'), []]);
  await until(async () => expect(await states(it)).toEqual({ recorded: 21 }), { what: 'all to be recorded' });
});

test('the rest follow if the first was an order of its own kind, and the second is recorded', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await ordersInReview(it, connected, 21);
  await mapped(it, connected);
  it.service.next('create', { status: 422, body: { title: 'not this one' } });

  expect(await release(it)).toMatchObject({ released: 21, notReleased: [] });

  await until(async () => expect(await states(it)).toEqual({ review: 1, recorded: 20 }), { what: 'the others to be recorded' });
});

test('while nothing works, the first waits and the rest stay in review; all at once, none waits', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await ordersInReview(it, connected, 21);
  await mapped(it, connected);
  await it.service.down();
  const stop = new AbortController();

  const waiting = release(it, { firstTry: { waitMs: 30_000, signal: stop.signal } });
  await until(async () => (await states(it)).queued === 1, { what: 'a person to end the command after the first' });
  stop.abort();

  expect(await waiting).toMatchObject({ released: 1, notReleased: [{ orders: 20, tried: [{ state: null }] }] });
  expect(await states(it)).toEqual({ queued: 1, review: 20 });
  expect(await release(it, { firstTry: null })).toMatchObject({ released: 20, notReleased: [] });
  expect(await states(it)).toEqual({ queued: 21 });
});

test('orders that are paid and taxed otherwise are tried apart', async () => {
  await using it = await world();
  it.service.always(knowsPostalPayment);
  const connected = await it.bridge.connect();
  await ordersInReview(it, connected, 15);
  for (let id = 16; id <= 30; id++) await it.bridge.send(connected, 'order.paid', { order: orderOf(String(id), { payment: { method: 'bank' } }) });
  await until(async () => (await countInReview(it.bridge.pool))['payment.unmapped'] === 30, { what: '30 orders to be sent to review' });
  const { core } = it.bridge.app;
  const changes = { set: [RIGHT, 'payments.bank.paymentType=BANK'], unset: [] };

  const { again } = await changeSettings(
    { pool: core.pool, connections: core.connections, notify: () => undefined },
    { id: connected.connection.id, by: 'test', firstTry: FIRST_TRY, changes },
  );

  expect(again).toMatchObject({ released: 16, notReleased: [{ orders: 14 }] });
  await until(async () => expect(await states(it)).toEqual({ review: 15, recorded: 15 }), { what: 'those of Econt to be recorded' });
});

test('a virtual terminal whose orders have no transaction id is warned about', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  for (const [id, payment] of [
    ['1', { method: 'bare' }],
    ['2', { method: 'sound', transactionId: 'pos_1' }],
  ] as const)
    await it.bridge.send(connected, 'order.paid', { order: orderOf(id, { payment }) });
  await until(async () => (await countInReview(it.bridge.pool))['payment.unmapped'] === 2, { what: 'both to be sent to review' });
  const { core } = it.bridge.app;
  const changes = { set: ['payments.bare.paymentType=VIRTUAL_POS', 'payments.sound.paymentType=VIRTUAL_POS'], unset: [] };

  const { warnings } = await changeSettings(
    { pool: core.pool, connections: core.connections, notify: () => undefined },
    { id: connected.connection.id, by: 'test', changes },
  );

  expect(warnings).toMatchObject([
    ...['bare', 'sound'].map((id) => ({ en: `payments.${id}.paymentProcessorName has no number: that of the virtual POS must be given` })),
    { en: expect.stringMatching(/^payments\.bare\.paymentType is VIRTUAL_POS.*the only paid order of it that is known has none/) },
  ]);
});
