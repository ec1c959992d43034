import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { callerOf } from '../../support/worlds/compliance-caller.ts';
import { auditDeps, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const DECEMBER = '2025-12-20T10:00:00Z';
const IN_TERM = '2026-01-03T10:00:00Z';
const NEXT_DAY = '2026-01-04T10:00:00Z';
/** Past the term of January. */
const FEBRUARY = '2026-02-24T10:00:00Z';
const APRIL = '2026-04-10T10:00:00Z';

const OF = (w: AuditWorld) => ({ shopId: w.shopId, month: '2025-12' });
const filed = (w: AuditWorld) => markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true });
const sale = (total: number) =>
  october(1, { internalCreatedAt: DECEMBER, lineItems: [{ name: 'Чаша', quantity: 1, price: total, vatRate: 20, vatGroup: 'GROUP_B' }] });
const brief = async (w: AuditWorld, month: string) => {
  const { orders, returns, counts } = await w.list(month);
  return { orders: orders.map(({ documentNumber, total }) => [documentNumber, total]), total: counts.total, returns: returns.map(({ amount }) => amount) };
};
const NOTHING = { orders: [], total: '0.00', returns: [] };
const LISTED = { orders: [['0000000001', '97.79']], total: '97.79', returns: [] };

/** An order of 50 euro that the file of December lists, delivered in January. */
async function worldWithADelivery(): Promise<{ w: AuditWorld; id: string }> {
  const w = await worlds.audit(DECEMBER);
  const { id } = await w.create(sale(50));
  w.setClock(IN_TERM);
  expect(await generateMonth(auditDeps(w), { ...OF(w), now: true })).toMatchObject({ kind: 'generated' });
  w.setClock(NEXT_DAY);
  const { status } = await callerOf(w.server.baseUrl, w.credentials, '/service/v1')('PUT', `/orders/${id}/delivered`, { body: { at: NEXT_DAY } });
  expect(status).toBe(200);
  expect((await brief(w, '2026-01')).orders).toEqual([['0000000001', '50.00']]);
  return { w, id };
}

describe('an order that a version lists, delivered in the month after it, when that version is filed after both terms', () => {
  test('is in that file alone: the other one can still be made without it', async () => {
    const { w } = await worldWithADelivery();
    await using _ = w;
    w.setClock(APRIL);
    await filed(w);

    expect([await brief(w, '2025-12'), await brief(w, '2026-01')]).toEqual([LISTED, NOTHING]);
  });

  test('is so too if it was deleted meanwhile; the money is given back once', async () => {
    const { w, id } = await worldWithADelivery();
    await using _ = w;
    w.setClock(FEBRUARY);
    await w.remove(id);
    w.setClock(APRIL);
    await filed(w);

    expect([await brief(w, '2025-12'), await brief(w, '2026-01')]).toEqual([LISTED, NOTHING]);
    expect(await brief(w, '2026-02')).toEqual({ ...NOTHING, returns: ['50.00'] });
  });

  test('and if it was replaced by less, what is less is given back once', async () => {
    const { w, id } = await worldWithADelivery();
    await using _ = w;
    w.setClock(FEBRUARY);
    await w.remove(id);
    await w.create(sale(20));
    w.setClock(APRIL);
    await filed(w);

    expect([await brief(w, '2025-12'), await brief(w, '2026-01')]).toEqual([LISTED, NOTHING]);
    expect(await brief(w, '2026-02')).toEqual({ ...NOTHING, returns: ['30.00'] });
  });
});
