import { describe, expect, test } from 'vitest';
import type { MonthSummary } from '../../../../src/service/audit/summary/month-summary.ts';
import { renderSummary } from '../../../../src/service/audit/summary/render-summary.ts';
import { bookOrder, dollar, excerpt, file, finding, month, order, refund, situations, textOf } from './audit-summary-month.ts';

const everySituation = Object.values(situations);

function linesOf(summary: MonthSummary): string[] {
  return textOf(summary)
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' | '));
}

/** The words of the page, a line each. */
function wordsOf(html: string): string[] {
  const body = html.replace(/<head>.*<\/head>/s, '').replace(/<[^>]+>/g, '\n');
  return body
    .split('\n')
    .map((line) => line.replaceAll('\u00a0', ' ').trim())
    .filter((line) => line !== '');
}

describe('the summary of a month', () => {
  test('names its shop and its month', () => {
    const text = textOf(month());

    for (const part of ['Октомври 2026 г. – Чаши', 'Чаши ЕООД', '206770508', 'RF0000123', 'cups.example']) expect.soft(text).toContain(part);
  });

  test('shows the sums that it was given', () => {
    const lines = linesOf(month());

    expect(lines).toEqual(
      expect.arrayContaining(['Стойност без ДДС преди отстъпки | 220,00', 'Отстъпки без ДДС | −2,00', 'ДДС | 21,60', 'Общо с ДДС | 239,60']),
    );
    expect(lines).toEqual(expect.arrayContaining(['9 % | 200,00 | 18,00 | 218,00', '20 % | 18,00 | 3,60 | 21,60']));
    expect(lines).toEqual(expect.arrayContaining(['Наложен платеж с пощенски паричен превод | 3 | 1 | 109,00', 'Общо | 2 | 239,60']));
  });

  test('mentions discounts only where there are any', () => {
    const lines = linesOf(month({}, { orders: [bookOrder()] }));

    expect(lines).toContain('Стойност без ДДС | 100,00');
    expect(lines.join('\n')).not.toMatch(/отстъпк/i);
  });

  test('lists the orders', () => {
    expect(linesOf(month())).toContain('#1042 | 05.10.2026 г. | 0000000042 | 06.10.2026 г. | 4 | 120,00 | 2,00 | 12,60 | 130,60');
  });

  test('shows days instead of more than 500 orders', () => {
    const orders = Array.from({ length: 501 }, (_, i) => bookOrder({ number: `#${i}`, documentedOn: i === 0 ? '2026-10-01' : '2026-10-02' }));

    const lines = linesOf(month({}, { orders }));

    expect(lines).toEqual(
      expect.arrayContaining(['01.10.2026 г. | 1 | 9,00 | 109,00', '02.10.2026 г. | 500 | 4500,00 | 54 500,00', 'Общо | 501 | 4509,00 | 54 609,00']),
    );
    expect(lines.join('\n')).not.toContain('#77 ');
  });

  test('lists returns with their sum', () => {
    const byRate = [
      { rate: '20', total: '12.00', vat: '2.00' },
      { rate: '9', total: '-7.50', vat: '-0.62' },
    ];
    const lines = linesOf(
      month(
        {},
        {
          returns: [
            { ...refund, byRate: [{ rate: '20', total: '45.50', vat: '7.58' }] },
            { ...refund, number: '#0982', amount: '4.50', way: 2, byRate },
          ],
        },
      ),
    );

    expect(lines).toEqual(
      expect.arrayContaining([
        '#0981 | 12.10.2026 г. | По платежна сметка | 45,50 | 7,58',
        '#0982 | 12.10.2026 г. | По карта | 4,50 | 1,38',
        'Общо | 50,00 | 8,96',
        '20 % | 47,92 | 9,58 | 57,50',
        '9 % | −6,88 | −0,62 | −7,50',
      ]),
    );
    expect(lines).toContain('2 връщания: 50,00 €');
  });

  test('says of how many returns the VAT is not known', () => {
    const known = { ...refund, number: '#0982', amount: '6.00', byRate: [{ rate: '20', total: '6.00', vat: '1.00' }] };
    const lines = linesOf(month({}, { returns: [{ ...refund, byRate: null }, known] }));

    expect(lines).toEqual(expect.arrayContaining(['#0981 | 12.10.2026 г. | По платежна сметка | 45,50 | –', 'Общо | 51,50 | –', '20 % | 5,00 | 1,00 | 6,00']));
    expect(lines.find((line) => line.startsWith('За 1'))).toContain('45,50');
  });

  test('lists voided numbers, foreign currencies, changes and orders that were left out', () => {
    const lines = linesOf(
      month({
        voided: excerpt({ documentNumber: '0000000044', voidedOn: '2026-10-14' }),
        foreign: excerpt({ number: '#1050', total: '1234.50', accountingTotal: '1049.66', rate: dollar }),
        changes: excerpt(
          { documentNumber: '0000000045', change: 'removed', number: null, total: null },
          { documentNumber: '0000000046', change: 'added', number: '#1060', total: '10.00' },
        ),
        leftOut: { orders: 3, total: '45.00' },
      }),
    );

    expect(lines).toContain('0000000044 | 14.10.2026 г.');
    expect(lines).toContain('#1050 | 1234,50 USD | 1 EUR = 1,1761 USD | 09.10.2026 г. | 1049,66');
    expect(lines).toEqual(expect.arrayContaining(['0000000045 | – | Премахната | –', '0000000046 | #1060 | Добавена | 10,00']));
    expect(lines.join('\n')).toContain('3 поръчки на обща стойност 45,00 €');
  });

  test('writes a rate of before 2026 as it was published', () => {
    const rate = { currency: 'JPY', base: 'BGN' as const, multiply: '1.16214', divide: '100', publishedOn: '2025-12-19', source: 'BNB' as const };

    const text = textOf(month({ month: '2025-12', currency: 'BGN', foreign: excerpt({ number: '#9', total: '5000', accountingTotal: '58.11', rate }) }));

    expect(text).toContain('100 JPY = 1,16214 BGN');
    expect(text).toContain('Всички суми в справката са в левове.');
    expect(text).toContain('239,60 лв.');
  });

  test('writes a rate with the zeros at its end, and money with the decimals of its currency', () => {
    const rate = { ...dollar, currency: 'JPY', divide: '180.770' };

    const lines = linesOf(month({ foreign: excerpt({ number: '#9', total: '15000', accountingTotal: '82.98', rate }) }));

    expect(lines).toContain('#9 | 15 000 JPY | 1 EUR = 180,770 JPY | 09.10.2026 г. | 82,98');
  });

  test('shows so many rows of a list, and says how many more there are', () => {
    const rows = Array.from({ length: 250 }, (_, i) => ({ documentNumber: String(i).padStart(10, '0'), voidedOn: '2026-10-14' }));

    const text = textOf(month({ voided: { count: 1300, rows } }));

    expect(text).toContain('0000000199');
    expect(text).not.toContain('0000000200');
    expect(text).toContain('И още 1100 реда');
  });

  test('identifies the file', () => {
    const text = textOf(month({ situation: { kind: 'generated', file: { ...file, version: 3 } } }));

    for (const part of [file.name, file.sha256, '1 234 567 байта', '10.11.2026 г., 06:05 ч.', 'Версия: 3']) expect.soft(text).toContain(part);
    expect(text).toContain('Това е версия 3; тя изцяло заменя предишните.');
  });

  test('is shorter where only the sums of a blocked month are known', () => {
    const figures = { ...month().figures, byRate: [], byPayment: [], byDay: [], list: null };

    const lines = linesOf(month({ situation: situations.blocked, figures }));

    expect(lines).toContain('Общо с ДДС | 239,60');
    for (const title of ['По ставка на ДДС', 'По начин на плащане', 'Поръчки']) expect.soft(lines).not.toContain(title);
  });
});

describe('the page', () => {
  test.each(everySituation)('says the same as the text: $kind', (situation) => {
    const summary = month({ situation, warnings: [finding({ rule: 'article.name-cut' })] }, { returns: [refund] });

    const text = textOf(summary).replace(/\s+/g, ' ');
    const unsaid = wordsOf(renderSummary(summary)).filter(
      (words) => !text.toLocaleLowerCase('bg').includes(words.replace(/\s+/g, ' ').toLocaleLowerCase('bg')),
    );

    expect(unsaid).toEqual([]);
  });

  test.each(everySituation)('loads nothing and runs nothing: $kind', (situation) => {
    const html = renderSummary(month({ situation }));

    expect(html).not.toMatch(/<script|<link|<img|<iframe|<object|src=|href=|url\(|@import|\son\w+=/i);
    expect(html).toMatch(/^<!doctype html>\s*<html lang="bg">/);
    expect(html).toContain('<meta charset="utf-8">');
  });

  test('escapes every text that comes from outside', () => {
    const evil = '<img src=x onerror="alert(1)">&\'';
    const shop = { id: evil, name: evil, companyName: evil, companyId: evil, shopNumber: evil, domain: evil };
    const hostile = month(
      {
        shop,
        situation: { kind: 'rejected', file: { ...file, name: evil, sha256: evil } },
        foreign: excerpt({ number: evil, total: '1', accountingTotal: '1', rate: { ...dollar, currency: evil } }),
        changes: excerpt({ documentNumber: evil, change: 'added', number: evil, total: '1' }),
        voided: excerpt({ documentNumber: evil, voidedOn: '2026-10-14' }),
        warnings: [finding({ rule: evil, order: evil, words: evil, advice: evil })],
      },
      { orders: [order({ number: evil, documentNumber: evil })], returns: [{ ...refund, number: evil }] },
    );

    const html = renderSummary(hostile);

    expect(html).not.toContain('<img');
    expect(html.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;').length).toBeGreaterThan(15);
  });

  test('aligns numbers to the right', () => {
    expect(renderSummary(month())).toMatch(/<td class="n">239,60<\/td>/);
  });
});
