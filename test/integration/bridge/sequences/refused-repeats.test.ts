import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../src/bridge/connections/connection.ts';
import { confirmOrder } from '../../../../src/bridge/ledger/review/resolutions.ts';
import { releaseOrder } from '../../../../src/operations/orders/release-orders.ts';
import { longTest } from '../../../support/long-test.ts';
import { drawn } from '../../../support/run-size.ts';
import type { Behaviour } from '../../../support/servers/scripted-compliance.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { callerOf, shopDto } from '../../../support/worlds/compliance-caller.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, recorded, refundedInFull, totals, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

const refused: Behaviour = { status: 422, body: { title: 'not like this' } };
const REFUSALS = [400, 409, 413, 422];
const PAUSES = [401, 403, 404, 429, 503];
const by = 'cli:test';

/** Its first create is done and its reply lost; the repeat is refused. */
async function lostAndRefused({ bridge, service }: World, connected: Connected, status = 422): Promise<void> {
  service.next('create', 'lose-reply', { status, body: { title: 'not like this' } });
  await bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await until(() => service.requests('POST').length === 2, { what: 'the create to be repeated' });
}

async function resolved({ bridge, service }: World, connected: Connected): Promise<void> {
  const order = await bridge.order(connected, '1');
  const [record] = service.current('1');

  const said = { seq: order?.openStep?.seq ?? null, recorded: record?.id ?? null, by };
  expect(await confirmOrder(bridge.pool, order?.id ?? 0, said)).toBe('confirmed');
}

describe('a repeat that is refused leaves the step open', () => {
  test.each(drawn(REFUSALS))('after %i a person is asked, and a full refund deletes what was recorded once they have said it', async (status) => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await lostAndRefused(it, connected, status);
    const order = await it.bridge.settled(connected, '1', 'unconfirmed');
    expect((await it.bridge.steps(order)).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      [status === 409 ? 'conflict' : 'refused', `${status} not like this`],
    ]);

    it.service.next('create', { status, body: {} });
    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('1', 1) });
    await until(() => it.service.requests('POST').length === 3, { what: 'the create to be repeated once more' });
    await it.bridge.settled(connected, '1', 'unconfirmed');
    expect(totals(it.service, '1')).toEqual(['48.00']);

    await resolved(it, connected);
    await it.bridge.settled(connected, '1', 'removed');
    expect(it.service.current('1')).toEqual([]);
  });

  test.each(drawn(PAUSES))('%i pauses, and the same create is sent again', async (status) => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await lostAndRefused(it, connected, status);

    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('a record that a replacement was sent for is not put back beside it', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    it.service.next('create', 'lose-reply', refused);

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });

    const { review, complianceId } = await it.bridge.settled(connected, '1', 'unconfirmed');
    expect([totals(it.service, '1'), review, complianceId]).toEqual([['30.00'], null, null]);
    await resolved(it, connected);
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['30.00']);
  });

  test('a record that was deleted, and stands all the same, is not what the lost create made', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    const id = it.service.current('1')[0]?.id;
    it.service.next('delete', { status: 200, body: {} });
    it.service.next('create', 'lose-request', { status: 409, body: { id, title: 'it is recorded' } });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });

    const order = await it.bridge.settled(connected, '1', 'unconfirmed');
    expect([totals(it.service, '1'), order.complianceId]).toEqual([['48.00'], null]);
    expect((await it.bridge.steps(order)).at(-1)).toMatchObject({ kind: 'create', outcome: 'conflict', complianceId: id });
  });

  test('nobody can release it as if nothing were recorded, and new settings do not', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await lostAndRefused(it, connected);
    const { id } = await it.bridge.settled(connected, '1', 'unconfirmed');

    const released = releaseOrder({ pool: it.bridge.pool, notify: () => undefined }, `id:${id}`, { by });

    await expect(released).rejects.toThrow('is unconfirmed');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('where keys are ignored and the merchant says to resend, too', async () => {
    await using it = await world({ idempotencyKey: 'ignored' });
    const connected = await it.bridge.connect({ settings: { unknownOutcome: 'resend' } });
    await lostAndRefused(it, connected);

    await it.bridge.settled(connected, '1', 'unconfirmed');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('of a delete: its record does not count as current again', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    // A delete is tried three times at once.
    it.service.next('delete', 'lose-reply', 'lose-reply', 'lose-reply', refused);
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await it.bridge.settled(connected, '1', 'unconfirmed');
    it.service.next('delete', refused);

    // What is desired again is what was recorded, and is deleted by now.
    await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: '2026-11-01T10:05:00Z' }) });

    await until(async () => ((await it.bridge.order(connected, '1'))?.reviewRevision ?? 0) >= 3, { what: 'the edit to be looked at' });
    await it.bridge.settled(connected, '1', 'unconfirmed');
    await resolved(it, connected);
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });
});

describe('our own service lists its records, and nobody is asked', () => {
  async function connect({ bridge }: World): Promise<Connected & { connection: Connection }> {
    const embedded = await bridge.app.core.destinations.find(await bridge.embeddedDestinationId());
    if (embedded === null) throw new Error('there is no embedded service');
    const shop = await callerOf(bridge.app.url, embedded.credentials)('POST', '/shop', { body: shopDto() });
    return bridge.connect({ shopId: String(shop.body['id']) });
  }

  async function injectFaults({ bridge }: World, ...faults: object[]): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${bridge.app.url}/faults`, { method: 'PUT', body: JSON.stringify({ faults }), headers })).ok).toBe(true);
  }

  test('if the record of a refused repeat is there', async () => {
    await using it = await world({ embeddedService: true, config: { complianceFaults: true } });
    const connected = await connect(it);
    await injectFaults(it, { on: 'create', do: 'lose-reply' }, { on: 'create', do: 'status', status: 422 });

    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });

    const order = await it.bridge.settled(connected, '1', 'recorded');
    expect((await it.bridge.steps(order)).map(({ outcome, attempts, complianceId }) => [outcome, attempts, complianceId])).toEqual([
      ['recorded', 2, order.complianceId],
    ]);
  });

  longTest('if it is not there', async () => {
    await using it = await world({ embeddedService: true, config: { complianceFaults: true } });
    const connected = await connect(it);
    await injectFaults(it, { on: 'create', do: 'status', status: 500 }, { on: 'create', do: 'status', status: 422 });

    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });

    expect((await it.bridge.settled(connected, '1', 'review')).review?.code).toBe('compliance.refused');
  });

  longTest('if the record of a refused delete is gone', async () => {
    await using it = await world({ embeddedService: true, config: { complianceFaults: true } });
    const connected = await connect(it);
    await recorded(it, connected, '1');
    await injectFaults(it, ...Array.from({ length: 3 }, () => ({ on: 'delete', do: 'lose-reply' })), { on: 'delete', do: 'status', status: 422 });

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('1', 1) });

    await it.bridge.settled(connected, '1', 'removed');
  });
});
