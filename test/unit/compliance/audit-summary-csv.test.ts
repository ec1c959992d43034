import { describe, expect, test } from 'vitest';
import type { AuditReturn } from '../../../src/compliance/service/audit/audit-file.ts';
import type { CsvOrder } from '../../../src/compliance/service/audit/summary/csv-columns.ts';
import { csvOf } from '../../../src/compliance/service/audit/summary/month-csv.ts';
import { bookOrder, cup, dollar, order, refund } from './audit-summary-month.ts';

const home = (changes: Partial<CsvOrder> = {}): CsvOrder => ({ ...order(), foreign: null, ...changes });

async function written(orders: Iterable<CsvOrder>, returns: Iterable<AuditReturn> = []): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of csvOf({ orders, returns, currency: 'EUR' })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The rows by their labels, as a spreadsheet reads them. */
async function read(orders: Iterable<CsvOrder>, returns: Iterable<AuditReturn> = []): Promise<Record<string, string>[]> {
  const [labels = [], ...rows] = parse((await written(orders, returns)).toString('utf8').replace(/^\ufeff/, ''));
  return rows.map((row) => Object.fromEntries(labels.map((label, i) => [label, row[i] ?? 'absent'])));
}

/** A small reader of RFC 4180 with semicolons. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n"]*))(;|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ';') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('the CSV of a month', () => {
  test('begins with the mark that tells Excel of UTF-8', async () => {
    expect((await written([])).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  });

  test('has one row per article', async () => {
    const rows = await read([home(), home({ ...bookOrder() })]);

    expect(rows.map((row) => [row['Вид'], row['Поръчка №'], row['Стока или услуга'], row['Сума на реда с ДДС']])).toEqual([
      ['продажба', '#1042', 'Чаша за кафе', '21,60'],
      ['продажба', '#1042', 'Книга', '109,00'],
      ['продажба', '#1043', 'Книга', '109,00'],
    ]);
  });

  test('shows the sums of an order once, so that its columns add up to the month', async () => {
    const rows = await read([home()]);

    expect(rows.map((row) => row['Поръчка с ДДС'])).toEqual(['130,60', '']);
    expect(rows[0]).toMatchObject({ 'Поръчка без ДДС преди отстъпка': '120,00', 'Отстъпка без ДДС': '2,00', 'ДДС на поръчката': '12,60' });
  });

  test('says all that the file says of an order', async () => {
    const [row] = await read([home({ payment: 2, posNumber: 'V1', transaction: 'T1', processor: 'Банка' })]);

    expect(row).toMatchObject({
      'Дата на поръчката': '05.10.2026',
      'Документ №': '0000000042',
      'Дата на документа': '06.10.2026',
      'Плащане, код': '2',
      Плащане: 'Карта, виртуален ПОС терминал',
      'Виртуален ПОС №': 'V1',
      'Транзакция №': 'T1',
      'Доставчик на платежни услуги': 'Банка',
      Количество: '2,00',
      'Единична цена без ДДС': '10,00',
      'Ставка на ДДС, %': '20',
      'ДДС на реда': '3,60',
      Валута: 'EUR',
      'Върната сума с ДДС': '',
    });
  });

  test('lists returns after the orders', async () => {
    const rows = await read([home()], [refund]);

    expect(rows.at(-1)).toMatchObject({
      Вид: 'връщане',
      'Поръчка №': '#0981',
      'Поръчка с ДДС': '',
      'Върната сума с ДДС': '45,50',
      'Върната на': '12.10.2026',
      'Начин на връщане': 'По платежна сметка',
      Валута: 'EUR',
    });
  });

  test('shows the rate of an order in a foreign currency', async () => {
    const [first, second] = await read([home({ foreign: { total: '153.60', rate: dollar } })]);

    expect(first).toMatchObject({
      'Чужда валута': 'USD',
      'Поръчка с ДДС в чуждата валута': '153,60',
      'Курс: единици чужда валута': '1,1761',
      'Курс: за толкова от основната': '1',
      'Курс: основна валута': 'EUR',
      'Курс от дата': '09.10.2026',
      'Източник на курса': 'BNB',
    });
    expect(second?.['Поръчка с ДДС в чуждата валута']).toBe('');
  });

  test.each(['a;b', 'say "hi"', 'two\r\nlines', ' blanks ', '🎁 „кавички“', 'a\tb'])('carries %j unchanged', async (name) => {
    const [row] = await read([home({ articles: [{ ...cup, name }] })]);

    expect(row?.['Стока или услуга']).toBe(name);
  });

  test.each(['=1+1', '+359', '-5 %', '@SUM(A1)', '\t=1', ' =1', '\r\n=1', '＝1', '=HYPERLINK("http://x";"y")'])('never lets %j be a formula', async (text) => {
    const [row] = await read([home({ number: text, articles: [{ ...cup, name: text }], transaction: text, processor: text, posNumber: text })]);

    const cells = ['Поръчка №', 'Стока или услуга', 'Транзакция №', 'Доставчик на платежни услуги', 'Виртуален ПОС №'].map((label) => row?.[label]);
    expect(new Set(cells)).toEqual(new Set([`'${text}`]));
  });

  test('leaves a negative amount a number', async () => {
    const [row] = await read([home({ total: '-1.50' })]);

    expect(row?.['Поръчка с ДДС']).toBe('-1,50');
  });

  test('refuses what is no number where a number belongs', async () => {
    await expect(written([home({ total: '=1+1' })])).rejects.toThrow(RangeError);
  });

  test('is written as orders are read, in chunks that do not grow', async () => {
    let taken = 0;
    async function* many() {
      for (; taken < 5000; taken += 1) yield home({ number: String(taken) });
    }
    const sizes: number[] = [];
    const takenAt: number[] = [];

    for await (const chunk of csvOf({ orders: many(), returns: [], currency: 'EUR' })) {
      sizes.push(chunk.byteLength);
      takenAt.push(taken);
    }

    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(200_000);
    expect(takenAt[0]).toBeLessThan(1000);
  });
});
