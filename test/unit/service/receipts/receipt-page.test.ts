import decodeQR from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { qrGif, qrSvg } from '../../../../src/service/receipts/qr-code.ts';
import type { ReceiptIssue, Sale, Seller } from '../../../../src/service/receipts/receipt-document.ts';
import { receiptMailHtml, receiptText } from '../../../../src/service/receipts/receipt-mail.ts';
import { renderReceipt } from '../../../../src/service/receipts/receipt-page.ts';
import { documentOf, saleWith, seller } from '../../../support/samples/sample-sale.ts';

const forms = {
  page: (sale: Sale, by: Seller = seller, issue: Partial<ReceiptIssue> = {}) => renderReceipt(documentOf(sale, by, issue)),
  mail: (sale: Sale, by: Seller = seller, issue: Partial<ReceiptIssue> = {}) => receiptMailHtml(documentOf(sale, by, issue), 200),
  text: (sale: Sale, by: Seller = seller, issue: Partial<ReceiptIssue> = {}) => receiptText(documentOf(sale, by, issue)),
};

/** The text that a reader sees: without tags, entities decoded, single spaces. */
function seen(html: string): string {
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  const plain = html.replace(/<style>[\s\S]*?<\/style>/g, '').replace(/<[^>]*>/g, ' ');
  return plain.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity).replace(/\s+/g, ' ');
}

describe.each(Object.entries(forms))('the %s', (form, make) => {
  const read = (sale: Sale, issue: Partial<ReceiptIssue> = {}) => {
    const made = make(sale, seller, issue);
    return form === 'text' ? made.replace(/\s+/g, ' ') : seen(made);
  };

  test.each([
    'Документ за регистриране на продажба',
    '№ 0000000123',
    '21.11.2026 г.',
    'Чаши и книги ЕООД',
    'ЕИК: 206770508',
    'София, ул. Шипка 1',
    'shop@cups.example',
    '+359888123456',
    'cups.example (№ RF0000123)',
    '#1042',
    '21.11.2026 г., 00:15:33 ч.',
    'pi_1',
    'Чаша',
    '3 × 12,90',
    '−1,05',
    '37,65',
    'Книга',
    '60,50 €',
    '59,45 €',
    'Доставчик на платежни услуги: Stripe',
    'Б, 20 %',
    '31,37 €',
    '6,28 €',
    'Г, 9 %',
  ])('says “%s”', (words) => {
    expect(read(saleWith())).toContain(words);
  });

  test('marks a replacement as such, and a first document not', () => {
    expect(read(saleWith({}, { edition: 2 }), { replaces: '123' })).toContain('заменя издадения по\u2011рано документ със същия номер (издание 2)');
    expect(read(saleWith(), { replaces: '122' })).toContain('заменя издадения по\u2011рано документ № 0000000122.');
    expect(read(saleWith())).not.toContain('заменя');
  });

  test('D16: a second order of a sale whose first one had no document replaces none', () => {
    expect(read(saleWith({}, { edition: 2 }))).not.toContain('заменя');
  });

  test('is in English behind the law’s Bulgarian if the shop wants it, and else not', () => {
    const sale = saleWith({ internalNumber: '7' }, { edition: 2 });
    const words = read(sale, { english: true, replaces: '123' });

    for (const both of [
      'регистриране на продажба / Document of a sale',
      'Телефон / Phone',
      'Начин на плащане / Paid by',
      'Доставчик на платежни услуги / payment service provider: Stripe',
      'Издаден по чл. 52о',
      'Issued under art. 52о',
      'Total to pay',
      'This document replaces the earlier one',
    ])
      expect(words.toLocaleLowerCase('bg')).toContain(both.toLocaleLowerCase('bg'));
    expect(read(sale, { replaces: '123' })).not.toMatch(/Phone|Total|Issued|replaces/);
  });

  test('names rate, day and source of an amount in another currency', () => {
    const exchange = { currency: 'USD', base: 'BGN', multiply: '1.7612', divide: '1', publishedOn: '2025-11-20', source: 'BNB' } as const;
    const accounting = { currency: 'BGN', total: '104.70', vat: '14.23', exchange };
    const words = read(saleWith({ currency: 'USD' }, { accounting }));

    expect(words).toContain('59,45 USD');
    expect(words).toContain('104,70 лв.');
    expect(words).toContain('по курс на БНБ от 20.11.2025 г.: 1,7612 лв. = 1 USD, в т.ч. ДДС 14,23 лв.');
  });

  test('says that the rate is not known yet', () => {
    const accounting = { currency: 'EUR', total: null, vat: null, exchange: null };

    expect(read(saleWith({ currency: 'USD' }, { accounting }))).toContain('по курса на БНБ за 21.11.2026 г., който още не е обявен');
  });

  test('writes amounts as Bulgarian does', () => {
    const lineItems = [{ name: 'Роял', quantity: 0.5, price: '24691.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }];

    expect(read(saleWith({ lineItems }))).toContain('0,5 × 24 691,00');
    expect(read(saleWith({ lineItems }))).toContain('12 345,50 €');
    expect(read(saleWith({ lineItems }))).not.toContain('тстъпка');
  });
});

describe.each([
  ['page', forms.page],
  ['mail', forms.mail],
])('the %s is safe', (_form, make) => {
  const evil = `<script>alert(1)</script><img src=x onerror=alert(1)>"'><%= it.total %><%~ it %></style></title>`;
  const sale = saleWith({
    internalNumber: evil,
    transactionId: evil,
    paymentProcessorName: evil,
    lineItems: [{ name: evil, quantity: 1, price: '1.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  });
  const wicked: Seller = {
    ...seller,
    name: evil,
    domain: evil,
    companyName: evil,
    companyAddress: evil,
    customerEmail: evil,
    customerPhone: evil,
    nraNumber: evil,
  };

  test('names are shown as they are, markup included', () => {
    const html = make(sale, wicked);

    expect(html).not.toMatch(/<script|<img src=x|onerror=alert\(1\)>[^&]*</);
    expect(html.match(/<\/style>/g) ?? []).toHaveLength(html.includes('<style>') ? 1 : 0);
    expect(html.match(/<\/title>/g)).toHaveLength(1);
    expect(seen(html)).toContain(evil.replace(/\s+/g, ' '));
  });

  test('nothing is loaded and no script runs', () => {
    const html = make(saleWith());

    expect(html).not.toMatch(/<(script|link|iframe|object|form)\b/i);
    expect(html).not.toMatch(/\b(src|href)="(?!cid:)/i);
    expect(html).not.toMatch(/url\(|@import/i);
  });
});

describe('the QR code', () => {
  test.each(['RF0000123*#1042*pi_1*2026-11-21*00:15:33*59.45', `RF0000123*${'Поръчка '.repeat(30)}*${'x'.repeat(200)}*2026-11-21*00:15:33*59.45`])(
    'can be read again from the page: %s',
    (data) => {
      expect(decoded(modulesOf(qrSvg(data).svg.markup))).toBe(data);
    },
  );

  test('is at least 18 mm without its quiet zone, and never wider than a roll', () => {
    for (const data of ['1*2*3', 'RF0000123*#1042*pi_1*2026-11-21*00:15:33*59.45', 'я'.repeat(1_000)]) {
      const { svg, sizeMm } = qrSvg(data);
      const modules = modulesOf(svg.markup).length;

      expect((sizeMm * (modules - 8)) / modules).toBeGreaterThanOrEqual(18);
      expect(sizeMm).toBeLessThanOrEqual(72);
    }
  });

  test('is a GIF of the size that the mail says', () => {
    const { gif, pixels } = qrGif('RF0000123*#1042*pi_1*2026-11-21*00:15:33*59.45');

    expect(gif.subarray(0, 6).toString('latin1')).toMatch(/^GIF8[79]a$/);
    expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([pixels, pixels]);
    expect(pixels).toBeGreaterThanOrEqual(120);
  });
});

/** The dark modules that a path of runs ("M8 4h7v1h-7z") draws. */
function modulesOf(svg: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const rows = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  return rows;
}

function decoded(modules: boolean[][]): string {
  const scale = 4;
  const size = modules.length * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true) data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  }
  return decodeQR({ width: size, height: size, data });
}
