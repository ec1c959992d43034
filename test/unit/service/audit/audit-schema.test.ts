import { afterAll, describe, expect, test } from 'vitest';
import { readAuditFile } from '../../../../src/service/audit/format/audit-reader.ts';
import { AuditValidator, auditSchema, type SchemaProblem, validateBlock } from '../../../../src/service/audit/format/audit-validator.ts';
import type { SeenOrder } from '../../../../src/service/audit/format/seen-audit.ts';
import { firstOrder, fullOrder, goodXml, header, oneReturn, sample, samplesAreThere, secondOrder, textOf, written } from './audit-samples.ts';

const good = await goodXml();
const ARTICLE = /<artenum>.*<\/artenum>\n/;

type Change = [what: string, from: string | RegExp, to: string];

const accepted: Change[] = [
  ['another order of the header', /(<eik>.*<\/eik>)\n(<e_shop_n>.*<\/e_shop_n>)/, '$2$1'],
  ['another order within an order', /(<ord_n>.*?<\/ord_n>)(<ord_d>.*?<\/ord_d>)/, '$2$1'],
  ['a document number of twelve digits', '<doc_n>0000000001', '<doc_n>000000000001'],
  ['a negative document number', '<doc_n>0000000001', '<doc_n>-5'],
  ['no pos_n, trans_n, proc_id', /<pos_n>.*<\/trans_n>/, ''],
  ['empty pos_n, trans_n, proc_id', '</paym>', '</paym><pos_n/>'],
  ['an empty list of returns', /<rorderenum>.*<\/rorderenum>/, ''],
  ['no list of returns', /<rorder>[\s\S]*<\/rorder>/, ''],
  ['no returns at all, not even r_ord and r_total', /<r_ord>[\s\S]*<\/r_total>/, ''],
  ['the same order number twice', '#1002', '#1001'],
  ['negative amounts', '<ord_total2>30.00', '<ord_total2>-30.00'],
  ['letters in eik', '206770508', 'ABCDEFGHI'],
  ['eik of thirteen characters', '206770508', '2067705081234'],
  ['three decimals of which the last is zero', '<ord_vat>5.00', '<ord_vat>5.000'],
  ['no decimals', '<ord_vat>5.00', '<ord_vat>5'],
  ['a plus sign', '<ord_vat>5.00', '<ord_vat>+5.00'],
  ['an empty article name', /<art_name>.*?<\/art_name>/, '<art_name/>'],
  ['a name of 200 characters outside the code page', /<art_name>.*?<\/art_name>/, `<art_name>${'😀'.repeat(200)}</art_name>`],
  ['an order number of 300 characters', '#1002', '1'.repeat(300)],
  ['a date with a zone', '<ord_d>2026-10-03', '<ord_d>2026-10-03+02:00'],
  ['white space around a number', '<paym>4', '<paym> 4 '],
  ['an instance attribute for the schema', '<audit>', '<audit xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="a.xsd">'],
  ['a platform as kind of shop', '<e_shop_type>1', '<e_shop_type>2'],
];

const refused: Change[] = [
  ['no list of orders', /<order>[\s\S]*<\/order>/, ''],
  ['an empty list of orders', /<order>[\s\S]*<\/order>/, '<order/>'],
  ['no articles', ARTICLE, ''],
  ['no document number', /<doc_n>.*?<\/doc_n>/, ''],
  ['an empty document number', /<doc_n>.*?<\/doc_n>/, '<doc_n/>'],
  ['a month of one digit', '<mon>10', '<mon>4'],
  ['a month of thirteen', '<mon>10', '<mon>13'],
  ['comma decimals', '<ord_vat>5.00', '<ord_vat>5,00'],
  ['a thousands separator', '<ord_vat>5.00', '<ord_vat>1,005.00'],
  ['an exponent', '<ord_vat>5.00', '<ord_vat>5e0'],
  ['three decimals', '<ord_vat>5.00', '<ord_vat>5.001'],
  ['a quantity of three decimals', '<art_quant>2.00', '<art_quant>1.125'],
  ['a VAT rate with decimals', '<art_vat_rate>20', '<art_vat_rate>20.00'],
  ['a VAT rate above 100', '<art_vat_rate>20', '<art_vat_rate>101'],
  ['eik of eight characters', '206770508', '20677050'],
  ['eik of fourteen characters', '206770508', '20677050812345'],
  ['a shop number of eleven characters', 'RF0000123', 'RF000000123'],
  ['a name of 201 characters', /<art_name>.*?<\/art_name>/, `<art_name>${'😀'.repeat(201)}</art_name>`],
  ['an order number of 301 characters', '#1002', '1'.repeat(301)],
  ['upper-case names', /eik>/g, 'EIK>'],
  ['a namespace', '<audit>', '<audit xmlns="urn:audit">'],
  ['a date as d.m.Y', '<ord_d>2026-10-03', '<ord_d>03.10.2026'],
  ['a date with a time', '<ord_d>2026-10-03', '<ord_d>2026-10-03T10:00:00'],
  ['paym 7', '<paym>4', '<paym>7'],
  ['paym 0', '<paym>4', '<paym>0'],
  ['r_paym 5', '<r_paym>2', '<r_paym>5'],
  ['e_shop_type 3', '<e_shop_type>1', '<e_shop_type>3'],
  ['the year 2019', '<god>2026', '<god>2019'],
  ['a year of five digits', '<god>2026', '<god>20260'],
  ['an unknown element', '</paym>', '</paym><note/>'],
  ['an element twice', '</paym>', '</paym><paym>4</paym>'],
  ['an attribute', '<ord_n>', '<ord_n id="1">'],
  ['text between elements', '<art>', '<art>text'],
];

const schemas: [string, string | Uint8Array][] = [['our schema', auditSchema]];
if (samplesAreThere) schemas.push(['the agency’s schema', sample('dec_audit.dakataa.xsd')]);

describe.each(schemas)('%s', (_name, schema) => {
  const validator = new AuditValidator(schema);
  afterAll(() => validator[Symbol.dispose]());

  test('takes what we write, as text and as bytes', async () => {
    expect(validator.validate(good)).toEqual([]);
    expect(validator.validate((await written()).bytes)).toEqual([]);
    expect(validator.validate((await written({ returns: [] })).bytes)).toEqual([]);
  });

  test.each(accepted)('takes %s', (_what, from, to) => {
    expect(validator.validate(changed(from, to))).toEqual([]);
  });

  test.each(refused)('refuses %s', (_what, from, to) => {
    expect(validator.validate(changed(from, to))).not.toEqual([]);
  });

  test.runIf(samplesAreThere).each(['dakataa-example.xml', 'escapeboy-xml_output.stub.xml', 'kontuur-audit-2026-10.xml'])('takes the sample %s', (name) => {
    expect(validator.validate(sample(name))).toEqual([]);
  });
});

describe('the lists of what an order can say agree:', () => {
  test('an order with every field is written with every element of the schema, taken by it, and read as it was', async () => {
    const { bytes } = await written({ orders: [fullOrder] });
    const seen: SeenOrder[] = [];
    await readAuditFile(bytes, { order: (order) => seen.push(order), return: () => undefined });
    const text = textOf(bytes);

    expect(validateAudit(bytes)).toEqual([]);
    expect(seen).toEqual([fullOrder]);
    expect(elementsOf('order', 'article').filter((name) => !text.includes(`<${name}>`))).toEqual([]);
  });

  test('texts are cut at the lengths of the schema', async () => {
    const long = 'x'.repeat(400);
    const texts = { number: long, posNumber: long, transaction: long, processor: long };
    const text = await goodXml({
      header: { ...header, shopNumber: long, domain: long },
      orders: [{ ...secondOrder, ...texts, articles: secondOrder.articles.map((article) => ({ ...article, name: long })) }],
      returns: [{ ...oneReturn, number: long }],
    });
    const lengths = Object.fromEntries([...text.matchAll(/<(\w+)>(x+)</g)].map(([, name, { length } = '']) => [name, length]));
    // A company number is not cut: one that is too long is refused.
    expect(lengthsOfSchema()).toEqual({ ...lengths, eik: 13 });
    expect(Object.keys(lengths)).toHaveLength(8);
  });
});

describe('a problem', () => {
  test('is reported with line, values and advice', () => {
    const problems = validateAudit(changed('<ord_vat>5.00', '<ord_vat>5.001'));

    expect(problems).toEqual([{ line: 13, words: '<ord_vat> is 5.001: more than two decimals', advice: 'Round it to two decimals.', wellFormed: true }]);
  });

  test.each([
    [/<doc_n>.*?<\/doc_n>/, '', '<orderenum> lacks doc_n'],
    [/<doc_n>.*?<\/doc_n>/, '<doc_n/>', '<doc_n> is "", which can\'t be read'],
    ['<paym>4', '<paym>7', '<paym> is "7", which is greater than the maximum value allowed (\'6\')'],
    ['206770508', '20677050', '<eik> has 8 characters, 9 are needed'],
    ['RF0000123', 'RF000000123', '<e_shop_n> has 11 characters, 10 are allowed'],
    ['</paym>', '</paym><note/>', '<note> is not expected here'],
    ['<ord_n>', '<ord_n id="1">', '<ord_n> has an attribute id'],
    ['<art>', '<art>text', '<art> has text beside its elements'],
    ['</ord_n>', '</ord_x>', '<ord_n> is not closed before </ord_x>'],
  ])('%s → %s is reported in words', (from, to, words) => {
    expect(validateAudit(changed(from, to))[0]?.words).toBe(words);
  });

  test('of a text that is no XML is reported, not thrown', () => {
    expect(validateAudit('not XML')).toEqual([expect.objectContaining({ line: 1, wellFormed: false })]);
    expect(validateAudit('')).toEqual([expect.objectContaining({ wellFormed: false })]);
  });
});

describe('a block of orders', () => {
  const validator = new AuditValidator();
  afterAll(() => validator[Symbol.dispose]());

  test('is valid if its orders and returns are', () => {
    expect(validateBlock(validator, { header, orders: [firstOrder, secondOrder], returns: [oneReturn] })).toEqual([]);
    expect(validateBlock(validator, { header, orders: [], returns: [oneReturn] })).toEqual([]);
  });

  test('names the order or the returned order that is wrong', () => {
    const findings = validateBlock(validator, {
      header,
      orders: [firstOrder, { ...secondOrder, payment: 7 }, firstOrder],
      returns: [oneReturn, { ...oneReturn, number: '#7', way: 9 }],
    });

    expect(findings.map(({ order, level, rule, words }) => [order, level, rule, words.slice(0, 10)])).toEqual([
      ['#1002', 'error', 'schema.violation', '<paym> is '],
      ['#7', 'error', 'schema.violation', '<r_paym> i'],
    ]);
  });
});

function changed(from: string | RegExp, to: string): string {
  // Every article of the first order: an order without any.
  const result = from === ARTICLE ? good.replace(ARTICLE, '').replace(ARTICLE, '') : good.replace(from, to);
  if (result === good) throw new Error(`the file has no ${from}`);
  return result;
}

/** The names of a type's elements. */
function elementsOf(...types: string[]): string[] {
  const bodies = types.map((type) => new RegExp(`<xs:complexType name="${type}">(.*?)</xs:complexType>`, 's').exec(auditSchema)?.[1] ?? '');
  return bodies.flatMap((body) => [...body.matchAll(/<xs:element name="(\w+)"/g)].map(([, name = '']) => name));
}

/** How many characters the schema allows, by element. */
function lengthsOfSchema(): Record<string, number> {
  const types = [...auditSchema.matchAll(/<xs:simpleType name="(\w+)">(.*?)<\/xs:simpleType>/gs)];
  const lengths = new Map(types.map(([, type, facets = '']) => [type, /<xs:maxLength value="(\d+)"/.exec(facets)?.[1]]));
  const elements = [...auditSchema.matchAll(/<xs:element name="(\w+)" type="(\w+)"/g)];
  return Object.fromEntries(elements.flatMap(([, name = '', type]) => (lengths.get(type) === undefined ? [] : [[name, Number(lengths.get(type))]])));
}

function validateAudit(xml: string | Uint8Array): SchemaProblem[] {
  using validator = new AuditValidator();
  return validator.validate(xml);
}
