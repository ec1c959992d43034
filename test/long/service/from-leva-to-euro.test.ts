import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const DECEMBER = '2025-12-20T10:00:00Z';
const FIRST_VERSION = '2026-01-03T10:00:00Z';
const NEXT_DAY = '2026-01-04T10:00:00Z';

const sale = (n: number, total: number, changes: Record<string, unknown> = {}) =>
  october(n, { internalCreatedAt: DECEMBER, lineItems: [{ name: 'Чаша', quantity: 1, price: total, vatRate: 20, vatGroup: 'GROUP_B' }], ...changes });
const OF = (w: AuditWorld) => ({ shopId: w.shopId, month: '2025-12' });
const filed = (w: AuditWorld) => markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true });
const brief = async (w: AuditWorld, month: string) => {
  const { orders, returns, counts } = await w.list(month);
  return {
    orders: orders.map(({ documentNumber, total, vat }) => [documentNumber, total, vat]),
    total: counts.total,
    returns: returns.map(({ number, amount, returnedOn }) => [number, amount, returnedOn]),
  };
};
const NOTHING = { orders: [], total: '0.00', returns: [] };

/** A first order, the file of December with it, and a second one of 50 euro that the file does not list. */
async function worldWithALateOrder(): Promise<{ w: AuditWorld; late: string }> {
  const w = await worlds.audit(DECEMBER);
  await w.create(sale(1, 100));
  w.setClock(FIRST_VERSION);
  expect(await generateMonth(auditDeps(w), { ...OF(w), now: true })).toMatchObject({ kind: 'generated' });
  w.setClock(NEXT_DAY);
  const { id } = await w.create(sale(2, 50));
  return { w, late: id };
}

describe('what the last file in leva does not list', () => {
  test('is listed in euro by the next one', async () => {
    const { w } = await worldWithALateOrder();
    await using _ = w;
    await filed(w);

    expect(await brief(w, '2026-01')).toEqual({ orders: [['0000000002', '50.00', '8.33']], total: '50.00', returns: [] });
  });

  test('is listed in euro with what was given back of it, told by no earlier file', async () => {
    const { w, late } = await worldWithALateOrder();
    await using _ = w;
    w.setClock('2026-02-24T10:00:00Z');
    await w.remove(late);
    const { documentNumber } = await w.create(sale(2, 20));
    expect(documentNumber).toBe('0000000002');
    w.setClock('2026-04-10T10:00:00Z');
    await filed(w);

    expect(await brief(w, '2026-02')).toEqual(NOTHING);
    expect(await brief(w, '2026-03')).toEqual({ orders: [['0000000002', '50.00', '8.33']], total: '50.00', returns: [['#2', '30.00', '2026-03-31']] });
  });

  test('is given back in one return if that was in more months, all before the file that lists it', async () => {
    const { w, late } = await worldWithALateOrder();
    await using _ = w;
    w.setClock('2026-02-24T10:00:00Z');
    await w.remove(late);
    const { id } = await w.create(sale(2, 20));
    w.setClock('2026-03-02T10:00:00Z');
    await w.remove(id);
    w.setClock('2026-05-20T10:00:00Z');
    await filed(w);

    expect([await brief(w, '2026-02'), await brief(w, '2026-03')]).toEqual([NOTHING, NOTHING]);
    expect(await brief(w, '2026-05')).toEqual({ orders: [['0000000002', '50.00', '8.33']], total: '50.00', returns: [['#2', '50.00', '2026-05-20']] });
  });

  test('stays in leva if all files are', async () => {
    const { w } = await worldWithALateOrder();
    await using _ = w;
    await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true, currency: 'BGN' });

    expect((await brief(w, '2026-01')).orders).toEqual([['0000000002', '97.79', '16.30']]);
  });
});

describe('what replaces an order that was declared in leva, and says a day of the euro', () => {
  test('keeps its number if it is less, after the term', async () => {
    await using w = await worlds.audit(DECEMBER);
    const { id } = await w.create(sale(1, 100, { currency: 'BGN' }));
    w.setClock('2026-02-20T10:00:00Z');
    await w.remove(id);
    const { documentNumber } = await w.create(sale(1, 17.9, { internalCreatedAt: '2026-02-19T10:15:00+02:00', currency: 'EUR' }));

    expect(documentNumber).toBe('0000000001');
    // 100.00 BGN less 17.90 EUR, which are 35.01 BGN.
    expect(await brief(w, '2026-02')).toEqual({ ...NOTHING, returns: [['#1', '33.23', '2026-02-20']] });
  });

  test('is listed in leva at once, while that month is open', async () => {
    await using w = await worlds.audit(DECEMBER);
    const { id } = await w.create(sale(1, 100));
    w.setClock('2026-01-05T10:00:00Z');
    await w.remove(id);
    await w.create(sale(1, 10, { internalCreatedAt: '2026-01-04T10:15:00+02:00' }));

    expect(await brief(w, '2025-12')).toEqual({ orders: [['0000000001', '19.56', '3.26']], total: '19.56', returns: [] });
  });
});
