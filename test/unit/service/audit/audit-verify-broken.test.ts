import { fc, test as property } from '@fast-check/vitest';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { verifyAuditFile } from '../../../../src/service/audit/format/verify-audit-file.ts';
import { runs } from '../../../support/run-size.ts';
import { goodXml, rulesOf } from './audit-samples.ts';

const good = await goodXml();
const SUMS = { orders: 2, net: '36.00', vat: '5.99', total: '41.99', returns: 1, returned: '6.00' };

describe('nothing is missed after the first finding', () => {
  const lines = (xml: string) => xml.split('\n');

  test('each is reported with the line of the file and the order', async () => {
    const xml = good
      .replace('<mon>10', '<mon>1')
      .replace('<art_quant>1.00</art_quant><art_price>5.00', '<art_quant>1,00</art_quant><art_price>5.00')
      .replace('<doc_n>0000000002</doc_n>', '')
      .replace('<r_paym>2', '<r_paym>8');
    const { findings } = await verifyAuditFile(Buffer.from(xml));
    const schema = findings.filter(({ rule }) => rule === 'schema.violation');

    expect(schema.map(({ line, order, words }) => [line, order, words.split(' ')[0]])).toEqual([
      [lineOf(xml, '<mon>1<'), null, '<mon>'],
      [lineOf(xml, '1,00'), '#1001', '<art_quant>'],
      [lineOf(xml, '#1002'), '#1002', '<orderenum>'],
      [lineOf(xml, '<r_paym>8'), '#1001', '<r_paym>'],
    ]);
  });

  test('outside the orders too, also on one line with them', async () => {
    const xml = good.replace('</order>\n<r_ord>1', '</order><r_ord>1.5').replace('<r_total>6.00', '<r_total>6,00');
    const { findings } = await verifyAuditFile(Buffer.from(xml));

    expect(findings.filter(({ rule }) => rule === 'schema.violation').map(({ line, words }) => [line, words.split(' ')[0]])).toEqual([
      [lineOf(xml, '1.5'), '<r_ord>'],
      [lineOf(xml, '6,00'), '<r_total>'],
    ]);
  });

  test('an order that is not well-formed hides neither the others nor their problems', async () => {
    const xml = good.replace('</ord_d>', '</ord_x>').replace('<paym>2', '<paym>9');
    const { findings, sums } = await verifyAuditFile(Buffer.from(xml));

    expect(rulesOf(findings, 'error')).toEqual(['file.not-well-formed', 'schema.violation']);
    expect(findings.map(({ line, order }) => [line, order])).toEqual(
      expect.arrayContaining([
        [lineOf(xml, '#1001'), '#1001'],
        [lineOf(xml, '<paym>9'), '#1002'],
      ]),
    );
    expect(sums.orders).toBe(2);
  });

  test('an order that is never closed ends where the next begins', async () => {
    const { findings, sums } = await verifyAuditFile(Buffer.from(good.replace('</orderenum>', '')));

    expect(findings[0]).toMatchObject({ rule: 'file.not-well-formed', order: '#1001', line: lineOf(good, '#1002') });
    expect(sums).toEqual(SUMS);
  });

  test.each([0.1, 0.35, 0.6, 0.9, 0.99])('a file that ends after %d of its length is reported', async (part) => {
    const { findings } = await verifyAuditFile(Buffer.from(good).subarray(0, good.length * part));

    expect(rulesOf(findings, 'error')).toContain('file.not-well-formed');
  });

  test('an undefined reference or a stray character is found at its line', async () => {
    for (const broken of ['&nbsp;', '&#0;', 'a < b', '<', '&']) {
      const xml = good.replace('Книга', broken);
      const { findings } = await verifyAuditFile(Buffer.from(xml));
      expect(
        findings.find(({ rule }) => rule === 'file.not-well-formed'),
        broken,
      ).toMatchObject({ line: lineOf(xml, '#1002') + 1, order: '#1002' });
    }
  });

  function lineOf(xml: string, what: string): number {
    return lines(xml).findIndex((line) => line.includes(what)) + 1;
  }
});

describe('a document type', () => {
  const bomb = `<!DOCTYPE audit [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]>`;
  const fetching = '<!DOCTYPE audit [<!ENTITY c SYSTEM "file:///etc/hostname">]>';
  const foreign = '<!DOCTYPE audit SYSTEM "http://127.0.0.1:9/a.dtd">';

  test.each([
    ['an entity bomb', bomb],
    ['an external entity', fetching],
    ['an external subset', foreign],
  ])('with %s is reported, not processed', async (_what, type) => {
    const before = process.memoryUsage().rss;
    const { findings, sums } = await verifyAuditFile(Buffer.from(type + good.replace('Книга', '&c;')));

    expect(findings.filter(({ rule }) => rule.startsWith('file.')).map(({ rule, words }) => [rule, words])).toEqual([
      ['file.document-type', 'a document type is declared'],
      ['file.not-well-formed', "Entity 'c' not defined"],
    ]);
    expect(sums.orders).toBe(2);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });
});

describe('another file than an audit file', () => {
  test.each<[string, Buffer | string, string[]]>([
    ['nothing', '', ['file.not-xml']],
    ['white space', ' \n ', ['file.not-xml']],
    ['text', 'Order;Total\n1;2', ['file.not-xml']],
    ['JSON', '{"orders": []}', ['file.not-xml']],
    ['a ZIP archive', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0, 0x98]), ['file.not-xml']],
    ['a web page', '<!DOCTYPE html><html><body><p>Log in<br></body></html>', ['file.document-type', 'file.not-audit']],
    ['another XML', '<?xml version="1.0" encoding="windows-1251"?><REPORT><ORDERS/></REPORT>', ['file.not-audit']],
  ])('%s', async (_what, bytes, rules) => {
    const { findings, header: read, sums } = await verifyAuditFile(Buffer.from(bytes));

    expect(rulesOf(findings, 'error').filter((rule) => rule.startsWith('file.'))).toEqual(rules);
    expect(read).toBeNull();
    expect(sums.orders).toBe(0);
  });

  test('an empty audit element lacks everything', async () => {
    const { findings } = await verifyAuditFile(Buffer.from('<audit/>'));

    expect(rulesOf(findings, 'error')).toEqual(['file.no-orders', 'schema.violation']);
  });
});

const shredded = fc.array(
  fc.oneof(
    fc.constantFrom(
      '<audit>',
      '<order>',
      '<orderenum>',
      '<ord_n>',
      '</ord_n>',
      '</orderenum>',
      '</order>',
      '</audit>',
      '<',
      '>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
    ),
    fc.constantFrom(
      '<!DOCTYPE a [',
      '<?xml encoding="utf-16"?>',
      '<art>',
      '<artenum/>',
      '<rorder>',
      '<rorderenum>',
      '"',
      "'",
      '&',
      '&#55296;',
      '&#x110000;',
      'я',
      '\0',
      '\ufeff',
      '😀',
      '/>',
    ),
  ),
  { maxLength: 40 },
);

property.prop([shredded, fc.boolean()], { numRuns: runs(150, 500) })('garbage is reported, never thrown, in pieces of any size', async (parts, utf8) => {
  const bytes = utf8 ? Buffer.from(parts.join('')) : iconv.encode(parts.join(''), 'win1251');

  const report = await verifyAuditFile(bytes);

  expect(rulesOf(report.findings, 'error').length).toBeGreaterThan(0);
});

property.prop([fc.nat(good.length - 1), fc.nat(30), fc.string({ maxLength: 5 })], { numRuns: runs(100, 300) })(
  'a good file with a hole in it is reported without an exception',
  async (at, length, filling) => {
    const report = await verifyAuditFile(Buffer.from(good.slice(0, at) + filling + good.slice(at + length)));

    expect(report.sums.orders).toBeLessThanOrEqual(3);
  },
);
