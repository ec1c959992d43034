import { describe, expect, test } from 'vitest';
import { auditMail } from '../../../../src/service/audit/summary/audit-mail.ts';
import { bookOrder, month, situations } from './audit-summary-month.ts';

const { blocked, empty, rejected } = situations;

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
