import { describe, expect, test } from 'vitest';
import { openRecordAccess } from '../../../src/app/record-access.ts';
import { createClaimStore } from '../../../src/bridge/ledger/orders/claim-store.ts';
import { recordLateReply } from '../../../src/bridge/ledger/orders/late-reply.ts';
import { resolveOrder as resolveInLedger } from '../../../src/bridge/ledger/review/resolutions.ts';
import { changeSettings } from '../../../src/operations/connections/change-settings.ts';
import { listReview } from '../../../src/operations/orders/list-review.ts';
import { releaseCode, releaseOrder } from '../../../src/operations/orders/release-orders.ts';
import { decideRemoval, type ResolveInput, resolveOrder } from '../../../src/operations/orders/resolve-order.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { until } from '../../support/worlds/settled.ts';
import { later, refundedInFull, totals, type World } from '../../support/worlds/world.ts';

const world = useClearedWorlds();
const said = { by: 'cli:ana@office', why: 'looked it up' };
const byHand = { how: 'recorded', recorded: 'by-hand-1' } as const;

async function resolve({ bridge }: World, input: Pick<ResolveInput, 'outcome'> & { named?: string }) {
  const { core } = bridge.app;
  await using access = await openRecordAccess(core);
  return await resolveOrder(
    { ...access, pool: core.pool, connections: core.connections, notify: () => undefined, now: Date.now },
    { named: '1', ...said, ...input },
  );
}

/** Paid by something that the settings do not know. */
const unmapped = (changes: Record<string, unknown> = {}) => orderOf('1', { payment: { method: 'shells' }, ...changes });

async function review({ bridge }: World): Promise<Connected> {
  const connected = await bridge.connect();
  await bridge.send(connected, 'order.paid', { order: unmapped() });
  await bridge.settled(connected, '1', 'review');
  return connected;
}

test('a service that shows no records is not asked: the word is taken, and a later refund deletes that record', async () => {
  await using it = await world();
  const connected = await review(it);
  it.service.adopt(['by-hand-1']);

  expect(await resolve(it, { outcome: byHand })).toMatchObject({ isRead: false });

  const order = await it.bridge.settled(connected, '1', 'resolved');
  expect(order).toMatchObject({
    complianceId: 'by-hand-1',
    record: { lineItems: [] },
    resolution: { how: 'recorded', code: 'payment.unmapped', ...{ who: said.by } },
  });
  expect((await it.bridge.steps(order)).map(({ kind, outcome, complianceId }) => [kind, outcome, complianceId])).toEqual([['create', 'by-hand', 'by-hand-1']]);

  await it.bridge.send(connected, 'order.updated', { order: { ...refundedInFull('1', 5), payment: { method: 'shells' } } });
  await it.bridge.settled(connected, '1', 'removed');
  expect(it.service.living).toBe(0);
});

test('a change that can be decided replaces a record that nobody could read', async () => {
  await using it = await world();
  const connected = await review(it);
  it.service.adopt(['by-hand-1']);
  await resolve(it, { outcome: byHand });

  await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(5) }) });

  await it.bridge.settled(connected, '1', 'recorded');
  expect(totals(it.service, '1')).toEqual(['48.00']);
  expect(it.service.records.map(({ id }) => id)).not.toContain('by-hand-1');
});

test('a change that can’t be decided asks again, and leaves the record', async () => {
  await using it = await world();
  const connected = await review(it);
  it.service.adopt(['by-hand-1']);
  await resolve(it, { outcome: byHand });

  await it.bridge.send(connected, 'order.updated', { order: unmapped({ updatedAt: later(5), payment: { method: 'pebbles' } }) });

  expect(await it.bridge.settled(connected, '1', 'review')).toMatchObject({ review: { code: 'payment.unmapped' }, complianceId: 'by-hand-1' });
  expect(it.service.living).toBe(1);
  await resolve(it, { outcome: byHand });
  expect(await it.bridge.settled(connected, '1', 'resolved')).toMatchObject({ complianceId: 'by-hand-1' });
});

test('a refused replacement of a record that nobody could read leaves nothing to put back', async () => {
  await using it = await world();
  const connected = await review(it);
  it.service.adopt(['by-hand-1']);
  await resolve(it, { outcome: byHand });
  it.service.next('create', { status: 422, body: { message: 'no such group' } });

  await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(5) }) });

  expect(await it.bridge.settled(connected, '1', 'review')).toMatchObject({ review: { code: 'compliance.refused' }, complianceId: null });
  expect(it.service.requests('POST')).toHaveLength(1);
});

test('each word is an act, with who said it, why, and what it was about', async () => {
  await using it = await world();
  await review(it);
  const deps = { pool: it.bridge.pool, notify: () => undefined };

  await resolve(it, { outcome: { how: 'elsewhere' } });
  await releaseOrder(deps, '1', said);

  const about = { who: said.by, why: said.why };
  expect(await readBridgeActs(it.bridge.pool)).toMatchObject([
    { ...about, act: 'order.resolved', before: { state: 'review', code: 'payment.unmapped' }, after: { how: 'elsewhere', complianceId: null } },
    { ...about, act: 'order.released', before: { state: 'resolved', resolution: 'elsewhere' } },
  ]);
});

test('a worker that has the order writes no more', async () => {
  await using it = await world();
  const connected = await review(it);
  const { id = 0 } = (await it.bridge.order(connected, '1')) ?? {};
  const worker = createClaimStore(it.bridge.pool, { leaseMs: 60_000 });
  const claim = await until(
    async () => {
      const claimed = await worker.claim(id);
      if ('kind' in claimed) throw new Error(claimed.kind);
      return claimed;
    },
    { what: 'the order to be claimed' },
  );

  await resolve(it, { outcome: { how: 'elsewhere' } });

  expect(await worker.write({ claim, write: { state: 'review', review: { code: 'total.mismatch', detail: 'two sums' } } })).toMatchObject({ owned: false });
  expect(await it.bridge.order(connected, '1')).toMatchObject({ state: 'resolved', review: null });
});

test('of an order that has changed since the person saw it, no word is taken and no act is written', async () => {
  await using it = await world();
  const connected = await review(it);
  const order = await it.bridge.order(connected, '1');
  if (order === null) throw new Error('there is no order 1');
  const resolution = {
    how: 'elsewhere',
    revision: order.revision,
    complianceId: null,
    code: 'payment.unmapped',
    who: said.by,
    why: said.why,
    at: later(1),
  } as const;

  for (const seen of [{ revision: order.revision - 1 }, { code: 'total.mismatch' }] as const)
    expect(await resolveInLedger(it.bridge.pool, { ...order, resolution: { ...resolution, ...seen } }, null)).toBe(false);
  expect(await resolveInLedger(it.bridge.pool, { ...order, complianceId: 'c-1', resolution }, null)).toBe(false);

  expect(await readBridgeActs(it.bridge.pool)).toEqual([]);
  expect(await resolveInLedger(it.bridge.pool, { ...order, resolution }, null)).toBe(true);
});

test('a record that a late reply reveals is shown to a person, who said that there is none', async () => {
  await using it = await world();
  const connected = await review(it);
  await resolve(it, { outcome: { how: 'not-a-sale' } });
  const order = await it.bridge.order(connected, '1');
  const record = { internalId: '1', internalNumber: '#1', internalCreatedAt: '2026-11-01T10:00:00Z', lineItems: [], paymentType: 'OTHER', transactionId: null };
  const { destinationId } = connected.connection;
  const step = { kind: 'create', seq: 1, idempotencyKey: 'k', destinationId, uncertain: false, receipt: false } as const;
  const made = { ...record, paymentProcessorName: null, currency: 'EUR', precision: 2 };
  const end = { seq: 1, outcome: 'recorded', status: 201, detail: null, complianceId: 'late-1' } as const;

  await recordLateReply(it.bridge.pool, { orderId: order?.id ?? 0, step: { ...step, record: made }, end, recorded: 'yes' });

  const asked = await until(async () => await it.bridge.settled(connected, '1', 'review'), { what: 'a person to be asked' });
  expect(asked).toMatchObject({
    review: { code: 'resolution.changed', detail: expect.stringContaining('its record late-1 was found') },
    complianceId: 'late-1',
  });

  it.service.adopt(['late-1']);
  await decideRemoval({ pool: it.bridge.pool, notify: () => undefined }, { named: '1', how: 'removed', ...said });
  await it.bridge.settled(connected, '1', 'removed');
  expect(it.service.living).toBe(0);
});

test('a record that nobody could read and that a late reply says is deleted is not put back', async () => {
  await using it = await world();
  const connected = await review(it);
  await resolve(it, { outcome: byHand });
  const order = await it.bridge.settled(connected, '1', 'resolved');
  const { destinationId } = connected.connection;
  const step = { kind: 'delete', seq: 2, complianceId: 'by-hand-1', destinationId, uncertain: false } as const;
  const end = { seq: 2, outcome: 'deleted', status: 204, detail: null, complianceId: 'by-hand-1' } as const;

  await recordLateReply(it.bridge.pool, { orderId: order.id, step, end, recorded: 'no' });

  const asked = await until(async () => await it.bridge.settled(connected, '1', 'review'), { what: 'a person to be asked' });
  expect(asked).toMatchObject({ review: { code: 'payment.unmapped' }, complianceId: null });
  expect(it.service.requests('POST')).toEqual([]);
});

test('a service that is down is asked later', async () => {
  await using it = await world();
  await review(it);
  await it.service.down();

  await expect(resolve(it, { outcome: byHand })).rejects.toMatchObject({ kind: 'unavailable' });
  await it.service.up();
});

describe('an order that waits again after a person’s word', () => {
  const notify = () => undefined;

  async function reasons({ bridge }: World): Promise<string[]> {
    return (await listReview({ ...bridge.app.core, now: () => new Date() })).reasons.map(({ code, orders }) => `${code} ${orders}`);
  }

  test('is listed, and released with the others of its code', async () => {
    await using it = await world();
    const connected = await review(it);
    await resolve(it, { outcome: { how: 'elsewhere' } });
    expect(await reasons(it)).toEqual([]);

    await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(5) }) });
    await it.bridge.settled(connected, '1', 'review');
    expect(await reasons(it)).toEqual(['resolution.changed 1']);

    const { pool, connections } = it.bridge.app.core;
    const released = await releaseCode({ pool, connections, notify }, { code: 'resolution.changed', connection: null, firstTry: null, ...said });

    expect(released).toMatchObject({ released: 1 });
    expect(await it.bridge.settled(connected, '1', 'recorded')).toMatchObject({ resolution: null });
  });

  test('is decided again by settings, which take no word back', async () => {
    await using it = await world();
    const connected = await review(it);
    it.service.adopt(['by-hand-1']);
    await resolve(it, { outcome: byHand });
    await it.bridge.send(connected, 'order.updated', { order: unmapped({ updatedAt: later(5), payment: { method: 'pebbles' } }) });
    await it.bridge.settled(connected, '1', 'review');
    expect(await reasons(it)).toEqual(['payment.unmapped 1']);

    const { pool, connections } = it.bridge.app.core;
    const changes = { set: ['payments.pebbles.paymentType=OTHER'], unset: [] };
    const changed = await changeSettings({ pool, connections, notify }, { id: connected.connection.id, ...said, changes });

    expect(changed).toMatchObject({ concerned: { review: { 'payment.unmapped': 1 } }, again: { released: 1 } });
    expect(await it.bridge.settled(connected, '1', 'recorded')).toMatchObject({ resolution: { how: 'recorded' } });
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });
});
