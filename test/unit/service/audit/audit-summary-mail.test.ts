import { describe, expect, test } from 'vitest';
import { type AccountantRow, accountantMail, isOpenRow } from '../../../../src/service/audit/month/accountant-mails.ts';
import { auditMail } from '../../../../src/service/audit/summary/audit-mail.ts';
import { bookOrder, month, situations } from './audit-summary-month.ts';

const { blocked, empty, filed, nothing, open, rejected } = situations;

const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the mail of a month', () => {
  test.each([
    ['generated', month(), 'Чаши: одиторски файл за октомври 2026 г.: готов за подаване (срок: 16.11.2026 г.)'],
    ['blocked', month({ situation: blocked }), 'Чаши: одиторски файл за октомври 2026 г.: не е изготвен: има пречки'],
    ['empty', month({ situation: empty }, { orders: [] }), 'Чаши: одиторски файл за октомври 2026 г.: няма поръчки'],
    ['rejected', month({ situation: rejected }), 'Чаши: одиторски файл за октомври 2026 г.: върнат от НАП'],
    ['reminder', month(), 'Напомняне: Чаши: одиторски файл за октомври 2026 г.: готов за подаване (срок: 16.11.2026 г.)'],
    ['reminder', month({ situation: blocked }), 'Напомняне: Чаши: одиторски файл за октомври 2026 г.: не е изготвен: има пречки (срок: 16.11.2026 г.)'],
  ] as const)('says in its subject what it is about: %s', (kind, summary, subject) => {
    expect(auditMail(kind, summary).subject).toBe(subject);
  });

  test('says in its subject that the term is over', () => {
    expect(auditMail('reminder', month({ writtenAt: '2026-11-20T06:00:00Z' })).subject).toContain('(срокът изтече на 16.11.2026 г.)');
  });

  test('reminds with the days that are left', () => {
    const { html, text } = auditMail('reminder', month({ writtenAt: '2026-11-12T06:00:00Z' }));

    for (const body of [html, text]) {
      expect(spaced(body)).toContain('Напомняне. Файлът още не е отбелязан като подаден. До края на срока (16.11.2026 г.) остават 4 дни.');
    }
  });

  test.each([
    ['2026-11-15T06:00:00Z', 'остава 1 ден.'],
    ['2026-11-16T06:00:00Z', 'Срокът за подаване изтича днес, 16.11.2026 г.'],
    ['2026-11-17T06:00:00Z', 'Срокът за подаване изтече на 16.11.2026 г.'],
  ])('reminds at %s: %s', (writtenAt, words) => {
    expect(spaced(auditMail('reminder', month({ writtenAt })).text)).toContain(words);
  });

  test('has the summary as its body, with days instead of more than thirty orders', () => {
    const orders = Array.from({ length: 31 }, (_, i) => bookOrder({ number: `#${i}` }));

    const few = auditMail('generated', month({}, { orders: orders.slice(1) }));
    const many = auditMail('generated', month({}, { orders }));

    expect(few.text).toContain('#17');
    expect(many.text).not.toContain('#17');
    expect(many.html).toContain('3379,00');
    expect(many.text).toContain('CSV');
  });

  test('stays far below the length at which mail programs cut a mail off', () => {
    const orders = Array.from({ length: 600 }, (_, i) => bookOrder({ number: `#${i}`, documentedOn: `2026-10-${String((i % 31) + 1).padStart(2, '0')}` }));
    const voided = Array.from({ length: 200 }, (_, i) => ({ documentNumber: String(i).padStart(10, '0'), voidedOn: '2026-10-14' }));

    const { html } = auditMail('generated', month({ voided: { count: 200, rows: voided } }, { orders }));

    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
  });

  test('keeps a shop’s line breaks out of the subject', () => {
    const summary = month();

    const { subject } = auditMail('generated', { ...summary, shop: { ...summary.shop, name: 'Чаши\r\nBcc: x@y.example' } });

    expect(subject).toMatch(/^Чаши Bcc: x@y\.example: /);
  });

  test('is not sent for another situation than the month’s', () => {
    expect(() => auditMail('generated', month({ situation: blocked }))).toThrow(/the month is blocked/);
  });
});

describe('the mail to an accountant of several shops', () => {
  const link = 'https://books.example/months/a';
  const row = (name: string, summary = month(), to: string | null = link): AccountantRow => ({
    summary: { ...summary, shop: { ...summary.shop, name, companyName: `${name} ЕООД` } },
    link: to,
  });

  test('has its shops by state, the most urgent first, each with its sums and its link, and the sums of all', () => {
    const rows = [row('Лампи', month({ situation: filed })), row('Чаши'), row('Столове', month({ situation: blocked })), row('Маси')] as const;
    const { subject, text, html } = accountantMail('month', rows);

    expect(spaced(subject)).toBe('Одиторски файлове за октомври 2026 г.: 4 магазина, 1 иска внимание (срок: 16.11.2026 г.)');
    const titles = ['Не е изготвен: има пречки: 1', 'Готов за подаване: 2', 'Подаден: 1'];
    expect(text.split('\n').filter((line) => titles.includes(line))).toEqual(titles);
    expect(spaced(text)).toContain(`Чаши ЕООД, Чаши, Поръчки: 2, Общо с ДДС: 239,60 €, ДДС: 21,60 €, Върнати суми: 0,00 €:\n${link}\n`);
    expect(spaced(text)).toContain('Поръчки: 8\nОбщо с ДДС: 958,40 €\nДДС: 86,40 €\n');
    expect(html.match(new RegExp(`href="${link}"`, 'g'))).toHaveLength(4);
  });

  test('names a shop without orders, and one to whose page there is no link', () => {
    const { text, html } = accountantMail('month', [row('Лампи', month({ situation: empty }, { orders: [] }), null)]);

    expect(text).toContain('\nЛампи ЕООД, Лампи\n');
    expect(html).not.toContain('href');
  });

  test('reminds, and says that the term is over', () => {
    const late = month({ writtenAt: '2026-11-20T06:00:00Z' });
    const { subject } = accountantMail('reminder', [row('Чаши', late), row('Лампи', late)]);

    expect(spaced(subject)).toBe('Напомняне: одиторски файлове за октомври 2026 г.: 2 магазина, 2 искат внимание (срокът изтече на 16.11.2026 г.)');
  });

  test.each([
    [month(), true],
    [month({ situation: blocked }), true],
    [month({ situation: rejected }), true],
    [month({ situation: open }), true],
    [month({ situation: open }, { orders: [] }), false],
    [month({ situation: empty }, { orders: [] }), false],
    [month({ situation: filed }), false],
    [month({ situation: nothing }), false],
  ])('reminds of what is open: %#', (summary, isOpen) => {
    expect(isOpenRow(summary)).toBe(isOpen);
  });
});
