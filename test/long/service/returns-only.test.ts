import { describe, expect, test } from 'vitest';
import { monthBoard } from '../../../src/operations/months/month-board.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { callerOf } from '../../support/worlds/compliance-caller.ts';
import { auditDeps, OCTOBER, october } from '../../support/worlds/october.ts';
import { auditMailOf, due, pageOf, queuedMails, serve, settle, summaryOf } from '../../support/worlds/served-month.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

/** Two sales of October are filed and given back in November, which has no sale; December has one. */
async function returnsOnly(): Promise<AuditWorld> {
  const w = await worlds.audit(OCTOBER);
  const ids = [];
  for (const n of [1, 2]) ids.push((await w.create(october(n))).id);
  w.setClock('2026-11-10T10:00:00Z');
  await serve(w);
  await act(w, 'filed', { month: '2026-10', body: { version: 1 } });
  for (const id of ids) await w.remove(id);
  w.setClock('2026-12-03T10:00:00Z');
  await w.create(october(3, { internalCreatedAt: '2026-12-03T10:00:00+02:00' }));
  w.setClock('2026-12-10T10:00:00Z');
  await serve(w, '2026-11');
  return w;
}

function act({ server, credentials, shopId }: AuditWorld, name: string, { month, body }: { month: string; body: object }) {
  return callerOf(server.baseUrl, credentials, '/service/v1')('POST', `/shops/${shopId}/months/${month}/${name}`, { body: { ...body } });
}

async function read({ server, credentials, shopId }: AuditWorld, month = '') {
  return (await callerOf(server.baseUrl, credentials, '/service/v1')('GET', `/shops/${shopId}/months${month === '' ? '' : `/${month}`}`)).body;
}

const UNREPORTED = [{ month: '2026-11', returns: 2, total: '118.90', currency: 'EUR' }];

describe('F6: returns that no file can tell', () => {
  test('are a state of their own, in the interface, in the list, on the board and in the mail', async () => {
    await using w = await returnsOnly();

    expect(await read(w, '2026-11')).toMatchObject({ situation: { kind: 'returns-only' }, returns: { count: 2 } });
    expect(await read(w)).toMatchObject({ items: [{ month: '2026-12' }, { month: '2026-11', situation: 'returns-only' }, { month: '2026-10' }] });
    const { cards } = await monthBoard(auditDeps(w), { allowed: null, shop: null });
    expect(cards.find(({ month }) => month === '2026-11')).toMatchObject({ situation: 'returns-only', column: 'check' });
    expect(await queuedMails(w)).toEqual(['audit-file', 'audit-month 2026-11 empty']);
    expect((await auditMailOf(w, 'month', '2026-11')).subject).toContain('само връщания');
    expect(await pageOf(w, '2026-11')).toContain('САМО ВРЪЩАНИЯ\nЗа ноември 2026 г. има 2 връщания');
  });

  test('saying that there is nothing to file does not close the month over them', async () => {
    await using w = await returnsOnly();

    const refused = await act(w, 'nothing-to-file', { month: '2026-11', body: { note: 'Няма продажби' } });

    expect(refused).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-has-returns' } });
    expect(refused.body['detail']).toContain('2 returns');
    expect(await settle(w, '2026-11')).toEqual({ ok: false, why: 'has-returns', returns: 2 });
    expect((await summaryOf(w, '2026-11')).situation.kind).toBe('returns-only');
  });

  test('stay on the pages of the months after it until somebody settles them with a note, which is kept', async () => {
    await using w = await returnsOnly();
    w.setClock('2027-01-11T10:00:00Z');
    await serve(w, '2026-12');

    expect(await read(w, '2026-12')).toMatchObject({ situation: { kind: 'generated' }, unreported: UNREPORTED });
    expect(await read(w, '2026-10')).not.toHaveProperty('unreported');
    expect(await pageOf(w, '2026-12')).toMatch(/Върнати суми, които никой файл не съобщава[\s\S]*ноември 2026 г\. +2 +118,90/);

    const settled = await act(w, 'nothing-to-file', { month: '2026-11', body: { note: 'ДДС е коригиран в дневника', withReturns: true } });
    expect(settled).toMatchObject({ status: 200, body: { situation: { kind: 'nothing', note: 'ДДС е коригиран в дневника', returns: 2 } } });
    expect(await read(w, '2026-12')).not.toHaveProperty('unreported');
    expect(await pageOf(w, '2026-11')).toContain('и как са уредени върнатите суми (2 връщания)');
    const { rows } = await w.server.pool.query(`select act, after from compliance.acts where act like 'month.%settled'`);
    expect(rows).toEqual([{ act: 'month.returns-settled', after: { state: 'nothing', note: 'ДДС е коригиран в дневника', returns: 2 } }]);
  });

  test('a return that comes into a settled month opens it again', async () => {
    await using w = await returnsOnly();
    await act(w, 'nothing-to-file', { month: '2026-11', body: { note: 'Уредено', withReturns: true } });
    await w.server.pool.query(`update compliance.returns set changed_at = clock_timestamp(), base = base + 1 where month = '2026-11-01'`);

    expect((await summaryOf(w, '2026-11')).situation.kind).toBe('returns-only');
    expect((await summaryOf(w, '2026-12')).unreported).toMatchObject([{ month: '2026-11', returns: 2, total: '120.90' }]);
  });

  test('count as such beside orders that the shop leaves out of its files', async () => {
    await using w = await returnsOnly();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditNoReceiptOrders: false } });
    const byPost = { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined };
    await w.create(october(4, { internalCreatedAt: '2026-11-20T10:00:00+02:00', ...byPost }));

    expect((await summaryOf(w, '2026-11')).situation.kind).toBe('returns-only');
    expect((await summaryOf(w, '2026-12')).unreported).toEqual(UNREPORTED);
    expect(await read(w)).toMatchObject({ items: [{ month: '2026-12' }, { month: '2026-11', situation: 'returns-only', orders: 1 }, { month: '2026-10' }] });
  });

  test('a month with neither sales nor returns is empty as before, and one with sales tells its returns', async () => {
    await using w = await returnsOnly();
    w.setClock('2027-02-11T10:00:00Z');
    for (const month of await due(w)) await serve(w, month);

    expect((await summaryOf(w, '2027-01')).situation.kind).toBe('empty');
    expect(await settle(w, '2027-01')).toEqual({ ok: true });
    expect((await summaryOf(w, '2027-01')).situation).not.toHaveProperty('returns');
  });
});
