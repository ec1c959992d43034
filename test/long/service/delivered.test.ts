import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import { answers } from '../../../src/service/interface/schemas.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const EARLY_NOVEMBER = '2026-11-05T10:00:00Z';
const LATER = '2026-11-11T10:00:00Z';
const AFTER_TERM = '2026-11-18T10:00:00Z';
const IN_NOVEMBER = '2026-11-03T12:00:00+02:00';

const world = async (clock = OCTOBER): Promise<AuditWorld> => worlds.audit(clock);
const deliver = async (w: AuditWorld, id: string, at: unknown) => w.call('PUT', `/../../service/v1/orders/${id}/delivered`, { body: { at } });
const numbers = async (w: AuditWorld, month: string) => (await w.list(month)).orders.map(({ number }) => number);

describe('the month of the delivery lists an order', () => {
  test('while the month of its day is open; the answer says where it is', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    w.setClock(EARLY_NOVEMBER);

    const first = await deliver(w, id, IN_NOVEMBER);
    const again = await deliver(w, id, IN_NOVEMBER);

    expect(first).toMatchObject({ status: 200, body: { id, month: '2026-11', deliveredAt: IN_NOVEMBER, inMonthOfDelivery: true } });
    expect(again.body).toEqual(first.body);
    expect(answers.DeliveredOrderDto.safeParse(first.body).error?.issues ?? []).toEqual([]);
    expect([await numbers(w, '2026-10'), await numbers(w, '2026-11')]).toEqual([[], ['#1']]);
  });

  test('another time moves it again; before its day it is the month of its day', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    w.setClock(EARLY_NOVEMBER);
    await deliver(w, id, IN_NOVEMBER);

    expect((await deliver(w, id, '2026-10-31T23:00:00+02:00')).body).toMatchObject({ month: '2026-10' });
    expect((await deliver(w, id, '2026-09-01T10:00:00Z')).body).toMatchObject({ month: '2026-10', inMonthOfDelivery: true });
  });

  test('not once its month is closed: by its term, or because it was filed', async () => {
    await using w = await world();
    const [first, second] = [await w.create(october(1)), await w.create(october(2))];
    w.setClock(EARLY_NOVEMBER);
    await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10', now: true });
    await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-10', version: 1, now: w.now() });
    expect((await deliver(w, first.id, IN_NOVEMBER)).body).toMatchObject({ month: '2026-10', deliveredAt: IN_NOVEMBER, inMonthOfDelivery: false });
    w.setClock(AFTER_TERM);

    expect((await deliver(w, second.id, IN_NOVEMBER)).body).toMatchObject({ month: '2026-10', inMonthOfDelivery: false });
  });

  test('a replacement keeps it', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    w.setClock(EARLY_NOVEMBER);
    await deliver(w, id, IN_NOVEMBER);
    await w.remove(id);
    const again = await w.create(october(1));

    expect(await numbers(w, '2026-11')).toEqual(['#1']);
    expect((await deliver(w, again.id, IN_NOVEMBER)).body).toMatchObject({ month: '2026-11', documentNumber: '0000000001' });
  });

  test('one that comes after the month of the delivery was closed, too: the next open one', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    w.setClock(EARLY_NOVEMBER);
    await deliver(w, id, IN_NOVEMBER);
    await w.remove(id);
    w.setClock('2026-12-20T10:00:00Z');
    await w.create(october(1));

    expect(await numbers(w, '2026-12')).toEqual(['#1']);
  });

  test('in its own currency', async () => {
    await using w = await world('2025-12-20T10:00:00Z');
    const leva = { currency: 'BGN', internalCreatedAt: '2025-12-20T10:15:00+02:00' };
    const { id } = await w.create(october(1, leva));
    w.setClock('2026-01-05T10:00:00Z');

    const { body } = await deliver(w, id, '2026-01-04T10:00:00+02:00');

    expect(body).toMatchObject({ month: '2026-01', accountingCurrency: 'EUR' });
    expect(Number(body['accountingTotal'])).toBeCloseTo(Number(body['total']) / 1.95583, 1);
  });
});

describe('an order that a made file lists', () => {
  test('makes that version outdated, and is in the next one no more', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    await w.create(october(2));
    w.setClock(EARLY_NOVEMBER);
    const of = { shopId: w.shopId, month: '2026-10' };
    await generateMonth(auditDeps(w), { ...of, now: true });
    w.setClock(LATER);
    await deliver(w, id, IN_NOVEMBER);

    expect(await markFiled(w.server.pool, { ...of, version: null, now: w.now() })).toMatchObject({ why: 'outdated', changes: 1 });
    await generateMonth(auditDeps(w), { ...of, now: true });
    expect(await markFiled(w.server.pool, { ...of, version: null, now: w.now() })).toMatchObject({ ok: true, version: 2 });
    expect([await numbers(w, '2026-10'), await numbers(w, '2026-11')]).toEqual([['#2'], ['#1']]);
  });

  test('stays in it if that version is filed as it is', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    const second = await w.create(october(2));
    w.setClock(EARLY_NOVEMBER);
    const of = { shopId: w.shopId, month: '2026-10' };
    await generateMonth(auditDeps(w), { ...of, now: true });
    w.setClock(LATER);
    await deliver(w, id, IN_NOVEMBER);
    await deliver(w, second.id, IN_NOVEMBER);
    await w.remove(second.id);

    await markFiled(w.server.pool, { ...of, version: 1, now: w.now(), asIs: true });

    expect([await numbers(w, '2026-10'), await numbers(w, '2026-11')]).toEqual([['#1', '#2'], []]);
    expect((await w.list('2026-11')).returns.map(({ number }) => number)).toEqual(['#2']);
  });
});

test('refused: no time, one in the future, an unknown or deleted order, other methods', async () => {
  await using w = await world();
  const { id } = await w.create(october(1));

  expect(await deliver(w, id, undefined)).toMatchObject({ status: 400, body: { errors: [{ path: 'at' }] } });
  expect(await deliver(w, id, 'yesterday')).toMatchObject({ status: 400 });
  for (const at of ['0000-01-01T00:00:00Z', '2026-10-20T10:00:00+14:30'])
    expect(await deliver(w, id, at)).toMatchObject({ status: 400, body: { errors: [{ path: 'at' }] } });
  expect(await deliver(w, id, '2026-10-23T10:00:00Z')).toMatchObject({ status: 400, body: { errors: [{ path: 'at' }] } });
  expect(await deliver(w, '3f2f8b1e-7c1e-4b58-9a3e-0d3c1f5e8a11', OCTOBER)).toMatchObject({ status: 404 });
  expect(await w.call('GET', `/../../service/v1/orders/${id}/delivered`)).toMatchObject({ status: 405 });
  await w.remove(id);
  expect(await deliver(w, id, OCTOBER)).toMatchObject({ status: 404 });
});
