import { fc, test as property } from '@fast-check/vitest';
import { XmlDocument } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import type { AuditOrder } from '../../../../src/service/audit/audit-file.ts';
import { AuditValidator } from '../../../../src/service/audit/format/audit-validator.ts';
import { verifyAuditFile } from '../../../../src/service/audit/format/verify-audit-file.ts';
import { writeAuditFile } from '../../../../src/service/audit/format/write-audit-file.ts';
import { runs } from '../../../support/run-size.ts';
import { content, firstOrder, header, oneReturn, secondOrder, textOf, written } from './audit-samples.ts';

const [cup] = firstOrder.articles;

describe('the written file', () => {
  test('has the elements of the law’s table in its order, in windows-1251', async () => {
    const { bytes } = await written();

    expect(textOf(bytes)).toBe(`<?xml version="1.0" encoding="windows-1251"?>
<audit>
<eik>206770508</eik>
<e_shop_n>RF0000123</e_shop_n>
<domain_name>cups.example</domain_name>
<e_shop_type>1</e_shop_type>
<creation_date>2026-11-03</creation_date>
<mon>10</mon>
<god>2026</god>
<order>
<orderenum><ord_n>#1001</ord_n><ord_d>2026-10-03</ord_d><doc_n>0000000001</doc_n><doc_date>2026-10-03</doc_date><art>
<artenum><art_name>Чаша за чай</art_name><art_quant>2.00</art_quant><art_price>10.00</art_price><art_vat_rate>20</art_vat_rate><art_vat>4.00</art_vat><art_sum>24.00</art_sum></artenum>
<artenum><art_name>Доставка</art_name><art_quant>1.00</art_quant><art_price>5.00</art_price><art_vat_rate>20</art_vat_rate><art_vat>1.00</art_vat><art_sum>6.00</art_sum></artenum>
</art><ord_total1>25.00</ord_total1><ord_disc>0.00</ord_disc><ord_vat>5.00</ord_vat><ord_total2>30.00</ord_total2><paym>4</paym><trans_n>pi_1</trans_n><proc_id>IE3206488LH Stripe</proc_id></orderenum>
<orderenum><ord_n>#1002</ord_n><ord_d>2026-10-04</ord_d><doc_n>0000000002</doc_n><doc_date>2026-10-05</doc_date><art>
<artenum><art_name>Книга</art_name><art_quant>1.00</art_quant><art_price>11.00</art_price><art_vat_rate>9</art_vat_rate><art_vat>0.99</art_vat><art_sum>11.99</art_sum></artenum>
</art><ord_total1>11.00</ord_total1><ord_disc>0.00</ord_disc><ord_vat>0.99</ord_vat><ord_total2>11.99</ord_total2><paym>2</paym><pos_n>12345678</pos_n><trans_n>tx_2</trans_n></orderenum>
</order>
<r_ord>1</r_ord>
<rorder>
<rorderenum><r_ord_n>#1001</r_ord_n><r_amount>6.00</r_amount><r_date>2026-10-20</r_date><r_paym>2</r_paym></rorderenum>
</rorder>
<r_total>6.00</r_total>
</audit>
`);
  });

  test('is added up', async () => {
    const { sums } = await written();

    expect(sums).toEqual({ orders: 2, net: '36.00', vat: '5.99', total: '41.99', returns: 1, returned: '6.00' });
  });

  test('has zeros and no list if there are no returns', async () => {
    const text = textOf((await written({ returns: [] })).bytes);

    expect(text).toContain('<r_ord>0</r_ord>\n<r_total>0.00</r_total>\n</audit>');
    expect(text).not.toContain('rorder');
  });

  test('counts an order that was returned in two parts once', async () => {
    const text = textOf((await written({ returns: [oneReturn, { ...oneReturn, amount: '1.5' }] })).bytes);

    expect(text).toContain('<r_ord>1</r_ord>');
    expect(text.match(/<rorderenum>/g)).toHaveLength(2);
    expect(text).toContain('<r_total>7.50</r_total>');
  });

  test.each([
    ['1', '1.00'],
    ['1.5', '1.50'],
    ['1.500', '1.50'],
    ['-0.5', '-0.50'],
    ['123456789012345.67', '123456789012345.67'],
  ])('has %s as %s', async (net, shown) => {
    expect(await writtenWith({ net })).toContain(`<ord_total1>${shown}</ord_total1>`);
  });

  test('fills a document number up to ten digits', async () => {
    expect(await writtenWith({ documentNumber: '42' })).toContain('<doc_n>0000000042</doc_n>');
  });

  test('leaves empty texts of the payment out', async () => {
    expect(await writtenWith({ posNumber: '', transaction: '', processor: '' })).not.toMatch(/pos_n|trans_n|proc_id/);
  });

  test('has numeric references for what the code page lacks, one for a character', async () => {
    expect(await writtenName('Чаша 😀 № 1 € – ș <b> & "x"')).toBe('Чаша &#128512; № 1 € – &#537; &lt;b&gt; &amp; "x"');
  });

  test('has no characters that XML does not allow', async () => {
    expect(await writtenName('a\0b\u0008c\u001fd\ud800e\udc00f\uffffg\ufffeh\ti')).toBe('abcdefgh\ti');
  });

  test('cuts at 200 characters as the schema counts them, and no character in two', async () => {
    expect(await writtenName('😀'.repeat(201))).toBe('&#128512;'.repeat(200));
    expect(await writtenName('я'.repeat(250))).toBe('я'.repeat(200));
  });

  test.each([
    ['three decimals', { net: '1.005' }],
    ['an exponent', { total: '1e5' }],
    ['a document number of eleven digits', { documentNumber: '12345678901' }],
    ['a timestamp for a day', { orderedOn: '2026-10-03T10:00:00Z' }],
    ['a code with decimals', { payment: 1.5 }],
    ['a VAT rate with decimals', cup === undefined ? {} : { articles: [{ ...cup, vatRate: 25.5 }] }],
  ])('can’t have %s: that is an error', async (_what, change: Partial<AuditOrder>) => {
    await expect(writtenWith(change)).rejects.toThrow(RangeError);
  });

  test('can’t be without orders: that throws before anything is written', async () => {
    const blocks: Buffer[] = [];

    const writing = writeAuditFile({ header, orders: [], returns: [oneReturn] }, (block) => {
      blocks.push(block);
    });

    await expect(writing).rejects.toThrow('there is no order');
    expect(blocks).toEqual([]);
  });
});

describe('writing', () => {
  test('hands out blocks while orders come, and waits for each to be taken', async () => {
    let taken = 0;
    let made = 0;
    let ahead = 0;
    async function* orders() {
      for (made = 0; made < 2_000; made += 1) {
        ahead = Math.max(ahead, made - taken);
        yield { ...firstOrder, number: `#${made}` };
      }
    }

    const sizes: number[] = [];
    await writeAuditFile({ ...content, orders: orders() }, async (block) => {
      await new Promise(setImmediate);
      taken = made;
      sizes.push(block.length);
    });

    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(200_000);
    expect(ahead).toBeLessThan(500);
  });
});

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 30 }),
  fc.string({ unit: 'grapheme', minLength: 190, maxLength: 320 }),
  fc.string({ unit: fc.constantFrom('Ж', '<', '&', ']]>', '\r', '\n', '\t', '"', '😀', '\0', '\ud83d', '€', 'ș'), maxLength: 250 }),
);

property.prop([fc.array(fc.record({ name: texts, number: texts, transaction: texts }), { minLength: 1, maxLength: 5 })], { numRuns: runs(100, 300) })(
  'with any text the file is valid windows-1251 and reads back the same, except for what is cut and dropped',
  async (rows) => {
    using validator = new AuditValidator();
    const orders = rows.map(
      ({ name, ...given }): AuditOrder => ({ ...secondOrder, ...given, articles: secondOrder.articles.map((article) => ({ ...article, name })) }),
    );

    const { bytes } = await written({ orders });

    expect(validator.validate(bytes)).toEqual([]);
    expect(readBack(bytes, 'art_name')).toEqual(rows.map(({ name }) => legal(name, 200)));
    expect(readBack(bytes, 'ord_n')).toEqual(rows.map(({ number }) => legal(number, 300)));
    expect(readBack(bytes, 'trans_n')).toEqual(rows.filter(({ transaction }) => transaction !== '').map(({ transaction }) => legal(transaction, 200)));
    expect((await verifyAuditFile(bytes)).sums.orders).toBe(rows.length);
  },
);

/** What XML 1.0 allows, counted by code point. */
function legal(text: string, limit: number): string {
  const kept = Array.from(text).filter((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
  });
  return kept
    .slice(0, limit)
    .join('')
    .replace(/^\ufeff/, '');
}

/** The parser drops a byte order mark at the beginning of a text of more than 16 bytes. */
function unmarked(text: string): string {
  return text.replace(/^\ufeff/, '');
}

function readBack(bytes: Uint8Array, element: string): string[] {
  const document = XmlDocument.fromBuffer(bytes);
  try {
    return document.find(`//${element}`).map(({ content: text }) => unmarked(text));
  } finally {
    document.dispose();
  }
}

async function writtenWith(change: Partial<AuditOrder>): Promise<string> {
  return textOf((await written({ orders: [{ ...firstOrder, ...change }] })).bytes);
}

async function writtenName(name: string): Promise<string | undefined> {
  const text = await writtenWith({ articles: firstOrder.articles.map((article) => ({ ...article, name })) });
  return /<art_name>([\s\S]*?)<\/art_name>/.exec(text)?.[1];
}
