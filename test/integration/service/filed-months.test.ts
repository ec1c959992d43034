import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import { readMonthSummary } from '../../../src/service/audit/month/read-summary.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const FIRST_VERSION = '2026-11-10T10:00:00Z';
const NEXT_DAY = '2026-11-11T10:00:00Z';
const LAST_DAY = '2026-11-16T10:00:00Z';
const AFTER_TERM = '2026-11-18T10:00:00Z';

const world = async (): Promise<AuditWorld> => worlds.audit(OCTOBER);
const sale = (n: number, total: number) => october(n, { lineItems: [{ name: 'Чаша', quantity: 1, price: total, vatRate: 20, vatGroup: 'GROUP_B' }] });
const brief = async (w: AuditWorld, month: string) => {
  const { orders, returns } = await w.list(month);
  return { orders: orders.map(({ number, total }) => [number, total]), returns: returns.map(({ number, amount }) => [number, amount]) };
};
const OF = (w: AuditWorld) => ({ shopId: w.shopId, month: '2026-10' });

/** Three sales of October and the first version of its file; then one more comes, one is deleted, one is replaced by less. */
async function changedSinceTheFirstVersion(w: AuditWorld): Promise<void> {
  await w.create(sale(1, 120));
  const second = await w.create(sale(2, 70));
  const third = await w.create(sale(3, 50));
  w.setClock(FIRST_VERSION);
  expect(await generateMonth(auditDeps(w), OF(w))).toMatchObject({ kind: 'generated', file: { sums: { total: '240.00' } } });
  w.setClock(NEXT_DAY);
  await w.create(sale(4, 33));
  await w.remove(second.id);
  await w.remove(third.id);
  await w.create(sale(3, 20));
}

describe('marking a version that lacks the latest changes', () => {
  test('is refused, and the next version can be filed', async () => {
    await using w = await world();
    await changedSinceTheFirstVersion(w);
    const at = { ...OF(w), version: null, now: w.now() };

    expect(await markFiled(w.server.pool, at)).toEqual({ ok: false, why: 'outdated', version: 1, changes: 3, header: [] });
    await generateMonth(auditDeps(w), { ...OF(w), now: true });
    expect(await markFiled(w.server.pool, { ...at, version: 1 })).toMatchObject({ why: 'outdated' });
    expect(await markFiled(w.server.pool, at)).toEqual({ ok: true, version: 2 });
    expect(await brief(w, '2026-10')).toEqual({
      orders: [
        ['#1', '120.00'],
        ['#3', '20.00'],
        ['#4', '33.00'],
      ],
      returns: [],
    });
    expect(await brief(w, '2026-11')).toEqual({ orders: [], returns: [] });
  });

  test('as it is: the filed version counts, and every change is in a later file', async () => {
    await using w = await world();
    await changedSinceTheFirstVersion(w);

    expect(await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true })).toEqual({ ok: true, version: 1 });

    expect(await brief(w, '2026-10')).toEqual({
      orders: [
        ['#1', '120.00'],
        ['#2', '70.00'],
        ['#3', '50.00'],
      ],
      returns: [],
    });
    expect(await brief(w, '2026-11')).toEqual({
      orders: [['#4', '33.00']],
      returns: [
        ['#2', '70.00'],
        ['#3', '30.00'],
      ],
    });
    const { rows } = await w.server.pool.query('select count(*)::int as voided from compliance.voided_numbers');
    expect(rows).toEqual([{ voided: 0 }]);
  });

  test('as it is, after the term: the same', async () => {
    await using w = await world();
    await changedSinceTheFirstVersion(w);
    w.setClock(AFTER_TERM);

    expect(await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true })).toMatchObject({ ok: true });

    expect(await brief(w, '2026-11')).toEqual({
      orders: [['#4', '33.00']],
      returns: [
        ['#2', '70.00'],
        ['#3', '30.00'],
      ],
    });
  });

  test('as it is, with a sale that grew since: the old one is returned whole, the new one is a sale with its own number', async () => {
    await using w = await world();
    const { id } = await w.create(sale(1, 120));
    w.setClock(FIRST_VERSION);
    await generateMonth(auditDeps(w), OF(w));
    w.setClock(NEXT_DAY);
    await w.remove(id);
    await w.create(sale(1, 150));

    await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true });

    const { orders, returns } = await w.list('2026-11');
    expect(orders).toMatchObject([{ number: '#1 / 0000000002', documentNumber: '0000000002', total: '150.00' }]);
    expect(returns).toMatchObject([{ number: '#1', amount: '120.00', way: 4 }]);
  });

  test('the rows kept for that are purged when no rejection is to be expected, and then it is too late for one', async () => {
    await using w = await world();
    await changedSinceTheFirstVersion(w);
    await markFiled(w.server.pool, { ...OF(w), version: 1, now: w.now(), asIs: true });
    w.setClock('2027-01-20T10:00:00Z');

    await w.server.service.work.purge();

    const { rows } = await w.server.pool.query(
      'select (select count(entry) from compliance.deleted_orders)::int + (select count(entry) from compliance.filed_sales)::int as kept',
    );
    expect(rows).toEqual([{ kept: 0 }]);
    expect(await markRejected(w.server.pool, OF(w))).toEqual({ ok: false, why: 'too-late' });
  });
});

describe('a version that was made before another one was marked, and is filed after that one was rejected', () => {
  const filed = (w: AuditWorld, version: number, changes: { month?: string; asIs?: boolean } = {}) =>
    markFiled(w.server.pool, { ...OF(w), version, now: w.now(), asIs: true, ...changes });

  /** The first version lists the sale with 72.45, the second one as it is then. */
  async function twoVersions(w: AuditWorld, then: number | null): Promise<string> {
    await w.create(sale(2, 10));
    const first = await w.create(sale(1, 72.45));
    w.setClock(FIRST_VERSION);
    await generateMonth(auditDeps(w), OF(w));
    await w.remove(first.id);
    const second = then === null ? first : await w.create(sale(1, then));
    await generateMonth(auditDeps(w), { ...OF(w), now: true });
    return second.id;
  }

  test('lists less: what no file told is not given back, also after the term of its month', async () => {
    await using w = await world();
    await twoVersions(w, 68.82);
    w.setClock('2027-02-01T10:00:00Z');
    await filed(w, 1);
    expect((await brief(w, '2027-01')).returns).toEqual([['#1', '3.63']]);
    w.setClock('2027-03-20T10:00:00Z');
    await markRejected(w.server.pool, OF(w));
    expect(await filed(w, 2, { asIs: false })).toMatchObject({ why: 'outdated', changes: 1 });
    await filed(w, 2);

    expect((await brief(w, '2026-10')).orders).toEqual([
      ['#2', '10.00'],
      ['#1', '68.82'],
    ]);
    expect((await brief(w, '2027-01')).returns).toEqual([]);
  });

  test('and what was given back since is', async () => {
    await using w = await world();
    const id = await twoVersions(w, 68.82);
    await filed(w, 1);
    w.setClock('2026-12-20T10:00:00Z');
    await w.remove(id);
    await w.create(sale(1, 50));
    await markRejected(w.server.pool, OF(w));
    await filed(w, 2);

    expect((await brief(w, '2026-11')).returns).toEqual([]);
    expect((await w.list('2026-12')).returns).toMatchObject([{ number: '#1', amount: '18.82', byRate: [{ rate: '20', total: '18.82' }] }]);
  });

  test('lists less than a filed file gave back of it: the rest is given back, too, and what is recorded is a sale of its own', async () => {
    await using w = await world();
    await twoVersions(w, 68.82);
    await filed(w, 1);
    await w.create(sale(3, 10));
    w.setClock('2026-12-05T10:00:00Z');
    await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-11', now: true });
    await filed(w, 1, { month: '2026-11' });
    await markRejected(w.server.pool, OF(w));
    await filed(w, 2);

    expect((await brief(w, '2026-11')).returns).toEqual([['#1', '3.63']]);
    expect(await brief(w, '2026-12')).toEqual({ orders: [['#1 / 0000000004', '68.82']], returns: [['#1', '65.19']] });
  });

  test('does not list it: a later file lists it, and gives it back', async () => {
    await using w = await world();
    await twoVersions(w, null);
    await filed(w, 1);
    await markRejected(w.server.pool, OF(w));
    expect(await filed(w, 2, { asIs: false })).toMatchObject({ why: 'outdated', changes: 1 });
    await filed(w, 2);

    expect(await brief(w, '2026-10')).toEqual({ orders: [['#2', '10.00']], returns: [] });
    expect(await brief(w, '2026-11')).toEqual({ orders: [['#1', '72.45']], returns: [['#1', '72.45']] });
  });

  test('lists what the other one left to the next month: it is listed once, and what is given back of it is known', async () => {
    await using w = await world();
    await w.create(sale(2, 10));
    w.setClock(FIRST_VERSION);
    await generateMonth(auditDeps(w), OF(w));
    const [kept, gone] = [await w.create(sale(1, 72.45)), await w.create(sale(3, 20))];
    await generateMonth(auditDeps(w), OF(w));
    await filed(w, 1);
    expect((await brief(w, '2026-11')).orders).toHaveLength(2);
    await w.remove(gone.id);
    await markRejected(w.server.pool, OF(w));
    await filed(w, 2);

    expect((await brief(w, '2026-10')).orders).toEqual([
      ['#2', '10.00'],
      ['#1', '72.45'],
      ['#3', '20.00'],
    ]);
    expect(await brief(w, '2026-11')).toEqual({ orders: [], returns: [['#3', '20.00']] });
    w.setClock('2026-12-05T10:00:00Z');
    await w.remove(kept.id);
    expect((await brief(w, '2026-12')).returns).toEqual([['#1', '72.45']]);
  });

  test.each(['1', '2', '3'])('as often as another one is rejected: version %s is the last', async (last) => {
    await using w = await world();
    await twoVersions(w, 68.82);
    await filed(w, 1);
    await markRejected(w.server.pool, OF(w));
    // It lists what was declared: 72.45.
    await generateMonth(auditDeps(w), { ...OF(w), now: true });
    for (const version of [2, 3, 1, 2, Number(last)]) {
      expect(await filed(w, version)).toMatchObject({ ok: true });
      await markRejected(w.server.pool, OF(w));
    }

    const isLess = last === '2';
    expect((await brief(w, '2026-10')).orders[1]).toEqual(['#1', isLess ? '68.82' : '72.45']);
    expect((await brief(w, '2026-11')).returns).toEqual(isLess ? [] : [['#1', '3.63']]);
  });

  test('a replacement that is more than one of the versions says is a sale of its own', async () => {
    await using w = await world();
    const id = await twoVersions(w, 68.82);
    await filed(w, 1);
    await w.remove(id);

    expect(await w.create(sale(1, 70))).toMatchObject({ documentNumber: '0000000003' });
  });
});

describe('a file that lacks the latest changes', () => {
  test('is made again on the day of the reminder and on the last day of the term, once each', async () => {
    await using w = await world();
    const { work } = w.server.service;
    await w.create(sale(1, 120));
    w.setClock(FIRST_VERSION);
    await work.serveMonth(OF(w));
    await w.create(sale(2, 10));

    w.setClock(NEXT_DAY);
    expect(await work.dueMonths()).toEqual([]);
    w.setClock('2026-11-12T10:00:00Z');
    expect(await work.dueMonths()).toEqual([OF(w)]);
    await work.serveMonth(OF(w));
    expect(await work.dueMonths()).toEqual([]);
    await w.create(sale(3, 10));
    w.setClock(LAST_DAY);
    expect(await work.dueMonths()).toEqual([OF(w)]);
    await work.serveMonth(OF(w));
    expect(await work.dueMonths()).toEqual([]);
  });
});

describe('a month of which no file could be made', () => {
  const lists = (w: AuditWorld, auditNoReceiptOrders: boolean, shopId = w.shopId) => w.call('PUT', `/shop/${shopId}`, { body: { auditNoReceiptOrders } });
  // Recorded by the clock of the tests, too.
  const sell = async (w: AuditWorld) => {
    await w.create({ ...sale(1, 120), paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined });
    await w.server.pool.query(`update compliance.orders set recorded_at = '2026-10-20T10:00:00Z'`);
    w.setClock(FIRST_VERSION);
  };

  test('is due again an hour later if the settings changed, once, and only if it has orders', async () => {
    await using w = await world();
    const { work } = w.server.service;
    const other = { ...OF(w), shopId: await w.newShop({ name: 'Празен', companyUic: '831641791' }) };
    await lists(w, false);
    await sell(w);
    for (const one of [OF(w), other]) expect(await work.serveMonth(one)).toEqual({ kind: 'done', generation: 'empty' });
    w.setClock('2026-11-10T12:00:00Z');
    expect(await work.dueMonths()).toEqual([]);

    for (const { shopId } of [OF(w), other]) await lists(w, true, shopId);
    expect(await work.dueMonths()).toEqual([OF(w)]);
    await lists(w, false);
    expect(await work.serveMonth(OF(w))).toEqual({ kind: 'done', generation: 'empty' });
    w.setClock('2026-11-10T14:00:00Z');
    expect(await work.dueMonths()).toEqual([]);
  });

  test('and whose rejected file would be the same again is tried once', async () => {
    await using w = await world();
    const { work } = w.server.service;
    await sell(w);
    await work.serveMonth(OF(w));
    await markFiled(w.server.pool, { ...OF(w), version: null, now: w.now() });
    await markRejected(w.server.pool, OF(w));
    await lists(w, false);
    expect(await work.serveMonth(OF(w))).toEqual({ kind: 'done', generation: 'empty' });

    w.setClock('2026-11-10T12:00:00Z');
    await lists(w, true);
    expect(await work.dueMonths()).toEqual([OF(w)]);
    expect(await work.serveMonth(OF(w))).toEqual({ kind: 'done', generation: 'same' });
    w.setClock('2026-11-10T14:00:00Z');
    expect(await work.dueMonths()).toEqual([]);
  });
});

describe('an order that no file lists leaves no return', () => {
  test('one that the shop leaves out', async () => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditNoReceiptOrders: false } });
    const { id } = await w.create({ ...sale(1, 120), paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined });
    w.setClock(AFTER_TERM);
    await w.remove(id);

    expect(await brief(w, '2026-11')).toEqual({ orders: [], returns: [] });
  });

  test('a replacement whose rate is missing is a separate sale until the rate is known', async () => {
    await using w = await world();
    const { id } = await w.create(sale(1, 120));
    w.setClock(AFTER_TERM);
    await w.remove(id);
    const dollars = await w.create({ ...sale(1, 500), currency: 'USD', internalCreatedAt: '2026-11-17T10:00:00+02:00' });

    const { rows } = await w.server.pool.query('select amount::text, way from compliance.returns');
    expect(rows).toEqual([{ amount: '120.00', way: 'OTHER' }]);
    await w.remove(dollars.id);
    expect(await brief(w, '2026-11')).toEqual({ orders: [], returns: [['#1', '120.00']] });
  });
});

test('a sale that an old one was set off against stays so when it is changed; deleted in the same month, it is money given back after all', async () => {
  await using w = await world();
  const { id } = await w.create(sale(1, 120));
  w.setClock(AFTER_TERM);
  await w.remove(id);
  let { id: last } = await w.create(sale(1, 150));
  const setOff = (await w.list('2026-11')).returns;
  w.setClock('2026-11-20T10:00:00Z');
  for (const total of [160, 130]) {
    await w.remove(last);
    last = (await w.create(sale(1, total))).id;
    expect((await w.list('2026-11')).returns).toEqual(setOff);
  }
  await w.remove(last);

  expect(setOff).toMatchObject([{ number: '#1', amount: '120.00', returnedOn: '2026-11-18', way: 4 }]);
  expect((await w.list('2026-11')).returns).toMatchObject([{ number: '#1', amount: '120.00', returnedOn: '2026-11-20', way: 1 }]);
});

test('missing rates are shown before the month is over', async () => {
  await using w = await world();
  await w.create({ ...sale(1, 100), currency: 'USD' });

  expect(await readMonthSummary(auditDeps(w), OF(w))).toMatchObject({
    situation: { kind: 'blocked', errors: [], missingRates: [{ currency: 'USD', day: '2026-10-20', orders: 1 }] },
  });
});

test('a file waits for replacements, but not for ever', async () => {
  await using w = await world();
  const { work } = w.server.service;
  const orders = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => w.create(sale(n, 10))));
  const kinds: string[] = [];
  for (const [i, { id }] of orders.entries()) {
    w.setClock(new Date(Date.parse(FIRST_VERSION) + i * 14 * 60_000).toISOString());
    if (i > 0) await w.remove(id);
    kinds.push((await work.serveMonth(OF(w))).kind);
    if (i === 0) await w.server.pool.query('update compliance.audit_months set scheduled_at = null');
  }

  // Two hours of waits, then the file is made although an order was deleted a moment ago.
  expect(kinds).toEqual(['done', ...Array(9).fill('again')]);
  w.setClock(new Date(Date.parse(FIRST_VERSION) + 140 * 60_000).toISOString());
  expect(await work.serveMonth(OF(w))).toEqual({ kind: 'done', generation: 'generated' });
});
