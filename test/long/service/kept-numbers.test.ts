import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { brief, FIRST_VERSION, filed, made, sale } from '../../support/worlds/filed-october.ts';
import { auditDeps, OCTOBER } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const NEXT_DAY = '2026-11-11T10:00:00Z';
const AFTER_TERM = '2026-11-18T10:00:00Z';

const world = async (): Promise<AuditWorld> => worlds.audit(OCTOBER);
const OF = (w: AuditWorld) => ({ shopId: w.shopId, month: '2026-10' });
/** The document numbers of the recorded orders by id, as the interface answers them. */
const recorded = async (w: AuditWorld, id: string) =>
  (await w.server.pool.query(`select lpad(document_number::text, 10, '0') as n, edition from compliance.orders where id = $1`, [id])).rows[0];

describe('D11: a number that was answered never changes', () => {
  const first = ['#1', '0000000001', '100.00'];
  const own = ['#1 / 0000000002', '0000000002', '150.00'];
  const less = ['#1', '0000000001', '70.00'];
  const nothing = { orders: [], returns: [] };
  test.each([
    {
      ...{ says: 'more than a made file says gets a number of its own at once', total: 150, n: '0000000002', edition: 1, version: 1 },
      months: [
        { orders: [first], returns: [] },
        { orders: [own], returns: [['#1', '100.00', 4]] },
      ],
    },
    {
      ...{ says: 'more than a made file says gets a number of its own at once', total: 150, n: '0000000002', edition: 1, version: 2 },
      months: [{ orders: [own], returns: [] }, nothing],
    },
    {
      ...{ says: 'no more keeps the number', total: 70, n: '0000000001', edition: 2, version: 1 },
      months: [
        { orders: [first], returns: [] },
        { orders: [], returns: [['#1', '30.00', 1]] },
      ],
    },
    {
      ...{ says: 'no more keeps the number', total: 70, n: '0000000001', edition: 2, version: 2 },
      months: [{ orders: [less], returns: [] }, nothing],
    },
  ])('a replacement over $says, and so it stays if version $version is filed', async ({ total, n, edition, version, months }) => {
    await using w = await world();
    const { id } = await w.create(sale(1, 100));
    w.setClock(FIRST_VERSION);
    await made(w);
    w.setClock(NEXT_DAY);
    await w.remove(id);
    const second = await w.create(sale(1, total));
    expect(second.documentNumber).toBe(n);
    await made(w);
    await filed(w, version);

    expect(await recorded(w, second.id)).toEqual({ n, edition });
    expect([await brief(w, '2026-10'), await brief(w, '2026-11')]).toEqual(months);
  });

  test('the smallest of all made files is what counts', async () => {
    await using w = await world();
    const first = await w.create(sale(1, 100));
    w.setClock(FIRST_VERSION);
    await made(w);
    await w.remove(first.id);
    const second = await w.create(sale(1, 70));
    await made(w);
    await w.remove(second.id);
    const third = await w.create(sale(1, 80));
    await filed(w, 2);

    expect(await recorded(w, third.id)).toEqual({ n: '0000000002', edition: 1 });
    expect(await brief(w, '2026-10')).toEqual({ orders: [['#1', '0000000001', '70.00']], returns: [] });
    expect(await brief(w, '2026-11')).toEqual({ orders: [['#1 / 0000000002', '0000000002', '80.00']], returns: [['#1', '70.00', 4]] });
  });

  test('nor does one that no file lists: it is replaced by more under its number', async () => {
    await using w = await world();
    const first = await w.create(sale(1, 100));
    await w.remove(first.id);

    expect(await w.create(sale(1, 150))).toMatchObject({ documentNumber: '0000000001' });
  });

  test('nor does one that an attempt looked at which made no file', async () => {
    await using w = await world();
    const byPost = { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined };
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditNoReceiptOrders: false } });
    const first = await w.create({ ...sale(1, 100), ...byPost });
    w.setClock(NEXT_DAY);
    expect(await generateMonth(auditDeps(w), { ...OF(w), now: true })).toMatchObject({ kind: 'empty' });
    await w.remove(first.id);

    expect(await w.create({ ...sale(1, 150), ...byPost })).toMatchObject({ documentNumber: '0000000001' });
  });

  test('a replacement after the term of an order that a made file lists has its own number: that file may have been filed', async () => {
    for (const version of [1, 2]) {
      await using w = await world();
      const first = await w.create(sale(1, 100));
      await w.create(sale(2, 10));
      w.setClock(FIRST_VERSION);
      await made(w);
      await w.remove(first.id);
      await made(w);
      w.setClock(AFTER_TERM);
      const second = await w.create(sale(1, 70));
      await filed(w, version);

      expect(await recorded(w, second.id)).toEqual({ n: '0000000003', edition: 1 });
      expect(await brief(w, '2026-11')).toEqual({
        orders: [['#1 / 0000000003', '0000000003', '70.00']],
        returns: version === 1 ? [['#1', '100.00', 4]] : [],
      });
    }
  });

  test('a part of a sale whose whole return a file has told meanwhile is a sale of its own, in the file of the return', async () => {
    await using w = await world();
    const first = await w.create(sale(1, 100));
    w.setClock('2026-11-20T10:00:00Z');
    await w.remove(first.id);
    await w.create(sale(2, 10, { internalCreatedAt: '2026-11-20T10:15:00+02:00' }));
    w.setClock('2026-12-05T10:00:00Z');
    await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-11', now: true });
    const second = await w.create(sale(1, 80));
    await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-11', version: 1, now: w.now(), asIs: true });

    expect(await recorded(w, second.id)).toEqual({ n: '0000000003', edition: 1 });
    expect((await brief(w, '2026-11')).returns).toEqual([['#1', '100.00', 4]]);
    expect(await brief(w, '2026-12')).toEqual({ orders: [['#1 / 0000000003', '0000000003', '80.00']], returns: [] });
  });
});

describe('changes after a version', () => {
  test('a replacement that is deleted, too, is a change, and as it is the version’s sale is returned', async () => {
    await using w = await world();
    const first = await w.create(sale(1, 100));
    await w.create(sale(2, 10));
    w.setClock(FIRST_VERSION);
    await made(w);
    await w.remove(first.id);
    const second = await w.create(sale(1, 70));
    await w.remove(second.id);

    expect(await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now() })).toMatchObject({ why: 'outdated', changes: 1 });
    await filed(w, 1);
    expect(await brief(w, '2026-11')).toEqual({ orders: [], returns: [['#1', '100.00', 1]] });
  });

  test('a replacement that was deleted after the term is a part of the sale that the filed version lists', async () => {
    await using w = await world();
    const first = await w.create(sale(1, 100));
    await w.create(sale(2, 10));
    w.setClock(FIRST_VERSION);
    await made(w);
    await w.remove(first.id);
    const second = await w.create(sale(1, 30));
    w.setClock(AFTER_TERM);
    await w.remove(second.id);
    // It was thought to be a sale over 30; now the version is filed that says 100.
    await filed(w, 1);

    expect((await brief(w, '2026-10')).orders).toEqual([
      ['#1', '0000000001', '100.00'],
      ['#2', '0000000002', '10.00'],
    ]);
    expect(await brief(w, '2026-11')).toEqual({ orders: [], returns: [['#1', '100.00', 1]] });
  });

  test('a return that came into a month after its version is told by the next file', async () => {
    await using w = await world();
    const first = await w.create(sale(1, 100));
    await w.create(sale(2, 10));
    w.setClock(FIRST_VERSION);
    await made(w);
    await w.remove(first.id);
    await w.create(sale(3, 10, { internalCreatedAt: '2026-11-10T10:15:00+02:00' }));
    w.setClock('2026-12-05T10:00:00Z');
    const november = { shopId: w.shopId, month: '2026-11' };
    await generateMonth(auditDeps(w), { ...november, now: true });
    // Only now does anybody say that October's first version was filed.
    await filed(w, 1);
    await markFiled(w.server.pool, { ...november, version: 1, now: w.now(), asIs: true });

    expect((await brief(w, '2026-11')).returns).toEqual([]);
    expect((await brief(w, '2026-12')).returns).toEqual([['#1', '100.00', 1]]);
    expect((await w.list('2026-12')).returns).toMatchObject([{ returnedOn: '2026-12-05' }]);
  });
});

describe('D6: deletes while a file is being written', () => {
  test('are sales of that file, and returns', async () => {
    await using w = await world();
    const { id } = await w.create(sale(1, 100));
    await w.create(sale(2, 10));
    w.setClock(FIRST_VERSION);
    const lock = await w.server.pool.connect();
    await lock.query('begin; lock table compliance.audit_files in share mode');
    const making = made(w);
    // It has cut the month, and waits to store its version.
    await expect.poll(async () => (await lock.query('select from pg_locks where not granted')).rowCount, { timeout: 20_000 }).toBe(1);
    await w.remove(id);
    await lock.query('commit');
    lock.release();
    expect(await making).toMatchObject({ kind: 'generated', file: { sums: { orders: 2 } } });

    await filed(w, 1);

    expect((await brief(w, '2026-10')).orders).toHaveLength(2);
    expect((await brief(w, '2026-11')).returns).toEqual([['#1', '100.00', 1]]);
    const { rows } = await w.server.pool.query('select count(*)::int as voided from compliance.voided_numbers');
    expect(rows).toEqual([{ voided: 0 }]);
  });
});
