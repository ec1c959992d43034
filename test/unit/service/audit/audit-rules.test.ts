import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/service/audit/audit-file.ts';
import { type AuditRule, auditRules } from '../../../../src/service/audit/format/audit-rules.ts';
import { FindingList } from '../../../../src/service/audit/format/finding-list.ts';
import type { ReportedOrder, RuleContext } from '../../../../src/service/audit/format/rule-check.ts';
import { numberGaps } from '../../../../src/service/audit/format/rule-check.ts';
import { verifyAuditFile } from '../../../../src/service/audit/format/verify-audit-file.ts';
import { goodXml, oneReturn } from './audit-samples.ts';

const DECLARATION = '<?xml version="1.0" encoding="windows-1251"?>\n';
const good = await goodXml();

/** One way to break a rule in the good file; `order`: the order that the finding names. */
type Plant = { from?: string | RegExp; to?: string; bytes?: (xml: string) => Buffer; context?: RuleContext; order?: string };

const SEPTEMBER: ReportedOrder = { month: '2026-09', orderedOn: '2026-09-10', total: '100.00' };

const plants: Record<AuditRule, Plant> = {
  'file.not-xml': { bytes: () => Buffer.from('%PDF-1.7 nothing here') },
  'file.not-audit': { from: /audit>/g, to: 'REPORT>' },
  'file.not-well-formed': { from: '</ord_d>', to: '</ord_x>', order: '#1001' },
  'file.document-type': { from: /^/, to: '<!DOCTYPE audit [<!ENTITY a "b">]>' },
  'file.upper-case': { bytes: (xml) => encoded(xml.replace(/<\/?[a-z_0-9]+>/g, (tag) => tag.toUpperCase())) },
  'file.namespace': { from: '<audit>', to: '<audit xmlns="urn:audit">' },
  'file.too-large': { bytes: (xml) => encoded(xml.replace('Чаша за чай', ' '.repeat(9_000_000))) },
  'encoding.unknown': { bytes: (xml) => Buffer.from(`<?xml version="1.0" encoding="windows-9999"?>${xml}`) },
  'encoding.mismatch': { bytes: (xml) => Buffer.from(DECLARATION + xml) },
  'encoding.not-windows-1251': { bytes: (xml) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`) },
  'encoding.byte-order-mark': { bytes: (xml) => Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-8"?>${xml}`) },
  'schema.violation': { from: '<paym>4', to: '<paym>7', order: '#1001' },
  'header.company-number': { from: '206770508', to: '104056065' },
  'header.empty': { from: 'cups.example', to: '' },
  'header.shop-number': { from: 'RF0000123', to: 'RF0000000' },
  'header.month-not-ended': { from: '2026-11-03', to: '2026-10-31' },
  'header.after-deadline': { from: '2026-11-03', to: '2026-11-17' },
  'file.no-orders': { from: /<order>[\s\S]*<\/order>/, to: '<order/>' },
  'file.sales-removed': { context: { removedSales: 2 } },
  'file.document-number-gap': { from: '0000000002', to: '0000000005' },
  'order.number-missing': { from: '<ord_n>#1002', to: '<ord_n>', order: '' },
  'order.number-repeated': { from: '#1002', to: '#1001', order: '#1001' },
  'order.reported-before': { context: { reported: new Map([['#1002', SEPTEMBER]]) }, order: '#1002' },
  'order.document-number': { from: '0000000002', to: '00000000002', order: '#1002' },
  'order.document-number-short': { from: '0000000002', to: '2', order: '#1002' },
  'order.document-number-repeated': { from: '0000000002', to: '0000000001', order: '#1002' },
  'order.net-mismatch': { from: '<ord_total1>25.00', to: '<ord_total1>25.02', order: '#1001' },
  'order.total-mismatch': { from: '<ord_total2>30.00', to: '<ord_total2>30.02', order: '#1001' },
  'order.vat-mismatch': { from: '<ord_vat>5.00', to: '<ord_vat>5.02', order: '#1001' },
  'order.sum-mismatch': { from: '<art_sum>6.00', to: '<art_sum>6.02', order: '#1001' },
  'order.discount-shown': { from: '<ord_disc>0.00', to: '<ord_disc>1.00', order: '#1001' },
  'order.transaction-missing': { from: '<trans_n>tx_2</trans_n>', to: '', order: '#1002' },
  'order.reference-missing': { from: '<trans_n>pi_1</trans_n>', to: '', order: '#1001' },
  'order.processor-missing': { from: /<proc_id>.*?<\/proc_id>/, to: '<proc_id/>', order: '#1001' },
  'order.processor-number-missing': { from: 'IE3206488LH Stripe', to: 'Stripe', order: '#1001' },
  'order.pos-missing': { from: '<pos_n>12345678</pos_n>', to: '<pos_n> </pos_n>', order: '#1002' },
  'order.date-unlikely': { from: '<doc_date>2026-10-05', to: '<doc_date>2026-11-04', order: '#1002' },
  'article.name-missing': { from: 'Книга', to: ' ', order: '#1002' },
  'article.name-cut': { from: 'Книга', to: 'Я'.repeat(200), order: '#1002' },
  'article.sum-mismatch': { from: '<art_price>11.00', to: '<art_price>11.02', order: '#1002' },
  'article.vat-mismatch': { from: '<art_vat>0.99</art_vat><art_sum>11.99', to: '<art_vat>1.02</art_vat><art_sum>12.02', order: '#1002' },
  'article.vat-rate-unknown': { from: '<art_vat_rate>9', to: '<art_vat_rate>7', order: '#1002' },
  'return.date-out-of-month': { from: '2026-10-20', to: '2026-11-01', order: '#1001' },
  'return.before-order': { from: '2026-10-20', to: '2026-10-02', order: '#1001' },
  'return.more-than-order': { from: '<r_amount>6.00', to: '<r_amount>30.01', order: '#1001' },
  'return.order-unknown': { from: '<r_ord_n>#1001', to: '<r_ord_n>#900', context: { reported: new Map([['#901', SEPTEMBER]]) }, order: '#900' },
  'return.negative': { from: '<r_amount>6.00', to: '<r_amount>-6.00', order: '#1001' },
  'return.count-mismatch': { from: '<r_ord>1', to: '<r_ord>2' },
  'return.total-mismatch': { from: '<r_total>6.00', to: '<r_total>6.01' },
  'return.sums-missing': { from: '<r_ord>1</r_ord>', to: '' },
};

describe('a good file', () => {
  test('has no findings', async () => {
    expect((await verifyAuditFile(encoded(good))).findings).toEqual([]);
  });

  test('has none either when the facts outside it are known', async () => {
    const context: RuleContext = { reported: new Map([['#1001', { month: '2026-10', orderedOn: '2026-10-03', total: '30.00' }]]) };

    expect((await verifyAuditFile(encoded(good), context)).findings).toEqual([]);
  });
});

const planted = Object.entries(plants);

describe('a planted violation is found', () => {
  test.each(planted)('%s', async (rule, { order, ...plant }) => {
    const found = (await findingsOf(plant)).filter((finding) => finding.rule === rule);

    expect(found.length).toBeGreaterThan(0);
    expect(found[0]).toMatchObject({ order: order ?? null, words: expect.stringMatching(/\S/), advice: expect.stringMatching(/\.$/) });
  });

  test('every rule has its level from the table', async () => {
    for (const [, plant] of planted) {
      const findings = await findingsOf(plant);
      expect(findings.map(({ rule, level }) => [rule, level])).toEqual(findings.map(({ rule }) => [rule, levelOf(rule)]));
    }
  });
});

describe('not a violation', () => {
  test.each<[string, Plant, AuditRule]>([
    ['a total that is off by 0.01', { from: '<ord_total2>30.00', to: '<ord_total2>30.01' }, 'order.total-mismatch'],
    ['a net sum that is off by 0.01', { from: '<ord_total1>25.00', to: '<ord_total1>24.99' }, 'order.net-mismatch'],
    [
      'VAT that was computed on the order and split',
      { from: '<art_vat>4.00</art_vat><art_sum>24.00', to: '<art_vat>4.01</art_vat><art_sum>24.01' },
      'article.vat-mismatch',
    ],
    ['the last day for filing', { from: '2026-11-03', to: '2026-11-16' }, 'header.after-deadline'],
    ['the first day after the month', { from: '2026-11-03', to: '2026-11-01' }, 'header.month-not-ended'],
    ['an order made in the last quarter', { from: '<ord_d>2026-10-04', to: '<ord_d>2026-07-01' }, 'order.date-unlikely'],
    ['a return of an order of another month', { from: '<r_ord_n>#1001', to: '<r_ord_n>#900' }, 'return.order-unknown'],
    ['a return on the day of the order', { from: '2026-10-20', to: '2026-10-03' }, 'return.before-order'],
    ['a return of the whole order', { from: '<r_amount>6.00', to: '<r_amount>30.00' }, 'return.more-than-order'],
    ['a name of 199 characters', { from: 'Книга', to: 'Я'.repeat(199) }, 'article.name-cut'],
    ['three rows of a bundle with a unit price that can’t be exact', { from: /<artenum>.*Книга.*<\/artenum>/, to: bundle() }, 'article.vat-mismatch'],
  ])('%s', async (_what, plant, rule) => {
    const findings = await findingsOf(plant);

    expect(findings.filter((finding) => finding.rule === rule)).toEqual([]);
  });

  test('a count of returns by rows or by orders', async () => {
    const twice = await goodXml({ returns: [oneReturn, { ...oneReturn, amount: '2.00' }] });

    expect((await verifyAuditFile(encoded(twice))).findings).toEqual([]);
    expect((await verifyAuditFile(encoded(twice.replace('<r_ord>1', '<r_ord>2')))).findings).toEqual([]);
  });
});

describe('a discount of 5.00 that is shown', () => {
  const shown = (articles: string, totals: string) => good.replace(/<artenum>[\s\S]*?<\/art>.*?<paym>/, `${articles}</art>${totals}<paym>`);
  const after = row({ price: '25.00', vat: '4.00', sum: '24.00' });
  const before = row({ price: '25.00', vat: '5.00', sum: '30.00' });
  const rulesIn = async (xml: string) => (await verifyAuditFile(encoded(xml))).findings.map(({ rule }) => rule);

  test.each([
    ['without VAT, taken off the rows’ VAT and sums', after, sums({ net: '25.00', discount: '5.00', vat: '4.00', total: '24.00' })],
    ['without VAT, not taken off the rows', before, sums({ net: '25.00', discount: '5.00', vat: '4.00', total: '24.00' })],
    ['with VAT, taken off the net sum', before, sums({ net: '20.00', discount: '6.00', vat: '4.00', total: '24.00' })],
  ])('%s, is a warning only', async (_reading, articles, totals) => {
    expect(await rulesIn(shown(articles, totals))).toEqual(['order.discount-shown']);
  });

  test.each([
    ['total', sums({ net: '25.00', discount: '5.00', vat: '4.00', total: '26.00' }), 'order.total-mismatch'],
    ['net sum', sums({ net: '26.00', discount: '5.00', vat: '4.00', total: '25.00' }), 'order.net-mismatch'],
    ['VAT', sums({ net: '25.00', discount: '5.00', vat: '3.00', total: '23.00' }), 'order.vat-mismatch'],
  ])('with a wrong %s is an error', async (_what, totals, rule) => {
    expect(await rulesIn(shown(after, totals))).toContain(rule);
  });
});

describe('a list of findings', () => {
  test('lists a hundred of a rule and counts the others', () => {
    const list = new FindingList();
    for (let line = 1; line <= 250; line += 1) list.add('return.negative', { words: `row ${line}`, line });
    list.add('order.total-mismatch', { words: 'wrong', line: 500 });

    const all = list.all();
    expect(all).toHaveLength(102);
    expect(all[0]).toMatchObject({ rule: 'order.total-mismatch', level: 'error' });
    expect(all.at(-1)).toMatchObject({ rule: 'return.negative', line: null, words: '150 more like this; the first 100 are listed' });
  });
});

describe('gaps', () => {
  test.each<[number[], object[]]>([
    [[], []],
    [[5], []],
    [[3, 1, 2], []],
    [
      [1, 5, 3],
      [
        { from: 2, to: 2 },
        { from: 4, to: 4 },
      ],
    ],
    [[1, 9_999_999_999], [{ from: 2, to: 9_999_999_998 }]],
    [[1, 1, 2], []],
  ])('of %j', (numbers, gaps) => {
    expect(numberGaps(numbers)).toEqual(gaps);
  });
});

async function findingsOf({ from, to = '', bytes, context }: Plant): Promise<Finding[]> {
  const changed = from === undefined ? good : good.replace(from, to);
  if (from !== undefined && changed === good) throw new Error(`the file has no ${from}`);
  return (await verifyAuditFile(bytes?.(good) ?? encoded(changed), context)).findings;
}

function encoded(xml: string): Buffer {
  return iconv.encode(DECLARATION + xml, 'windows-1251');
}

function levelOf(rule: string): string | undefined {
  return Object.entries(auditRules).find(([name]) => name === rule)?.[1].level;
}

type Row = { price: string; vat: string; sum: string; name?: string; quantity?: string };

function row({ price, vat, sum, name = 'Чаша', quantity = '1.00' }: Row): string {
  return (
    `<artenum><art_name>${name}</art_name><art_quant>${quantity}</art_quant><art_price>${price}</art_price><art_vat_rate>20</art_vat_rate>` +
    `<art_vat>${vat}</art_vat><art_sum>${sum}</art_sum></artenum>`
  );
}

function sums({ net, discount, vat, total }: { net: string; discount: string; vat: string; total: string }): string {
  return `<ord_total1>${net}</ord_total1><ord_disc>${discount}</ord_disc><ord_vat>${vat}</ord_vat><ord_total2>${total}</ord_total2>`;
}
/** 3 × 9.99 with VAT: the net unit price 8.325 is rounded up, the residue is in the VAT. */
function bundle(): string {
  return row({ name: 'Книга', quantity: '3.00', price: '8.33', vat: '4.98', sum: '29.97' });
}
