import { describe, expect, test } from 'vitest';
import type { MonthReturn } from '../../../../src/service/audit/audit-file.ts';
import { articleColumns, columnsOf, orderColumns, returnColumns } from '../../../../src/service/audit/format/audit-columns.ts';
import { type CsvOrder, csvHead, csvOrder, csvReturn } from '../../../../src/service/audit/summary/csv-columns.ts';
import { bookOrder, cup, dollar, order, refund } from './audit-summary-month.ts';

const home = (changes: Partial<CsvOrder> = {}): CsvOrder => ({ ...order(), foreign: null, ...changes });

function written(orders: readonly CsvOrder[], returns: readonly MonthReturn[] = []): Buffer {
  return Buffer.from([csvHead(), ...orders.map((one) => csvOrder(one, 'EUR')), ...returns.map((one) => csvReturn(one, 'EUR'))].join(''));
}

/** The rows by their labels, as a spreadsheet reads them. */
function read(orders: readonly CsvOrder[], returns: readonly MonthReturn[] = []): Record<string, string>[] {
  const [labels = [], ...rows] = parse(
    written(orders, returns)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
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
  test('begins with the byte order mark, by which Excel reads UTF-8', () => {
    expect(written([]).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  });

  test('has each column at its place', () => {
    const labels = csvHead()
      .replace(/^\ufeff|\r\n$/g, '')
      .split(';');
    const placed = [orderColumns, articleColumns, returnColumns].flatMap((columns) => columnsOf(columns).flatMap(([, { csv }]) => (csv === null ? [] : [csv])));
    expect(placed.map(([place]) => labels[place])).toEqual(placed.map(([, label]) => label));
    expect(placed.length).toBeGreaterThan(20);
    expect(labels.slice(30, 35)).toEqual(['Валута', 'Върнато: ставка на ДДС, %', 'Върнато без ДДС', 'Върнат ДДС', 'Върнато с ДДС']);
  });

  test('has one row per article', () => {
    const rows = read([home(), home({ ...bookOrder() })]);

    expect(rows.map((row) => [row['Вид'], row['Поръчка №'], row['Стока или услуга'], row['Сума на реда с ДДС']])).toEqual([
      ['продажба', '#1042', 'Чаша за кафе', '21,60'],
      ['продажба', '#1042', 'Книга', '109,00'],
      ['продажба', '#1043', 'Книга', '109,00'],
    ]);
  });

  test('shows the sums of an order once, so that its columns add up to the month', () => {
    const rows = read([home()]);

    expect(rows.map((row) => row['Поръчка с ДДС'])).toEqual(['130,60', '']);
    expect(rows[0]).toMatchObject({ 'Поръчка без ДДС преди отстъпка': '120,00', 'Отстъпка без ДДС': '2,00', 'ДДС на поръчката': '12,60' });
  });

  test('has all fields that the file has of an order', () => {
    const [row] = read([home({ payment: 2, posNumber: 'V1', transaction: 'T1', processor: 'Банка' })]);

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

  test('lists returns after the orders', () => {
    const rows = read([home()], [refund]);

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

  test('shows the rate of an order in a foreign currency', () => {
    const [first, second] = read([home({ foreign: { total: '153.60', rate: dollar } })]);

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
    const [row] = read([home({ articles: [{ ...cup, name }] })]);

    expect(row?.['Стока или услуга']).toBe(name);
  });

  test.each(['=1+1', '+359', '-5 %', '@SUM(A1)', ' =1', '＝1', '=HYPERLINK("http://x";"y")'])('never lets %j be a formula', (text) => {
    const [row] = read([home({ number: text, articles: [{ ...cup, name: text }], transaction: text, processor: text, posNumber: text })]);

    const cells = ['Поръчка №', 'Стока или услуга', 'Транзакция №', 'Доставчик на платежни услуги', 'Виртуален ПОС №'].map((label) => row?.[label]);
    expect(new Set(cells)).toEqual(new Set([`'${text}`]));
  });

  test.each([
    ['\t=1', "'\t'=1"],
    ['\r\n=1', "'\r\n'=1"],
  ])('nor %j, for whom a tab or a line break ends a cell', (name, cell) => {
    expect(read([home({ articles: [{ ...cup, name }] })])[0]?.['Стока или услуга']).toBe(cell);
  });

  test.each(["x,=cmd|' /C calc'!A0,y", 'x;=1', 'x\t+1', '\r\n=1', 'two\r\n-1', 'x, =1', 'x,＝1'])(
    'finding 14: %j is no formula for a program that reads another separator, or no quotes',
    (name) => {
      const text = written([home({ articles: [{ ...cup, name }] })]).toString('utf8');

      expect(text.split(/[,\t;\r\n]/).filter((cell) => /^["\s]*[=+@＝]/u.test(cell) || /^["\s]*-\D/u.test(cell))).toEqual([]);
      expect(text.split(/[,\t\r\n]/).filter((cell) => /^["\s]*-1/u.test(cell))).toEqual([]);
    },
  );

  test('writes blanks of any number', () => {
    const number = `7${'\t'.repeat(200_000)}8`;

    expect(read([home({ number })])[0]?.['Поръчка №']).toBe(number);
  });

  test('leaves a negative amount a number', () => {
    const [row] = read([home({ total: '-1.50' })]);

    expect(row?.['Поръчка с ДДС']).toBe('-1,50');
  });

  test('refuses text in a column of numbers', () => {
    expect(() => written([home({ total: '=1+1' })])).toThrow(RangeError);
  });
});
