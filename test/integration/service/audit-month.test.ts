import { createHash } from 'node:crypto';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { verifyAuditFile } from '../../../src/service/audit/format/verify-audit-file.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import { readMonthState } from '../../../src/service/audit/month/month-state.ts';
import { importRates } from '../../../src/service/rates/stored-rates.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, contentOf, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (clock = OCTOBER): Promise<AuditWorld> => worlds.audit(clock);

describe('the file of a month', () => {
  test('is valid, in windows-1251, and kept with its hash, counts and totals', async () => {
    await using w = await world();
    await w.create(october(1));
    await w.create(october(2, { lineItems: [{ name: 'Книга 📚 „Под игото“', quantity: 3, price: 9.99, discount: 1, vatRate: 9, vatGroup: 'GROUP_D' }] }));
    w.setClock(NOVEMBER_IN_TERM);

    const generation = await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10' });

    const bytes = await contentOf(w, generation);
    expect(generation).toMatchObject({
      kind: 'generated',
      file: { version: 1, bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex'), sums: { orders: 2, total: '88.42', returns: 0 } },
    });
    expect(iconv.decode(bytes, 'win1251')).toContain('Книга &#128218; „Под игото“');
    const verified = await verifyAuditFile(bytes);
    expect(verified.findings).toEqual([]);
  });

  test('is not made by anyone while nothing is recorded, since the database was restored', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.server.pool.query(`update jobs.database set stopped = 'older'`);

    try {
      await expect(generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10' })).rejects.toThrow('nothing is recorded');
    } finally {
      await w.server.pool.query('update jobs.database set stopped = null');
    }
  });

  test('is a new version each time, and the month has its state', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    const of = { shopId: w.shopId, month: '2026-10' };

    expect(await readMonthState(w.server.pool, of)).toMatchObject({ state: 'open' });
    await generateMonth(auditDeps(w), of);
    const second = await generateMonth(auditDeps(w), of);

    expect(second).toMatchObject({ kind: 'generated', file: { version: 2 } });
    expect(await readMonthState(w.server.pool, of)).toMatchObject({ state: 'generated' });
  });

  test('can’t be made again once it is filed, and can when it was rejected', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    await w.create(october(2));
    w.setClock(NOVEMBER_IN_TERM);
    const of = { shopId: w.shopId, month: '2026-10' };
    expect(await markFiled(w.server.pool, { ...of, version: null, now: w.now() })).toEqual({ ok: false, why: 'no-file' });
    await generateMonth(auditDeps(w), of);

    expect(await markFiled(w.server.pool, { ...of, version: null, now: w.now() })).toEqual({ ok: true, version: 1 });
    expect(await markFiled(w.server.pool, { ...of, version: null, now: w.now() })).toEqual({ ok: false, why: 'already' });
    expect(await generateMonth(auditDeps(w), of)).toEqual({ kind: 'filed' });

    // Deleted while it was filed: the sale stays in its month, even if the file is rejected.
    await w.remove(id);
    expect(await markRejected(w.server.pool, of)).toEqual({ ok: true, version: 1 });
    expect(await generateMonth(auditDeps(w), of)).toMatchObject({ kind: 'generated', file: { version: 2, sums: { orders: 2 } } });
  });

  test('waits for the replacement of an order that was just deleted', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    await w.create(october(2));
    w.setClock(NOVEMBER_IN_TERM);
    await w.remove(id);
    const of = { shopId: w.shopId, month: '2026-10' };

    expect(await generateMonth(auditDeps(w), of)).toEqual({ kind: 'waiting', until: '2026-11-10T10:15:00.000Z' });
    expect(await generateMonth(auditDeps(w), { ...of, now: true })).toMatchObject({ kind: 'generated', file: { sums: { orders: 1 } } });
    w.setClock('2026-11-10T10:15:01Z');
    expect(await generateMonth(auditDeps(w), of)).toMatchObject({ kind: 'generated', file: { sums: { orders: 1 } } });
  });

  test('does not wait once the replacement has come', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.remove(id);
    await w.create(october(1));

    expect(await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10' })).toMatchObject({ kind: 'generated', file: { sums: { orders: 1 } } });
  });

  test('is not made of a month without orders, one that is not over, one before the shop was here, and of no shop', async () => {
    await using w = await world();
    const shop = { shopId: w.shopId };

    expect(await generateMonth(auditDeps(w), { ...shop, month: '2026-09' })).toEqual({ kind: 'not-ours', since: '2026-10' });
    expect(await generateMonth(auditDeps(w), { ...shop, month: '2026-10' })).toEqual({ kind: 'not-ended' });
    w.setClock(NOVEMBER_IN_TERM);
    expect(await generateMonth(auditDeps(w), { ...shop, month: '2026-10' })).toMatchObject({ kind: 'empty' });
    expect(await generateMonth(auditDeps(w), { shopId: '3f2f8b1e-7c1e-4b58-9a3e-0d3c1f5e8a11', month: '2026-09' })).toEqual({ kind: 'no-shop' });
  });

  test('is blocked by missing exchange rates, and made once they are known', async () => {
    await using w = await world();
    await w.create(october(1, { currency: 'USD' }));
    await w.create(october(2));
    w.setClock(NOVEMBER_IN_TERM);
    const of = { shopId: w.shopId, month: '2026-10' };

    const blocked = await generateMonth(auditDeps(w), of);
    expect(blocked).toMatchObject({ kind: 'blocked', missingRates: [{ currency: 'USD', day: '2026-10-20', orders: 1, numbers: ['#1'] }] });

    await importRates(w.server.pool, {
      rates: [{ currency: 'USD', base: 'EUR', multiply: '1', divide: '1.25', publishedOn: '2026-10-20', source: 'BNB' }],
      now: w.now(),
    });
    expect(await generateMonth(auditDeps(w), of)).toMatchObject({
      kind: 'generated',
      summary: { foreign: { count: 1, rows: [{ number: '#1', total: '59.45' }] } },
    });
  });

  test('is blocked by an order that breaks a rule, and not stored', async () => {
    await using w = await world();
    await w.create(october(1, { paymentType: 'VIRTUAL_POS' }));
    // No request is taken without it.
    await w.server.pool.query('update compliance.orders set transaction_id = null');
    w.setClock(NOVEMBER_IN_TERM);
    const of = { shopId: w.shopId, month: '2026-10' };

    const blocked = await generateMonth(auditDeps(w), of);

    expect(blocked).toMatchObject({ kind: 'blocked', errors: [{ rule: 'order.transaction-missing', order: '#1' }] });
    const { rows } = await w.server.pool.query('select count(*)::int as n from compliance.audit_file_chunks');
    expect(rows).toEqual([{ n: 0 }]);
    expect(await readMonthState(w.server.pool, of)).toMatchObject({ state: 'open' });
  });

  test('leaves out orders paid by postal payment if the shop says so', async () => {
    await using w = await world();
    await w.create(october(1, { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined }));
    await w.create(october(2));
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditNoReceiptOrders: false } });
    w.setClock(NOVEMBER_IN_TERM);

    const generation = await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10' });

    expect(generation).toMatchObject({ kind: 'generated', file: { sums: { orders: 1 } }, summary: { leftOut: { orders: 1, total: '59.45' } } });
  });

  test('tells a second order with the same number apart by its document', async () => {
    await using w = await world();
    await w.create(october(1, { internalNumber: '#7' }));
    await w.create(october(2, { internalNumber: '#7' }));
    w.setClock(NOVEMBER_IN_TERM);

    const text = iconv.decode(await contentOf(w, await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10' })), 'win1251');

    expect(text.match(/<ord_n>[^<]*/g)).toEqual(['<ord_n>#7', '<ord_n>#7 / 0000000002']);
  });

  test('explains every missing number', async () => {
    await using w = await world();
    const other = await w.newShop({ name: 'Втори' });
    const first = await w.create(october(1));
    await w.remove((await w.create(october(2))).id);
    await w.create(october(3, { shopId: other }));
    await w.create(october(4, { internalCreatedAt: '2026-09-20T10:15:00+03:00' }));
    await w.create(october(5));
    w.setClock('2026-11-12T10:00:00Z');

    const of = { shopId: w.shopId, month: '2026-10' };
    const generation = await generateMonth(auditDeps(w), of);

    expect(generation).toMatchObject({
      kind: 'generated',
      summary: { voided: { count: 1, rows: [{ documentNumber: '0000000002', voidedOn: '2026-10-20' }] } },
    });
    expect(generation.kind === 'generated' && generation.file.findings.map(({ rule }) => rule)).not.toContain('file.document-number-gap');
    // It is more than that file says, so it gets another number.
    await w.remove(first.id);
    const more = await w.create(october(1, { lineItems: [{ name: 'Чаша', quantity: 1, price: 999, vatRate: 20, vatGroup: 'GROUP_B' }] }));
    expect(more.documentNumber).toBe('0000000006');
    expect(await generateMonth(auditDeps(w), { ...of, now: true })).toMatchObject({
      summary: {
        voided: {
          count: 2,
          rows: [
            { documentNumber: '0000000001', voidedOn: '2026-11-12' },
            { documentNumber: '0000000002', voidedOn: '2026-10-20' },
          ],
        },
      },
    });
  });

  test('is made once when two processes make it at the same time', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    const of = { shopId: w.shopId, month: '2026-10' };

    const kinds = (await Promise.all([generateMonth(auditDeps(w), of), generateMonth(auditDeps(w), of)])).map(({ kind }) => kind);

    expect(['busy,generated', 'generated,generated']).toContain(kinds.toSorted().join());
    const { rows } = await w.server.pool.query('select count(*)::int as versions, count(distinct version)::int as numbers from compliance.audit_files');
    expect(rows[0].versions).toBe(rows[0].numbers);
  });
});
