import { describe, expect, test } from 'vitest';
import { failures } from '../../../../src/bridge/order/facts/failure.ts';
import { auditMail } from '../../../../src/service/audit/summary/audit-mail.ts';
import type { Outstanding } from '../../../../src/service/audit/summary/month-summary.ts';
import { reasonWords } from '../../../../src/service/audit/summary/outstanding-words.ts';
import { renderSummary } from '../../../../src/service/audit/summary/render-summary.ts';
import { month, situations, textOf } from './audit-summary-month.ts';

const three: Outstanding = {
  at: '2026-11-10T03:00:00.000Z',
  orders: 3,
  totals: [{ currency: 'EUR', total: '36.00' }],
  oldest: '2026-10-03T08:00:00.000Z',
  codes: [
    { code: 'payment.unmapped', orders: 2 },
    { code: 'acme.odd', orders: 1 },
  ],
};
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('paid orders that are not recorded', () => {
  test('come first: the file is ready, but not whole', () => {
    const text = textOf(month({ outstanding: three }));

    expect(text).toContain('ГОТОВ, НО НЕПЪЛЕН\n3 платени поръчки от октомври още не са записани (36,00 €). Одиторският файл');
    expect(text).not.toContain('ГОТОВ ЗА ПОДАВАНЕ');
    const sections = text.split('\n').filter((_, i, all) => /^=+$/.test(all[i + 1] ?? ''));
    expect(sections.slice(0, 2)).toEqual(['Незаписани платени поръчки', 'Какво да направите сега']);
    expect(text).toContain('Най-старата е от 03.10.2026 г., 11:00 ч.');
    expect(text).toMatch(/Начинът на плащане не е настроен +payment\.unmapped +2\nacme\.odd +acme\.odd +1/);
    expect(text).toMatch(/1\. Нека първо бъдат записани[^\n]+\n +orderbridge review\n2\. Изгответе файла отново/);
    expect(text).toContain('mark-filed --shop 0d9c0a8e-6c1c-4f62-9b53-0a3c6f6f7d11 --month 2026-10 --without-outstanding');
  });

  test('one is said as one, and several currencies by each', () => {
    const one = { ...three, orders: 1, totals: [{ currency: 'EUR', total: '12.00' }], codes: [] };
    const two = { ...three, orders: 2, totals: [...one.totals, { currency: 'USD', total: '5.50' }] };

    expect(textOf(month({ outstanding: one }))).toContain('1 платена поръчка от октомври още не е записана (12,00 €).');
    expect(textOf(month({ outstanding: two }))).toContain('2 платени поръчки от октомври още не са записани (12,00 € и 5,50 USD).');
  });

  test('of more than a day ago are shown with the time of the report', () => {
    const old = { ...three, at: '2026-11-09T04:04:59.000Z' };

    expect(textOf(month({ outstanding: old }))).toContain('Тези данни са от 09.11.2026 г., 06:04 ч.');
    expect(textOf(month({ outstanding: { ...three, at: '2026-11-09T04:05:00.000Z' } }))).not.toContain('Тези данни са от');
  });

  test.each(['open', 'blocked', 'empty', 'rejected'] as const)('come first in a month that is %s, too', (kind) => {
    const text = textOf(month({ situation: situations[kind], outstanding: three }));

    expect(text.indexOf('Незаписани платени поръчки')).toBeLessThan(text.indexOf('Какво да направите сега'));
    expect(text).toContain('Без тях файлът е непълен.');
  });

  test('are in the subject and the body of the mail', () => {
    const mail = auditMail('generated', month({ outstanding: three }));
    const reminder = auditMail('reminder', month({ outstanding: three }));

    expect(plain(mail.subject)).toContain('Чаши: одиторски файл за октомври 2026 г.: готов, но непълен');
    expect(plain(reminder.subject)).toContain('Напомняне: Чаши: одиторски файл за октомври 2026 г.: готов, но непълен');
    for (const { text, html } of [mail, reminder])
      for (const body of [text, html]) expect(plain(body)).toContain('3 платени поръчки от октомври още не са записани (36,00 €)');
  });

  test('without which a month was filed are said with it', () => {
    const text = textOf(month({ situation: situations.filed, filedWithout: three }));

    expect(text).toContain('е отбелязан като подаден на 11.11.2026 г. Тогава не бяха записани 3 платени поръчки (36,00 €).');
    expect(text).not.toContain('Незаписани платени поръчки');
  });

  test('of which nothing is known leave the page as it was', () => {
    expect(renderSummary(month())).not.toContain('записани');
    expect(textOf(month())).toContain('ГОТОВ ЗА ПОДАВАНЕ');
  });

  test('a code can’t bring markup into the page', () => {
    const page = renderSummary(month({ outstanding: { ...three, codes: [{ code: '<b>x</b>', orders: 1 }] } }));

    expect(page).not.toContain('<b>x</b>');
  });
});

test('every reason for which our bridge leaves an order without a record has words', () => {
  const ofDeliveries = ['payload.unreadable', 'delivery.unrecordable', 'store.other'];
  const codes = Object.entries(failures).flatMap(([code, { disposition }]) => (disposition === 'review' || disposition === 'pause' ? [code] : []));

  const wordless = [...codes, 'queued', 'unconfirmed'].filter((code) => !ofDeliveries.includes(code) && reasonWords(code) === code);

  expect(codes.length).toBeGreaterThan(20);
  expect(wordless).toEqual([]);
});
