import { describe, expect, test } from 'vitest';
import { type AuditDiff, diffAuditFiles } from '../../../../src/service/audit/format/diff-audit-files.ts';
import type { AuditContent } from '../../../../src/service/audit/format/write-audit-file.ts';
import { firstOrder, goodXml, header, oneReturn, secondOrder, written } from './audit-samples.ts';

const good = await goodXml();
const { bytes } = await written();

describe('files that say the same', () => {
  test.each<[string, string]>([
    ['in another encoding', `<?xml version="1.0" encoding="UTF-8"?>${good}`],
    [
      'in another order of elements',
      good.replace(/(<ord_n>.*?<\/ord_n>)(.*?<\/doc_date>)/g, '$2$1').replace(/(<eik>.*<\/eik>)\n([\s\S]*)<\/audit>/, '$2$1</audit>'),
    ],
    ['in another order of orders', good.replace(/(<orderenum>[\s\S]*?<\/orderenum>)\n(<orderenum>[\s\S]*?<\/orderenum>)/, '$2$1')],
    ['in another order of articles', good.replace(/(<artenum>.*<\/artenum>)\n(<artenum>.*<\/artenum>)/, '$2$1')],
    ['with other spellings of numbers', good.replace('>25.00<', '>25.000<').replace('>5.00<', '> +5 <').replace('0000000001', '1')],
    ['with another indentation', good.replace(/></g, '>\n\t<')],
    ['made on another day', good.replace('2026-11-03', '2026-11-05')],
    ['in capitals', good.replace(/<\/?[a-z_0-9]+>/g, (tag) => tag.toUpperCase())],
  ])('%s, are equal', async (_how, xml) => {
    expect(await diffAuditFiles(bytes, Buffer.from(xml))).toEqual({
      equal: true,
      header: [],
      sums: [],
      orders: [],
      returns: [],
      same: { orders: 2, returns: 1 },
    });
  });
});

describe('files that differ', () => {
  test('in the header are reported with both values', async () => {
    const { header: differing, equal } = await diff({ header: { ...header, domain: 'www.cups.example', shopType: 2 } });

    expect(equal).toBe(false);
    expect(differing).toEqual([
      { field: 'domain', first: 'cups.example', second: 'www.cups.example' },
      { field: 'shopType', first: '1', second: '2' },
    ]);
  });

  test('in an order are reported by field, by article, and in the sums', async () => {
    const articles = firstOrder.articles.map((one, index) => (index === 1 ? { ...one, price: '6.00', vat: '1.20', sum: '7.20' } : one));
    const { orders, sums, same } = await diff({ orders: [{ ...firstOrder, articles, net: '26.00', vat: '5.20', total: '31.20', payment: 5 }, secondOrder] });

    expect(same).toEqual({ orders: 1, returns: 1 });
    expect(orders).toEqual([
      {
        only: null,
        number: '#1001',
        documentNumber: '0000000001',
        total: '30.00',
        fields: [
          { field: 'net', first: '25.00', second: '26.00' },
          { field: 'vat', first: '5.00', second: '5.20' },
          { field: 'total', first: '30.00', second: '31.20' },
          { field: 'payment', first: '4', second: '5' },
        ],
        articles: [
          {
            only: null,
            name: 'Доставка',
            fields: [
              { field: 'price', first: '5.00', second: '6.00' },
              { field: 'vat', first: '1.00', second: '1.20' },
              { field: 'sum', first: '6.00', second: '7.20' },
            ],
          },
        ],
      },
    ]);
    expect(sums).toContainEqual({ field: 'total', first: '41.99', second: '43.19' });
  });

  test('in an article’s name, or by an article, are reported as such', async () => {
    const [cup, delivery] = firstOrder.articles;
    if (cup === undefined || delivery === undefined) throw new Error('the sample has two articles');
    const renamed = await diff({ orders: [{ ...firstOrder, articles: [cup, { ...delivery, name: 'Куриер' }] }, secondOrder] });
    const fewer = await diff({ orders: [{ ...firstOrder, articles: [delivery] }, secondOrder] });
    const more = await diff({ orders: [{ ...firstOrder, articles: [cup, delivery, delivery] }, secondOrder] });

    expect(renamed.orders[0]?.articles).toEqual([{ only: null, name: 'Доставка', fields: [{ field: 'name', first: 'Доставка', second: 'Куриер' }] }]);
    expect(fewer.orders[0]?.articles).toEqual([{ only: 'first', name: 'Чаша за чай', fields: [] }]);
    expect(more.orders[0]?.articles).toEqual([{ only: 'second', name: 'Доставка', fields: [] }]);
  });

  test('by an order are reported with the file that has it', async () => {
    const { orders } = await diff({ orders: [secondOrder, { ...firstOrder, number: '#9', documentNumber: '0000000009' }] });

    expect(orders.map(({ only, number, total }) => [only, number, total])).toEqual([
      ['first', '#1001', '30.00'],
      ['second', '#9', '30.00'],
    ]);
  });

  test('in the number of an order are paired by the document number', async () => {
    const { orders } = await diff({ orders: [{ ...firstOrder, number: '1001', documentNumber: '1' }, secondOrder] });

    expect(orders).toMatchObject([{ only: null, number: '#1001', fields: [{ field: 'number', first: '#1001', second: '1001' }] }]);
  });

  test('where a number is listed twice, are paired by the document number too', async () => {
    const twin = { ...secondOrder, number: firstOrder.number };
    const first = await written({ orders: [firstOrder, twin] });
    const second = await written({ orders: [twin, firstOrder] });

    expect(await diffAuditFiles(first.bytes, second.bytes)).toMatchObject({ equal: true, same: { orders: 2 } });
  });

  test('in a return are reported; two parts of one order are two rows', async () => {
    const { returns, same } = await diff({ returns: [{ ...oneReturn, amount: '1.00' }, oneReturn, { ...oneReturn, number: '#7' }] });
    const changed = await diff({ returns: [{ ...oneReturn, returnedOn: '2026-10-21' }] });

    expect(same.returns).toBe(1);
    expect(returns.map(({ only, number, amount }) => [only, number, amount])).toEqual([
      ['second', '#1001', '1.00'],
      ['second', '#7', '6.00'],
    ]);
    expect(changed.returns).toMatchObject([{ only: null, fields: [{ field: 'returnedOn', first: '2026-10-20', second: '2026-10-21' }] }]);
  });

  test('because one is no audit file are not compared', async () => {
    expect(await diffAuditFiles(bytes, Buffer.from('<html/>'))).toEqual({ equal: false, unreadable: ['second'] });
    expect(await diffAuditFiles(Buffer.from(''), Buffer.from('{}'))).toEqual({ equal: false, unreadable: ['first', 'second'] });
  });
});

/** The good file compared with one that differs from it. */
async function diff(change: Partial<AuditContent>): Promise<AuditDiff> {
  const other = await written(change);
  const found = await diffAuditFiles(bytes, other.bytes);
  if ('unreadable' in found) throw new Error('a file is unreadable');
  return found;
}
