import { describe, expect, test } from 'vitest';
import { openRecordAccess } from '../../../../src/app/record-access.ts';
import { confirmOrder } from '../../../../src/bridge/ledger/review/resolutions.ts';
import { confirmOrder as confirmByPerson } from '../../../../src/operations/orders/confirm-order.ts';
import { listWaiting } from '../../../../src/operations/orders/list-review.ts';
import { longTest } from '../../../support/long-test.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { callerOf, shopDto } from '../../../support/worlds/compliance-caller.ts';
import { until } from '../../../support/worlds/settled.ts';
import { edited, recorded, refundedInFull, totals, useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();

const ingress = { status: 404, text: '404 page not found' };
const OTHERS_WORK = { leaseSeconds: 20 };

/** The service's own 404 is known after a first record. */
async function learned(it: World, { connection }: Connected): Promise<void> {
  const { destinations } = it.bridge.app.core;
  await until(async () => (await destinations.unknownOrderAnswerOf(connection.destinationId)) !== null, { what: 'the service’s 404 to be known' });
}

function idOf({ service }: World, id: string): string {
  return service.current(id)[0]?.id ?? '';
}

/** The delete of order 20 has met the ingress' 404, and goes on meeting it; other orders are recorded. */
async function disbelieved(it: World): Promise<Connected> {
  const connected = await it.bridge.connect();
  await recorded(it, connected, '20');
  await learned(it, connected);
  it.service.always(({ kind }) => (kind === 'delete' ? ingress : 'ok'));
  await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('20', 1) });
  await until(async () => (await doubtOf(it, connected)) !== null, { what: 'the 404 to be uncertain' });
  return connected;
}

async function doubtOf({ bridge }: World, connected: Connected): Promise<string | null> {
  const step = (await bridge.order(connected, '20'))?.openStep;
  return step?.kind === 'delete' ? (step.since ?? null) : null;
}

/** As if its delete had been uncertain for six hours: the worker is done with it, and tries it again at once. */
async function sixHoursLater({ bridge }: World): Promise<void> {
  await until(
    async () =>
      (
        await bridge.pool.query(`update bridge.orders set open_step = jsonb_set(open_step, '{since}', to_jsonb((now() - interval '6 hours')::text))
        where open_step ? 'since' and lease_until is null`)
      ).rowCount === 1,
    { what: 'the order to be free' },
  );
}

/** Its record is not deleted yet: another order is recorded, which shows that the service works. */
async function unconfirmed(it: World): Promise<Connected> {
  const connected = await disbelieved(it);
  await sixHoursLater(it);
  await recorded(it, connected, '30');
  await it.bridge.settled(connected, '20', 'unconfirmed');
  return connected;
}

describe('a 404 to a delete', () => {
  test('A3: an ingress answers 404 to everything while an order is refunded in full: its record is deleted all the same', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '20');
    it.service.always(ingress);

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('20', 1) });
    await until(() => it.service.requests('DELETE').length >= 2, { what: 'the delete to be repeated' });
    expect((await it.bridge.order(connected, '20'))?.complianceId).toBe(idOf(it, '20'));
    it.service.always(null);

    await it.bridge.settled(connected, '20', 'removed');
    expect(it.service.current('20')).toEqual([]);
  });

  test('A3: an ingress answers 404 to everything while an order is edited: it is recorded once, with the edit', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '21');
    await learned(it, connected);
    it.service.always(ingress);

    await it.bridge.send(connected, 'order.updated', { order: edited('21', 1, '36.00') });
    await until(() => it.service.requests('DELETE').length >= 2, { what: 'the delete to be repeated' });
    it.service.always(null);

    await until(() => totals(it.service, '21').join() === '36.00', { what: 'the edit alone to be recorded' });
    await it.bridge.settled(connected, '21', 'recorded');
    expect(totals(it.service, '21')).toEqual(['36.00']);
  });

  longTest('A3: another program answers in the service’s shape: the 404 to the create takes the belief back', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '21');
    await learned(it, connected);
    const first = idOf(it, '21');
    it.service.next('delete', { status: 404, body: { title: 'Cannot DELETE /order' } });
    it.service.next('create', ingress);

    await it.bridge.send(connected, 'order.updated', { order: edited('21', 1, '36.00') });
    await until(() => totals(it.service, '21').join() === '36.00', { what: 'the edit alone to be recorded' });
    const order = await it.bridge.settled(connected, '21', 'recorded');
    expect(await it.bridge.pool.query('select 1 from bridge.orders where uncertain is not null')).toMatchObject({ rowCount: 0 });
    const steps = await it.bridge.steps(order);
    expect(steps.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      ...['create recorded', 'delete gone', 'create shop-unknown', 'delete deleted', 'create recorded'],
    ]);
    expect(steps.filter(({ kind }) => kind === 'delete').map(({ complianceId }) => complianceId)).toEqual([first, first]);
  });

  test('in the service’s own shape is believed', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '20');
    await learned(it, connected);
    it.service.next('delete', 'lose-reply', 'lose-reply', 'lose-reply');

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('20', 1) });

    const order = await it.bridge.settled(connected, '20', 'removed');
    expect((await it.bridge.steps(order)).at(-1)).toMatchObject({ kind: 'delete', outcome: 'gone', status: 404 });
  });

  test('of the embedded service is believed from the start', async () => {
    await using it = await world({ embeddedService: true });
    const { destinations } = it.bridge.app.core;
    const embedded = await destinations.find(await it.bridge.embeddedDestinationId());
    if (embedded === null) throw new Error('there is no embedded service');
    const call = callerOf(it.bridge.app.url, embedded.credentials);
    const shop = await call('POST', '/shop', { body: shopDto() });
    const connected = await it.bridge.connect({ shopId: String(shop.body['id']) });
    await recorded(it, connected, '20');
    const order = await it.bridge.order(connected, '20');
    expect(await call('DELETE', `/order/${order?.complianceId}`)).toMatchObject({ status: 200 });

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('20', 1) });

    const removed = await it.bridge.settled(connected, '20', 'removed');
    expect((await it.bridge.steps(removed)).at(-1)).toMatchObject({ kind: 'delete', outcome: 'gone', status: 404 });
    expect(await destinations.unknownOrderAnswerOf(embedded.id)).toBeNull();
  });

  longTest('that is not believed for six hours, while other orders are recorded, is asked of a person', async () => {
    await using it = await world({ config: OTHERS_WORK });
    const connected = await unconfirmed(it);

    const waiting = await listWaiting({ pool: it.bridge.pool });

    const id = idOf(it, '20');
    expect(waiting.orders).toMatchObject([{ orderId: '20', state: 'unconfirmed', todo: expect.stringContaining(`--recorded ${id}`) }]);
    expect((await it.bridge.order(connected, '20'))?.complianceId).toBe(id);
    expect(await it.bridge.app.core.destinations.pauses()).toEqual([]);
  });

  test('that a person calls wrong: the delete is sent again', async () => {
    await using it = await world({ config: OTHERS_WORK });
    const connected = await unconfirmed(it);
    it.service.always(null);
    const { id } = await it.bridge.settled(connected, '20', 'unconfirmed');

    expect(await confirmOrder(it.bridge.pool, id, { seq: 2, recorded: idOf(it, '20'), by: 'cli:test@here' })).toBe('confirmed');

    const order = await it.bridge.settled(connected, '20', 'removed');
    expect(it.service.current('20')).toEqual([]);
    expect((await it.bridge.steps(order)).map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'create recorded',
      'delete not-deleted',
      'delete deleted',
    ]);
  });

  test('a person can’t say that it is gone while the service has it, nor name the record of another order', async () => {
    await using it = await world({ config: OTHERS_WORK });
    const connected = await unconfirmed(it);
    it.service.always(null);
    const { id, record, shopId } = await it.bridge.settled(connected, '20', 'unconfirmed');
    const { core } = it.bridge.app;
    await using access = await openRecordAccess(core);
    // As a service that shows its records.
    const records = { ...access.records, readRecord: async () => ({ record, shopId }) as never };
    const deps = { ...access, records, pool: core.pool, notify: () => undefined };

    const say = (recorded: string | null) => confirmByPerson(deps, { named: `id:${id}`, recorded, by: 'cli:test@here' });
    const refused = { kind: 'conflict', what: expect.stringContaining(idOf(it, '20')) };

    await expect(say(idOf(it, '30'))).rejects.toMatchObject(refused);
    await expect(say(null)).rejects.toMatchObject(refused);
    await it.bridge.settled(connected, '20', 'unconfirmed');
    expect(it.service.current('30')).toHaveLength(1);
  });

  test('that a person calls right: the record is gone', async () => {
    await using it = await world({ config: OTHERS_WORK });
    const connected = await unconfirmed(it);
    const { id } = await it.bridge.settled(connected, '20', 'unconfirmed');
    const deletes = it.service.requests('DELETE').length;

    expect(await confirmOrder(it.bridge.pool, id, { seq: 2, recorded: null, by: 'cli:test@here' })).toBe('confirmed');

    expect((await it.bridge.settled(connected, '20', 'removed')).complianceId).toBeNull();
    expect(it.service.requests('DELETE')).toHaveLength(deletes);
  });
});

describe('the shape of a service’s 404', () => {
  test('is learned beside the orders, once for many', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    it.service.next('absence', { hangMs: 300 });
    for (const id of ['1', '2', '3']) await recorded(it, connected, id);

    await learned(it, connected);

    expect(await it.bridge.app.core.destinations.unknownOrderAnswerOf(connected.connection.destinationId)).toMatchObject({ keys: ['title'] });
    expect(it.service.absencesAsked).toBe(1);
  });

  test('that is no JSON is not learned, and the order is none the worse', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    it.service.next('absence', ingress);

    await recorded(it, connected, '1');
    await until(() => it.service.absencesAsked === 1, { what: 'it to be asked for' });
    await recorded(it, connected, '2');

    expect(await it.bridge.app.core.destinations.unknownOrderAnswerOf(connected.connection.destinationId)).toBeNull();
    expect(await it.bridge.app.core.destinations.pauses()).toEqual([]);
  });
});

test('a record that moves to another destination is not deleted while that one is paused', async () => {
  await using it = await world();
  const { cache, destinations } = it.bridge.app.core;
  const [connected, other] = [await it.bridge.connect(), await it.bridge.connect()];
  await recorded(it, connected, '1');
  const elsewhere = await destinations.ensure(it.service.url, { apiKey: 'another-key', apiSecret: 'secret' });
  await it.bridge.pool.query('update bridge.connections set destination_id = $1', [elsewhere]);
  cache.forget();
  it.service.always(({ headers }) => (headers['x-api-key'] === 'another-key' ? { status: 401 } : 'ok'));
  await it.bridge.send(other, 'order.paid', { order: orderOf('2') });
  await until(async () => (await destinations.pauses()).length === 1, { what: 'the new destination to be paused' });

  await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '36.00') });
  await until(async () => (await it.bridge.order(connected, '1'))?.revision === 2, { what: 'the edit to be merged' });
  // Orders that are due are claimed meanwhile.
  await recorded(it, await it.bridge.connect(), '3');
  expect(it.service.requests('DELETE')).toEqual([]);
  expect(totals(it.service, '1')).toEqual(['48.00']);

  it.service.always(null);
  await until(() => totals(it.service, '1').join() === '36.00', { what: 'the edit to be recorded' });
  await it.bridge.settled(connected, '1', 'recorded');
  expect(it.service.requests('DELETE').map(({ headers }) => headers['x-api-key'])).toEqual(['key']);
  expect(it.service.requests('POST').at(-1)?.headers['x-api-key']).toBe('another-key');
});
