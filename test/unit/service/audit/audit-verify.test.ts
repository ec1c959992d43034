import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { AuditVerification, verifyAuditFile } from '../../../../src/service/audit/format/verify-audit-file.ts';
import { writeAuditFile } from '../../../../src/service/audit/format/write-audit-file.ts';
import { firstOrder, goodXml, header, oneReturn, rulesOf, sample, samplesAreThere, secondOrder, written } from './audit-samples.ts';

const good = await goodXml();
const SUMS = { orders: 2, net: '36.00', vat: '5.99', total: '41.99', returns: 1, returned: '6.00' };

describe('a file that we wrote', () => {
  test('has the sums that were written, and no findings', async () => {
    const { bytes, sums } = await written();

    expect(await verifyAuditFile(bytes)).toEqual({ sums, header, findings: [] });
    expect(sums).toEqual(SUMS);
  });

  test.each([1, 2, 3, 7, 100, 1_023, 5_000])('is read the same in pieces of %i bytes', async (size) => {
    const { bytes } = await written({
      orders: [firstOrder, { ...secondOrder, articles: secondOrder.articles.map((one) => ({ ...one, name: 'Книга 😀 & <b>' })) }],
    });

    expect(await verifyAuditFile(pieces(bytes, size))).toEqual(await verifyAuditFile(bytes));
    expect((await verifyAuditFile(pieces(bytes, size))).sums).toEqual(SUMS);
  });
});

describe.runIf(samplesAreThere)('the samples', () => {
  test('of dakataa: a company number of zeros, days out of the month, money back before the order', async () => {
    const found = await foundIn('dakataa-example.xml');

    expect(found).toEqual([
      'error header.company-number 3',
      'error return.before-order 46',
      'warning header.shop-number 4',
      'warning header.after-deadline 7',
      'warning order.date-unlikely 11',
    ]);
  });

  test('of escapeboy: a company number whose check digit is wrong', async () => {
    expect(await foundIn('escapeboy-xml_output.stub.xml')).toEqual(['error header.company-number 3', 'warning header.month-not-ended 6']);
  });

  test('of kontuur: nothing', async () => {
    expect(await foundIn('kontuur-audit-2026-10.xml')).toEqual([]);
  });
});

async function foundIn(name: string): Promise<string[]> {
  return (await verifyAuditFile(sample(name))).findings.map(({ level, rule, line }) => `${level} ${rule} ${line}`);
}

describe('the encoding', () => {
  const declared = (encoding: string | null) => `<?xml version="1.0"${encoding === null ? '' : ` encoding="${encoding}"`}?>\n${good}`;
  const bytesOf = (text: string, encoding: 'win1251' | 'iso88595') => iconv.encode(text, encoding);

  test.each<[string, Buffer, string[]]>([
    ['windows-1251, declared in capitals', bytesOf(declared('WINDOWS-1251'), 'win1251'), []],
    ['windows-1251, declared as cp1251', bytesOf(declared('cp1251'), 'win1251'), []],
    ['windows-1251, declared as UTF-8', bytesOf(declared('UTF-8'), 'win1251'), ['encoding.mismatch', 'encoding.not-windows-1251']],
    ['windows-1251, not declared', bytesOf(declared(null), 'win1251'), ['encoding.mismatch', 'encoding.not-windows-1251']],
    ['UTF-8, declared', Buffer.from(declared('UTF-8')), ['encoding.not-windows-1251']],
    ['UTF-8, not declared', Buffer.from(declared(null)), ['encoding.not-windows-1251']],
    ['UTF-8, declared as windows-1251', Buffer.from(declared('windows-1251')), ['encoding.mismatch']],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${declared('UTF-8')}`), ['encoding.byte-order-mark', 'encoding.not-windows-1251']],
    ['UTF-8 with a mark, declared as windows-1251', Buffer.from(`\ufeff${declared('windows-1251')}`), ['encoding.mismatch', 'encoding.byte-order-mark']],
    ['UTF-16', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'), ['encoding.byte-order-mark', 'encoding.not-windows-1251']],
    ['ISO-8859-5', bytesOf(declared('ISO-8859-5'), 'iso88595'), ['encoding.not-windows-1251']],
    ['one that does not exist', Buffer.from(declared('utf-9')), ['encoding.unknown', 'encoding.not-windows-1251']],
  ])('%s', async (_what, bytes, rules) => {
    const { findings, sums } = await verifyAuditFile(bytes);

    expect(findings.map(({ rule }) => rule)).toEqual(rules);
    expect(sums).toEqual(SUMS);
  });

  test('UTF-8 with broken bytes in it is reported', async () => {
    const bytes = Buffer.from(declared('UTF-8'));
    const broken = Buffer.concat([bytes.subarray(0, bytes.indexOf('Книга')), Buffer.from([0xff]), bytes.subarray(bytes.indexOf('Книга'))]);

    expect((await verifyAuditFile(broken)).findings.map(({ rule }) => rule)).toEqual(['encoding.mismatch', 'encoding.not-windows-1251']);
  });
});

describe('vocabulary of other software', () => {
  test('in capitals is read, and reported once', async () => {
    const capitals = good.replace(/<\/?[a-z_0-9]+>/g, (tag) => tag.toUpperCase());
    const { findings, sums } = await verifyAuditFile(Buffer.from(capitals, 'utf8'));

    expect(rulesOf(findings, 'error')).toEqual(['file.upper-case']);
    expect(findings[0]?.advice).toContain('lower case');
    expect(sums).toEqual(SUMS);
  });

  test.each([
    ['a default namespace', good.replace('<audit>', '<audit xmlns="urn:nra">')],
    ['a prefix', good.replace(/<(\/?)([a-z])/g, '<$1n:$2').replace('<n:audit>', '<n:audit xmlns:n="urn:nra">')],
  ])('%s is read, and reported once', async (_what, xml) => {
    const { findings, sums } = await verifyAuditFile(Buffer.from(xml));

    expect(rulesOf(findings, 'error')).toEqual(['file.namespace']);
    expect(sums).toEqual(SUMS);
  });

  test('CDATA, comments, references and empty elements are read', async () => {
    const xml = good
      .replace('Книга', '<![CDATA[<Кн]]>&#x438;<!-- > -->&#1075;а')
      .replace('tx_2', '&#116;x<?p ?>_2')
      .replace('<order>', '<!-- <orderenum> --><order>');
    const { findings, sums } = await verifyAuditFile(Buffer.from(xml));

    expect(rulesOf(findings, 'error')).toEqual([]);
    expect(sums).toEqual(SUMS);
  });

  test('a header after the orders is read', async () => {
    const moved = good.replace(/(<eik>[\s\S]*<\/god>)\n([\s\S]*)<\/audit>/, '$2$1</audit>').replace('2026-10-20', '2026-11-01');
    const { findings, header: read } = await verifyAuditFile(Buffer.from(moved));

    expect(read).toEqual(header);
    expect(rulesOf(findings, 'error')).toEqual(['return.date-out-of-month']);
  });
});

describe('a large file', () => {
  test('of 20,000 orders on one line is verified to the end, while it is streamed', async () => {
    async function* orders() {
      for (let i = 1; i <= 20_000; i += 1) yield { ...firstOrder, number: `order-number-${i}`, documentNumber: String(i) };
    }
    using verification = new AuditVerification();
    let bytes = 0;
    await writeAuditFile({ header, orders: orders(), returns: [{ ...oneReturn, number: 'order-number-1' }] }, (block) => {
      bytes += block.length;
      verification.push(Buffer.from(block.toString('latin1').replaceAll('\n', ' '), 'latin1'));
    });

    const { sums, findings } = verification.end();

    expect(findings.map(({ rule }) => rule)).toEqual([]);
    expect(sums).toMatchObject({ orders: 20_000, total: '600000.00' });
    expect(bytes).toBeGreaterThan(10_000_000);
  });
});

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
