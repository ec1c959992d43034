import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { due, summaryOf } from '../../support/worlds/served-month.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const AFTER_TERM = '2026-11-18T10:00:00Z';

const world = async (): Promise<AuditWorld> => worlds.audit(OCTOBER);
const OF = (w: AuditWorld) => ({ shopId: w.shopId, month: '2026-10' });
const postal = (n: number, changes = {}) =>
  october(n, { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined, ...changes });
const listsPostal = (w: AuditWorld, auditNoReceiptOrders: boolean) => w.call('PUT', `/shop/${w.shopId}`, { body: { auditNoReceiptOrders } });
const returned = async (w: AuditWorld, month: string) => (await w.list(month)).returns.map(({ number, amount }) => [number, amount]);
const voided = async (w: AuditWorld) => (await w.server.pool.query('select number::int as number from compliance.voided_numbers order by 1')).rows;

/** Makes October's file; returns how many orders it lists. */
async function made(w: AuditWorld): Promise<number> {
  const made = await generateMonth(auditDeps(w), { ...OF(w), now: true });
  if (made.kind !== 'generated') throw new Error(JSON.stringify(made));
  return made.file.sums.orders;
}
const filed = (w: AuditWorld, version: number | null = null, asIs = false) => markFiled(w.server.pool, { ...OF(w), version, now: w.now(), asIs });

describe('D4: a setting that is changed later does not rewrite what was filed', () => {
  test('what was listed leaves a return, although the shop leaves such orders out now', async () => {
    await using w = await world();
    const { id } = await w.create(postal(1));
    w.setClock(NOVEMBER_IN_TERM);
    expect(await made(w)).toBe(1);
    await filed(w);

    await listsPostal(w, false);
    await w.remove(id);

    expect(await returned(w, '2026-11')).toHaveLength(1);
    expect(await voided(w)).toEqual([]);
  });

  test('what was left out leaves none, although the shop lists such orders now, and stays left out', async () => {
    await using w = await world();
    await listsPostal(w, false);
    const { id } = await w.create(postal(1));
    await w.create(postal(2));
    await w.create(october(3));
    w.setClock(NOVEMBER_IN_TERM);
    expect(await made(w)).toBe(1);
    await filed(w);

    await listsPostal(w, true);
    await w.remove(id);

    expect(await returned(w, '2026-11')).toEqual([]);
    expect(await voided(w)).toEqual([{ number: 1 }]);
    expect((await w.list('2026-11')).orders).toEqual([]);
  });

  test('a file of a month past its term is made with the setting of its last version, or of its last day', async () => {
    await using w = await world();
    await listsPostal(w, false);
    await w.create(postal(1));
    await w.create(october(2));
    w.setClock(AFTER_TERM);
    await listsPostal(w, true);

    expect(await made(w)).toBe(1);
  });

  test('within the term the next version has the setting of its day, and one that is filed instead has its own', async () => {
    await using w = await world();
    const { id } = await w.create(postal(1));
    await w.create(october(2));
    w.setClock(NOVEMBER_IN_TERM);
    expect(await made(w)).toBe(2);
    await listsPostal(w, false);
    expect(await made(w)).toBe(1);

    expect(await filed(w, 1)).toMatchObject({ ok: false, why: 'outdated', changes: 1 });
    expect(await filed(w, 1, true)).toMatchObject({ ok: true });
    await w.remove(id);

    expect(await returned(w, '2026-11')).toHaveLength(1);
  });

  test('deleted while the month was open, and listed by the version that was filed: a sale and its return', async () => {
    await using w = await world();
    const { id } = await w.create(postal(1));
    await w.create(october(2));
    w.setClock(NOVEMBER_IN_TERM);
    await made(w);
    await listsPostal(w, false);
    await w.remove(id);
    await filed(w, 1, true);

    expect(await returned(w, '2026-11')).toHaveLength(1);
    expect((await w.list('2026-10')).orders.map(({ number }) => number)).toEqual(['#1', '#2']);
  });

  test('deleted while the month was open, and left out by the version that was filed: nothing', async () => {
    await using w = await world();
    await listsPostal(w, false);
    const { id } = await w.create(postal(1));
    await w.create(october(2));
    w.setClock(NOVEMBER_IN_TERM);
    await made(w);
    await listsPostal(w, true);
    await w.remove(id);
    await filed(w, 1, true);

    expect(await returned(w, '2026-11')).toEqual([]);
    expect(await voided(w)).toEqual([{ number: 1 }]);
  });

  test('a sale with a return is in every later version of its month, after a rejection too', async () => {
    await using w = await world();
    const { id } = await w.create(postal(1));
    await w.create(october(2));
    w.setClock(NOVEMBER_IN_TERM);
    await made(w);
    await filed(w);
    await w.remove(id);
    await markRejected(w.server.pool, OF(w));
    await listsPostal(w, false);

    expect(await made(w)).toBe(2);
  });
});

describe('what a version leaves out is no change of it', () => {
  /** October has a card order and one by post, which its first version leaves out. */
  async function firstVersion(w: AuditWorld): Promise<{ card: string; byPost: string }> {
    await listsPostal(w, false);
    const card = await w.create(october(1));
    const byPost = await w.create(postal(2));
    await w.create(october(3));
    w.setClock(NOVEMBER_IN_TERM);
    await w.server.service.work.serveMonth(OF(w));
    return { card: card.id, byPost: byPost.id };
  }
  const changes = async (w: AuditWorld) => (await summaryOf(w)).changes.rows.map(({ change }) => change);

  test('when it is recorded, changed or deleted before the file is filed', async () => {
    await using w = await world();
    const { byPost } = await firstVersion(w);
    await w.remove(byPost);
    await w.create(postal(2, { internalNumber: '#2a' }));
    await w.remove((await w.create(postal(4))).id);
    await w.create(postal(5));

    expect(await changes(w)).toEqual([]);
    w.setClock('2026-11-12T10:00:00Z');
    expect(await due(w)).toEqual([]);
    expect(await filed(w, 1)).toEqual({ ok: true, version: 1 });
  });

  test('when it is deleted after the file was filed', async () => {
    await using w = await world();
    const { byPost } = await firstVersion(w);
    await filed(w);
    w.setClock('2026-12-05T10:00:00Z');
    await w.remove(byPost);

    expect(await changes(w)).toEqual([]);
    w.setClock('2027-06-05T10:00:00Z');
    await w.server.service.work.purge();
    expect(await changes(w)).toEqual([]);
  });

  test('but an order that it lists, and that is paid by post now, is one: it is removed', async () => {
    await using w = await world();
    const { card } = await firstVersion(w);
    await w.remove(card);
    await w.create(postal(1));

    expect(await changes(w)).toEqual(['removed']);
    w.setClock('2026-11-12T10:00:00Z');
    expect(await due(w)).toEqual(['2026-10']);
    expect(await made(w)).toBe(1);
    expect(await changes(w)).toEqual([]);
  });

  test('and stays in its month when the file is filed as it is', async () => {
    await using w = await world();
    await firstVersion(w);
    await w.create(postal(4));
    await w.create(october(5));
    await filed(w, 1, true);
    await listsPostal(w, true);

    expect((await w.list('2026-11')).orders.map(({ number }) => number)).toEqual(['#5']);
  });
});

test('a sale that was deleted after the term, and that the version marked later does not list, is listed by the next file, as its return is', async () => {
  await using w = await world();
  await w.create(october(1));
  w.setClock(NOVEMBER_IN_TERM);
  await made(w);
  const { id } = await w.create(october(2));
  w.setClock(AFTER_TERM);
  await w.remove(id);

  expect(await filed(w, 1)).toEqual({ ok: false, why: 'outdated', version: 1, changes: 1, header: [] });
  await filed(w, 1, true);

  expect((await w.list('2026-10')).orders.map(({ number }) => number)).toEqual(['#1']);
  expect((await w.list('2026-11')).orders.map(({ number }) => number)).toEqual(['#2']);
  expect((await w.list('2026-11')).returns.map(({ number }) => number)).toEqual(['#2']);
});
