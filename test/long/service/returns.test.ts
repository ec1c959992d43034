import { describe, expect, test } from 'vitest';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const SEPTEMBER = '2026-09-20T10:00:00Z';
const OCTOBER_IN_TERM = '2026-10-05T10:00:00Z';
const NOVEMBER = '2026-11-20T10:00:00Z';
const LATER_IN_NOVEMBER = '2026-11-25T10:00:00Z';
const DECEMBER_IN_TERM = '2026-12-05T10:00:00Z';
const DECEMBER = '2026-12-20T10:00:00Z';

const world = async (clock = SEPTEMBER): Promise<AuditWorld> => worlds.audit(clock);
/** An order of September over so many euro. */
const sale = (total: number, changes: Record<string, unknown> = {}) => ({
  internalCreatedAt: '2026-09-20T10:15:00+03:00',
  lineItems: [{ name: 'Чаша', quantity: 1, price: total, vatRate: 20, vatGroup: 'GROUP_B' }],
  ...changes,
});
const brief = ({ orders, returns }: Awaited<ReturnType<AuditWorld['list']>>) => ({
  orders: orders.map(({ number, documentNumber, total }) => [number, documentNumber, total]),
  returns: returns.map(({ number, amount, returnedOn, way }) => [number, amount, returnedOn, way]),
});
const FIRST = '0000000001';

describe('while the month is open', () => {
  test('a full refund removes the order and leaves no return', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(OCTOBER_IN_TERM);
    await w.remove(id);

    expect(brief(await w.list('2026-09'))).toEqual({ orders: [], returns: [] });
    expect(brief(await w.list('2026-10'))).toEqual({ orders: [], returns: [] });
  });

  test('a partial refund shows the order with what remains, under its number and in its month', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(OCTOBER_IN_TERM);
    await w.remove(id);
    await w.create(sale(80));

    expect(brief(await w.list('2026-09'))).toEqual({ orders: [['#1042', FIRST, '80.00']], returns: [] });
    expect(brief(await w.list('2026-10'))).toEqual({ orders: [], returns: [] });
  });

  test('a replacement that comes after the month was closed is a sale of the month that is open', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    await w.remove(id);
    w.setClock(NOVEMBER);
    await w.create(sale(80));

    expect(brief(await w.list('2026-09'))).toEqual({ orders: [], returns: [] });
    expect(brief(await w.list('2026-11'))).toEqual({ orders: [['#1042', FIRST, '80.00']], returns: [] });
  });
});

describe('once the month is closed', () => {
  test('a full refund leaves the sale in its file, and a return on the day of the delete', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(id);

    expect(brief(await w.list('2026-09'))).toEqual({ orders: [['#1042', FIRST, '120.00']], returns: [] });
    expect(brief(await w.list('2026-11'))).toEqual({ orders: [], returns: [['#1042', '120.00', '2026-11-20', 1]] });
  });

  test('nothing of the buyer is kept', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(id);

    const { rows } = await w.server.pool.query('select entry::text as entry from compliance.filed_sales');
    expect(rows).toHaveLength(1);
    expect(rows[0].entry).not.toMatch(/ivan|buyer\.example|Иван|Петров|0888/);
  });

  test('a partial refund is a return of the difference, and no new sale', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(id);
    await w.create(sale(80));

    expect(brief(await w.list('2026-09'))).toEqual({ orders: [['#1042', FIRST, '120.00']], returns: [] });
    expect(brief(await w.list('2026-11'))).toEqual({ orders: [], returns: [['#1042', '40.00', '2026-11-20', 1]] });
  });

  test('a replacement over the same sum leaves no return', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(id);
    await w.create(sale(120, { transactionId: 'pi_2' }));

    expect(brief(await w.list('2026-11'))).toEqual({ orders: [], returns: [] });
  });

  test('two partial refunds in a month are one return, in two months two', async () => {
    await using w = await world();
    const first = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(first.id);
    const second = await w.create(sale(80));
    w.setClock(LATER_IN_NOVEMBER);
    await w.remove(second.id);
    const third = await w.create(sale(50));

    expect(brief(await w.list('2026-11')).returns).toEqual([['#1042', '70.00', '2026-11-25', 1]]);

    w.setClock(DECEMBER_IN_TERM);
    await w.remove(third.id);
    await w.create(sale(20));

    expect(brief(await w.list('2026-11')).returns).toEqual([['#1042', '70.00', '2026-11-25', 1]]);
    expect(brief(await w.list('2026-12')).returns).toEqual([['#1042', '30.00', '2026-12-05', 1]]);
  });

  test('a refund that is undone in its month removes the return', async () => {
    await using w = await world();
    const first = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(first.id);
    const second = await w.create(sale(80));
    w.setClock(LATER_IN_NOVEMBER);
    await w.remove(second.id);
    await w.create(sale(120));

    expect(brief(await w.list('2026-11'))).toEqual({ orders: [], returns: [] });
  });

  test('a refund that is undone after its month was closed sets the rest off against a separate sale', async () => {
    await using w = await world();
    const first = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(first.id);
    const second = await w.create(sale(80));
    w.setClock(DECEMBER);
    await w.remove(second.id);
    const third = await w.create(sale(120));

    expect(brief(await w.list('2026-11')).returns).toEqual([['#1042', '40.00', '2026-11-20', 1]]);
    expect(brief(await w.list('2026-12'))).toEqual({
      orders: [['#1042 / 0000000002', third.documentNumber, '120.00']],
      returns: [['#1042', '80.00', '2026-12-20', 4]],
    });
    expect(third.documentNumber).toBe('0000000002');
  });

  test('a replacement over more is a separate sale, and the old sale is returned whole by setting it off', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(id);
    const larger = await w.create(sale(150));

    expect(larger.documentNumber).toBe('0000000002');
    expect(brief(await w.list('2026-11'))).toEqual({
      orders: [['#1042 / 0000000002', '0000000002', '150.00']],
      returns: [['#1042', '120.00', '2026-11-20', 4]],
    });
  });

  test('a replacement that comes when the return is filed already is a new sale', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(id);
    w.setClock(DECEMBER);
    await w.create(sale(80));

    expect(brief(await w.list('2026-11')).returns).toEqual([['#1042', '120.00', '2026-11-20', 1]]);
    expect(brief(await w.list('2026-12')).orders).toEqual([['#1042 / 0000000002', '0000000002', '80.00']]);
  });

  test('the way of return is the shop’s on the day of the delete', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    await w.call('PUT', `/shop/${w.shopId}`, { body: { returnPaymentMethod: 'CARD' } });
    w.setClock(NOVEMBER);
    await w.remove(id);
    await w.call('PUT', `/shop/${w.shopId}`, { body: { returnPaymentMethod: 'CASH' } });

    expect(brief(await w.list('2026-11')).returns).toEqual([['#1042', '120.00', '2026-11-20', 2]]);
  });

  test('a sale in leva is given back in euro, the difference converted once', async () => {
    await using w = await world('2025-12-20T10:00:00Z');
    const inLeva = (total: number) => sale(total, { internalCreatedAt: '2025-12-20T10:15:00+02:00', currency: 'BGN' });
    const { id } = await w.create(inLeva(100));
    w.setClock('2026-02-20T10:00:00Z');
    await w.remove(id);
    await w.create(inLeva(35));

    expect(brief(await w.list('2025-12')).orders).toEqual([['#1042', FIRST, '100.00']]);
    expect(brief(await w.list('2026-02'))).toEqual({ orders: [], returns: [['#1042', '33.23', '2026-02-20', 1]] });
  });

  test('a month is closed too when it was marked as filed within its term', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(OCTOBER_IN_TERM);
    await w.server.pool.query(`insert into compliance.audit_months (shop_id, month, state) values ($1, '2026-09-01', 'filed')`, [w.shopId]);
    await w.remove(id);

    expect(brief(await w.list('2026-10')).returns).toEqual([['#1042', '120.00', '2026-10-05', 1]]);
  });

  test('a return names its order as the file lists it, also where two orders bear one number', async () => {
    await using w = await world();
    await w.create(sale(10, { internalId: '1' }));
    const { id } = await w.create(sale(20, { internalId: '2' }));
    w.setClock(NOVEMBER);
    await w.remove(id);

    expect(brief(await w.list('2026-09')).orders.map(([number]) => number)).toEqual(['#1042', '#1042 / 0000000002']);
    expect(brief(await w.list('2026-11')).returns).toEqual([['#1042 / 0000000002', '20.00', '2026-11-20', 1]]);
  });

  test('a shop with returns can be deleted whole', async () => {
    await using w = await world();
    const { id } = await w.create(sale(120));
    w.setClock(NOVEMBER);
    await w.remove(id);
    await w.create(sale(80));

    const { status } = await w.call('DELETE', `/shop/${w.shopId}`, { body: { name: 'Магазин за чаши' } });

    expect(status).toBe(200);
    const { rows } = await w.server.pool.query(
      'select (select count(*) from compliance.returns)::int as returns, (select count(*) from compliance.filed_sales)::int as sales',
    );
    expect(rows).toEqual([{ returns: 0, sales: 0 }]);
  });
});
