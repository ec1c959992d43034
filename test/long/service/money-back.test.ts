import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type ContentTable, storedContent } from '../../../src/service/audit/file/stored-content.ts';
import { type Generation, generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import { readMonthSummary } from '../../../src/service/audit/month/read-summary.ts';
import { summaryText } from '../../../src/service/audit/summary/summary-text.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const OCTOBER = '2026-10-05T10:00:00Z';
const NOVEMBER_IN_TERM = '2026-11-05T10:00:00Z';
const AFTER_THE_TERM = '2026-11-20T10:00:00Z';

const world = async (): Promise<AuditWorld> => worlds.audit(OCTOBER);
const cup = (price: number, quantity = 1) => ({ name: 'Чаша', quantity, price, vatRate: 20, vatGroup: 'GROUP_B' });
const book = (price: number) => ({ name: 'Книга', quantity: 1, price, vatRate: 9, vatGroup: 'GROUP_D' });
const sale = (n: number, lineItems: readonly object[], changes: Record<string, unknown> = {}) => ({
  internalId: `o${n}`,
  internalNumber: `#${n}`,
  internalCreatedAt: '2026-10-05T10:00:00Z',
  lineItems,
  ...changes,
});
const generate = (w: AuditWorld, month: string) => generateMonth(auditDeps(w), { shopId: w.shopId, month, now: true });

/** The rows of a CSV by their labels; no cell of these tests has a separator in it. */
async function rowsOf(w: AuditWorld, generation: Generation, table: ContentTable): Promise<Record<string, string>[]> {
  if (generation.kind !== 'generated') throw new Error(`no file was made: ${generation.kind}`);
  const bytes = await buffer(storedContent(w.server.pool, table, { id: generation.file.id, bytes: null }));
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const [labels = [], ...rows] = bytes
    .toString('utf8')
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(';'));
  return rows.map((row) => Object.fromEntries(labels.map((label, i) => [label, row[i] ?? 'absent'])));
}

const columnsOf = (rows: readonly Record<string, string>[], ...labels: string[]) => rows.map((row) => labels.map((label) => row[label]));
const sumOf = (rows: readonly Record<string, string>[], label: string) => {
  const cents = rows.map((row) => Number((row[label] ?? '').replace(',', '')) || 0).reduce((all, one) => all + one, 0);
  return (cents / 100).toFixed(2);
};

describe('money given back for a sale of a closed month', () => {
  test('has its VAT by rate: what was declared less what is left', async () => {
    await using w = await world();
    const whole = await w.create(sale(1, [cup(60), book(43.6)]));
    const part = await w.create(sale(2, [cup(60), book(43.6)]));
    const exchanged = await w.create(sale(3, [cup(60)]));
    w.setClock(AFTER_THE_TERM);
    for (const { id } of [whole, part, exchanged]) await w.remove(id);
    await w.create(sale(2, [cup(24), book(43.6)]));
    await w.create(sale(3, [cup(12), book(32.7)]));

    expect((await w.list('2026-11')).returns).toMatchObject([
      {
        number: '#1',
        amount: '103.60',
        byRate: [
          { rate: '20', total: '60.00', vat: '10.00' },
          { rate: '9', total: '43.60', vat: '3.60' },
        ],
      },
      { number: '#2', amount: '36.00', byRate: [{ rate: '20', total: '36.00', vat: '6.00' }] },
      {
        number: '#3',
        amount: '15.30',
        byRate: [
          { rate: '20', total: '48.00', vat: '8.00' },
          { rate: '9', total: '-32.70', vat: '-2.70' },
        ],
      },
    ]);
  });

  test('in parts over several months has that of each part', async () => {
    await using w = await world();
    const { id } = await w.create(sale(1, [cup(60), book(43.6)]));
    w.setClock(AFTER_THE_TERM);
    await w.remove(id);
    const rest = await w.create(sale(1, [cup(60)]));
    w.setClock('2026-12-20T10:00:00Z');
    await w.remove(rest.id);
    await w.create(sale(1, [cup(48)]));

    expect((await w.list('2026-11')).returns).toMatchObject([{ amount: '43.60', byRate: [{ rate: '9', total: '43.60', vat: '3.60' }] }]);
    expect((await w.list('2026-12')).returns).toMatchObject([{ amount: '12.00', byRate: [{ rate: '20', total: '12.00', vat: '2.00' }] }]);
  });

  test('also when the month was filed as it was, without the delete', async () => {
    await using w = await world();
    const { id } = await w.create(sale(1, [cup(60), book(43.6)]));
    await w.create(sale(2, [cup(12)]));
    w.setClock(NOVEMBER_IN_TERM);
    await generate(w, '2026-10');
    await w.remove(id);
    await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-10', version: 1, now: w.now(), asIs: true });

    expect((await w.list('2026-11')).returns).toMatchObject([
      {
        amount: '103.60',
        byRate: [
          { rate: '20', total: '60.00', vat: '10.00' },
          { rate: '9', total: '43.60', vat: '3.60' },
        ],
      },
    ]);
  });

  test('is not known by rate of a sale of several whose amounts by rate are not kept, once the row of the sale is purged', async () => {
    await using w = await world();
    const several = await w.create(sale(1, [cup(60), book(43.6)]));
    const one = await w.create(sale(2, [cup(60), cup(1.2)]));
    await w.server.pool.query('update compliance.orders set accounting_by_rate = null');
    w.setClock(AFTER_THE_TERM);
    for (const { id } of [several, one]) await w.remove(id);
    const ofBoth = async () => (await w.list('2026-11')).returns.map(({ amount, byRate }) => [amount, byRate]);

    const rates = [
      { rate: '20', total: '60.00', vat: '10.00' },
      { rate: '9', total: '43.60', vat: '3.60' },
    ];
    expect(await ofBoth()).toEqual([
      ['103.60', rates],
      ['61.20', [{ rate: '20', total: '61.20', vat: '10.20' }]],
    ]);
    await w.server.pool.query('update compliance.filed_sales set entry = null');
    expect(await ofBoth()).toEqual([
      ['103.60', null],
      ['61.20', [{ rate: '20', total: '61.20', vat: '10.20' }]],
    ]);
  });

  test('is on the page and in the CSVs, in euro for a sale in leva', async () => {
    await using w = await world();
    w.setClock('2025-12-20T10:00:00Z');
    const { id } = await w.create(sale(1, [cup(60), book(43.6)], { internalCreatedAt: '2025-12-20T10:00:00Z', currency: 'BGN' }));
    w.setClock('2026-02-03T10:00:00Z');
    await w.create(sale(2, [cup(12)], { internalCreatedAt: '2026-02-03T10:00:00Z', paymentType: 'BANK_TRANSFER' }));
    await w.remove(id);
    w.setClock('2026-03-05T10:00:00Z');

    const made = await generate(w, '2026-02');

    // 103.60 ÷ 1.95583 = 52.97; 60.00 → 30.68, 43.60 → 22.29; 10.00 → 5.11, 3.60 → 1.84.
    const rows = (await rowsOf(w, made, 'audit_csv_chunks')).filter((row) => row['Вид'] === 'връщане');
    expect(columnsOf(rows, 'Върната сума с ДДС', 'Върнато: ставка на ДДС, %', 'Върнато без ДДС', 'Върнат ДДС', 'Върнато с ДДС')).toEqual([
      ['52,97', '20', '25,57', '5,11', '30,68'],
      ['', '9', '20,45', '1,84', '22,29'],
    ]);
    expect(
      columnsOf(
        await rowsOf(w, made, 'audit_bookkeeping_chunks'),
        'Ден',
        'Вид',
        'Плащане',
        'Начин на връщане',
        'Ставка на ДДС, %',
        'Поръчки',
        'Основа',
        'ДДС',
        'С ДДС',
        'Валута',
      ),
    ).toEqual([
      ['03.02.2026', 'продажба', 'Банков превод', '', '20', '1', '10,00', '2,00', '12,00', 'EUR'],
      ['03.02.2026', 'връщане', '', 'По платежна сметка', '20', '1', '-25,57', '-5,11', '-30,68', 'EUR'],
      ['03.02.2026', 'връщане', '', 'По платежна сметка', '9', '1', '-20,45', '-1,84', '-22,29', 'EUR'],
    ]);
    const summary = await readMonthSummary(auditDeps(w), { shopId: w.shopId, month: '2026-02' });
    expect(summary === null ? '' : summaryText(summary)).toMatch(/20\s%\s+25,57\s+5,11\s+30,68/);
  });
});

describe('money given back within the month', () => {
  test('is in the CSVs as sale and credit, and their columns still add up to the file, which leaves it out', async () => {
    await using w = await world();
    const gone = await w.create(sale(1, [cup(60), book(43.6)]));
    const reduced = await w.create(sale(2, [cup(60)]));
    const grown = await w.create(sale(3, [cup(60)]));
    await w.create(sale(4, [cup(12)]));
    w.setClock('2026-10-20T10:00:00Z');
    for (const { id } of [gone, reduced, grown]) await w.remove(id);
    const again = await w.create(sale(2, [cup(48)]));
    await w.create(sale(3, [cup(72)]));
    w.setClock('2026-10-25T10:00:00Z');
    await w.remove(again.id);
    await w.create(sale(2, [cup(36)]));
    w.setClock(NOVEMBER_IN_TERM);

    const made = await generate(w, '2026-10');

    expect(made).toMatchObject({ file: { sums: { orders: 3, total: '120.00', returns: 0 } } });
    const rows = await rowsOf(w, made, 'audit_csv_chunks');
    const back = rows.filter((row) => row['Вид'] !== 'продажба');
    expect(columnsOf(back, 'Вид', 'Поръчка №', 'Документ №', 'Ставка на ДДС, %', 'ДДС на реда', 'Поръчка с ДДС', 'Върната на', 'Върната сума с ДДС')).toEqual([
      ['продажба, върната в месеца', '', '0000000001', '20', '10,00', '60,00', '', ''],
      ['продажба, върната в месеца', '', '0000000001', '9', '3,60', '43,60', '', ''],
      ['връщане в месеца', '', '0000000001', '20', '-10,00', '-60,00', '20.10.2026', ''],
      ['връщане в месеца', '', '0000000001', '9', '-3,60', '-43,60', '20.10.2026', ''],
      ['продажба, върната в месеца', '#2', '0000000002', '20', '2,00', '12,00', '', ''],
      ['връщане в месеца', '#2', '0000000002', '20', '-2,00', '-12,00', '20.10.2026', ''],
      ['продажба, върната в месеца', '#2', '0000000002', '20', '2,00', '12,00', '', ''],
      ['връщане в месеца', '#2', '0000000002', '20', '-2,00', '-12,00', '25.10.2026', ''],
    ]);
    expect([sumOf(rows, 'Поръчка с ДДС'), sumOf(rows, 'Сума на реда с ДДС'), sumOf(rows, 'ДДС на реда')]).toEqual(['120.00', '120.00', '20.00']);
    const books = await rowsOf(w, made, 'audit_bookkeeping_chunks');
    expect(columnsOf(books, 'Ден', 'Вид', 'Ставка на ДДС, %', 'Поръчки', 'ДДС', 'С ДДС')).toEqual([
      ['05.10.2026', 'продажба', '20', '3', '20,00', '120,00'],
      ['05.10.2026', 'продажба, върната в месеца', '20', '3', '14,00', '84,00'],
      ['05.10.2026', 'продажба, върната в месеца', '9', '1', '3,60', '43,60'],
      ['20.10.2026', 'връщане в месеца', '20', '2', '-12,00', '-72,00'],
      ['20.10.2026', 'връщане в месеца', '9', '1', '-3,60', '-43,60'],
      ['25.10.2026', 'връщане в месеца', '20', '1', '-2,00', '-12,00'],
    ]);
    expect([sumOf(books, 'С ДДС'), sumOf(books, 'ДДС')]).toEqual(['120.00', '20.00']);
  });

  test('stays in the CSV when another version of the month is filed after a rejection', async () => {
    await using w = await world();
    const of = { shopId: w.shopId, month: '2026-10' };
    const whole = await w.create(sale(1, [cup(100)]));
    await w.remove(whole.id);
    const reduced = await w.create(sale(1, [cup(72)]));
    w.setClock(NOVEMBER_IN_TERM);
    await generate(w, '2026-10');
    await w.remove(reduced.id);
    await w.create(sale(1, [cup(60)]));
    await generate(w, '2026-10');
    for (const version of [1, 2]) {
      expect(await markFiled(w.server.pool, { ...of, version, now: w.now(), asIs: true })).toMatchObject({ ok: true });
      await markRejected(w.server.pool, of);
    }

    const back = (await rowsOf(w, await generate(w, '2026-10'), 'audit_csv_chunks')).filter((row) => row['Вид'] === 'връщане в месеца');
    expect(columnsOf(back, 'Документ №', 'Поръчка с ДДС')).toEqual([['0000000001', '-28,00']]);
  });

  test('keeps no number, no goods and no buyer of a deleted order', async () => {
    await using w = await world();
    await w.remove((await w.create(sale(1, [cup(60)]))).id);

    const { rows } = await w.server.pool.query('select refund from compliance.deleted_orders');
    expect(rows).toEqual([
      {
        refund: {
          at: '2026-10-05T10:00:00Z',
          payment: 'PAYMENT_PROCESSOR',
          way: 'IBAN',
          total: '60.00',
          byRate: [{ rate: '20', total: '60.00', vat: '10.00' }],
        },
      },
    ]);
  });
});
