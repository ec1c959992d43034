import { expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const OF = (w: AuditWorld) => ({ shopId: w.shopId, month: '2026-10' });
const kept = async (w: AuditWorld): Promise<unknown> => {
  const { rows } = await w.server.pool.query(
    'select (select count(entry) from compliance.deleted_orders)::int + (select count(entry) from compliance.filed_sales)::int as n',
  );
  return rows[0]?.n;
};

/** Three orders of October; its first version lists them, and one is deleted within the term, one after it. */
async function deletedTwice(w: AuditWorld): Promise<void> {
  const [first, second] = [await w.create(october(1)), await w.create(october(2))];
  await w.create(october(3));
  w.setClock(NOVEMBER_IN_TERM);
  await generateMonth(auditDeps(w), { ...OF(w), now: true });
  await w.remove(first.id);
  w.setClock('2026-11-20T10:00:00Z');
  await w.remove(second.id);
}

test('D20: details of deleted orders of a month that nobody marked as filed are kept for a year after its term', async () => {
  await using w = await worlds.audit(OCTOBER);
  await deletedTwice(w);
  expect(await kept(w)).toBe(3);

  w.setClock('2027-11-10T10:00:00Z');
  await w.server.service.work.purge();
  expect(await kept(w)).toBe(3);
  // Still in time to say what was filed, or to make a file.
  expect(await generateMonth(auditDeps(w), OF(w))).toMatchObject({ kind: 'generated', file: { version: 2, sums: { orders: 2 } } });

  w.setClock('2027-12-20T10:00:00Z');
  await w.server.service.work.purge();
  expect(await kept(w)).toBe(0);
});

test('then a file of the month can’t be made any more, and says so; what was made can be marked', async () => {
  await using w = await worlds.audit(OCTOBER);
  await deletedTwice(w);
  w.setClock('2027-12-20T10:00:00Z');
  await w.server.service.work.purge();

  expect(await generateMonth(auditDeps(w), OF(w))).toMatchObject({ kind: 'blocked', errors: [{ rule: 'file.sales-removed' }] });
  expect(await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true })).toMatchObject({ ok: true });
});

test('of a filed month they go when no rejection is to be expected', async () => {
  await using w = await worlds.audit(OCTOBER);
  await deletedTwice(w);
  await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true });
  w.setClock('2027-01-20T10:00:00Z');

  await w.server.service.work.purge();

  expect(await kept(w)).toBe(0);
});
