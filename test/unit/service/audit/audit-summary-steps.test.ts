import { describe, expect, test } from 'vitest';
import { excerpt, file, finding, month, refund, situations, textOf } from './audit-summary-month.ts';

describe('what to do now', () => {
  test('a file that is ready is filed until the deadline, and then marked', () => {
    const text = textOf(month());

    expect(text).toContain('Подайте го в НАП до 16.11.2026 г. включително.');
    expect(text).toContain('квалифициран електронен подпис (КЕП)');
    expect(text).toContain('orderbridge service audit mark-filed --shop 0d9c0a8e-6c1c-4f62-9b53-0a3c6f6f7d11 --month 2026-10');
  });

  test('after the deadline it is said to be over', () => {
    const text = textOf(month({ writtenAt: '2026-11-17T06:00:00Z' }));

    expect(text).toContain('възможно най-скоро: срокът изтече на 16.11.2026 г.');
    expect(text).not.toContain('включително');
  });

  test('the day of the deadline in Bulgaria is still in time', () => {
    expect(textOf(month({ writtenAt: '2026-11-16T21:59:00Z' }))).toContain('до 16.11.2026 г. включително');
    expect(textOf(month({ writtenAt: '2026-11-16T22:01:00Z' }))).not.toContain('включително');
  });

  test('a month without orders is the accountant’s matter, and its returns and left out orders too', () => {
    const text = textOf(month({ situation: situations.empty, leftOut: { orders: 2, total: '30.00' } }, { orders: [], returns: [refund] }));

    expect(text).toContain('няма поръчки, които да влязат в одиторския файл');
    expect(text).toContain('Попитайте счетоводителя си или НАП');
    expect(text).toContain('2 поръчки на обща стойност 30,00 €');
    expect(text).toContain('1 връщане');
    expect(text).toContain('#0981');
    expect(text).not.toContain('Суми за месеца');
  });

  test('an empty month without returns does not mention them', () => {
    expect(textOf(month({ situation: situations.empty }, { orders: [] }))).not.toContain('върнат');
  });

  test('a blocked month lists errors with their figures and the missing rates, and how to make the file then', () => {
    const errors = [finding({ level: 'error', rule: 'order.total-mismatch', order: '#77', words: '1.00 is not 2.00' })];
    const missingRates = [{ currency: 'TRY', day: '2026-10-30', orders: 12, numbers: ['#3', '#4'] }];

    const text = textOf(month({ situation: { kind: 'blocked', errors, missingRates } }));

    for (const part of ['Поръчка: #77', '1.00 is not 2.00', 'TRY', '30.10.2026', '#3, #4 и още 10', 'audit generate']) expect.soft(text).toContain(part);
    expect(text).toContain('в данните има грешки. До края на срока (16.11.2026 г.) остават 6 дни.');
  });

  test('a month that only waits for rates has no errors', () => {
    const missingRates = [{ currency: 'TRY', day: '2026-10-30', orders: 1, numbers: ['#3'] }];

    const text = textOf(month({ situation: { kind: 'blocked', errors: [], missingRates } }));

    expect(text).toContain('защото липсват валутни курсове');
    expect(text).not.toContain('грешки');
  });

  test('D15: a month that only waits for rates asks the merchant to do nothing about them', () => {
    const missingRates = [{ currency: 'TRY', day: '2026-10-30', orders: 1, numbers: ['#3'] }];

    const text = textOf(month({ situation: { kind: 'blocked', errors: [], missingRates } }));

    expect(text).toContain('Засега не е нужно да правите нищо: щом липсващите курсове бъдат въведени, файлът се изготвя сам');
    expect(text).not.toMatch(/orderbridge|Запазете XML/);
  });

  test('a rejected file is corrected within seven days', () => {
    const text = textOf(month({ situation: situations.rejected }));

    expect(text).toContain('в срок от 7 дни от съобщението на НАП');
    expect(text).toContain('audit generate');
  });

  test('changes after filing are the accountant’s matter, before filing they need a new version', () => {
    const changes = excerpt({ documentNumber: '0000000045', change: 'removed' as const, number: null, total: null });

    expect(textOf(month({ changes }))).toContain('Преди подаване изгответе нова версия.');
    expect(textOf(month({ changes, situation: situations.filed }))).toContain('попитайте счетоводителя си дали и как да ги отразите');
  });

  test('a month that is not over needs nothing yet', () => {
    const text = textOf(month({ situation: situations.open }));

    expect(text).toContain('предвиден е за 10.11.2026 г.');
    expect(text).not.toContain('orderbridge service');
  });
});

describe('a month that is not simply ready', () => {
  const added = { documentNumber: '0000000045', change: 'added' as const, number: '#45', total: '10.00' };

  test('D5: a version that lacks changes is made again before it is filed; only one that is filed already is marked so', () => {
    const text = textOf(month({ changes: excerpt(added) }));

    expect(text).toContain('Във версия 1 на файла за октомври 2026 г. липсва 1 промяна след изготвянето ѝ. Не я подавайте: първо изгответе файла отново.');
    expect(text.indexOf('audit generate')).toBeLessThan(text.indexOf('--version 1 --as-is'));
    expect(text).not.toContain('КЕП');
  });

  test('a removed order is listed with its number where it is known', () => {
    const removed = (number: string | null) => ({ documentNumber: '0000000046', change: 'removed' as const, number, total: null });

    expect(textOf(month({ changes: excerpt(removed('#46')) }))).toMatch(/0000000046 +#46 +Премахната/);
    expect(textOf(month({ changes: excerpt(removed(null)) }))).toMatch(/0000000046 +– +Премахната/);
  });

  test('with both unrecorded orders and changes the orders are recorded first, and both are said', () => {
    const codes = [{ code: 'payment.unmapped', orders: 3 }];
    const outstanding = { at: '2026-11-10T04:00:00.000Z', orders: 3, totals: [{ currency: 'EUR', total: '36.00' }], oldest: '2026-10-03T08:00:00.000Z', codes };
    const text = textOf(month({ changes: excerpt(added), outstanding }));

    expect(text).toContain('остават 6 дни. 3 платени поръчки от октомври още не са записани');
    expect(text.indexOf('orderbridge review')).toBeLessThan(text.indexOf('audit generate'));
    expect(text).toContain('--version 1 --as-is --without-outstanding');
  });

  test('an open month says what was, once its day is over, and what to do; the day itself is not over', () => {
    const late = textOf(month({ situation: situations.open, writtenAt: '2026-11-11T06:00:00Z' }));

    expect(late).toContain('трябваше да бъде изготвен на 10.11.2026 г., но още не е. До края на срока (16.11.2026 г.) остават 5 дни.');
    expect(late).toContain('audit generate');
    expect(late).not.toContain('не е нужно да правите нищо');
    expect(textOf(month({ situation: situations.open, writtenAt: '2026-11-10T21:00:00Z' }))).toContain('предвиден е за 10.11.2026 г.');
  });

  test('a filed month shows the agency’s number, a rejected one its words', () => {
    const filed = textOf(month({ situation: { kind: 'filed', file, filedOn: '2026-11-11', incomingNumber: '2212И0012345' } }));
    const rejected = textOf(month({ situation: { kind: 'rejected', file, words: 'Грешка 12' } }));

    expect(filed).toMatch(/Подаден на: 11\.11\.2026 г\.\nВходящ номер: 2212И0012345/);
    expect(rejected).toMatch(/Съобщението на НАП\n=+\nГрешка 12/);
  });
});
