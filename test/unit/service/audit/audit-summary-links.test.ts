import { describe, expect, test } from 'vitest';
import { auditMail } from '../../../../src/service/audit/summary/audit-mail.ts';
import { stepsOf } from '../../../../src/service/audit/summary/month-steps.ts';
import type { MonthSummary } from '../../../../src/service/audit/summary/month-summary.ts';
import { renderSummary } from '../../../../src/service/audit/summary/render-summary.ts';
import { BY_COMMAND, type WayToAct } from '../../../../src/service/audit/summary/ways-to-act.ts';
import { excerpt, month, situations } from './audit-summary-month.ts';

const LINK = 'https://months.example/months/abcdefghijklmnopqrstuv';

const unrecorded = { at: '2026-11-10T04:00:00.000Z', orders: 3, totals: [{ currency: 'EUR', total: '36.00' }], oldest: '2026-10-03T08:00:00.000Z', codes: [] };

describe('a mail with a link', () => {
  test('bears it once, in text and HTML, and names no command for what the page can do', () => {
    const { html, text } = auditMail('generated', month(), LINK);

    // And the way out behind it.
    expect(html.split(`${LINK}"`)).toHaveLength(2);
    expect(html).toContain(`<a href="${LINK}/mails">`);
    expect(html).toContain(`<a href="${LINK}">`);
    expect(text.split(`${LINK}\n`)).toHaveLength(2);
    expect(text).toContain(`${LINK}/mails\n`);
    for (const body of [html, text]) {
      expect(body).toContain('на страницата на месеца');
      expect(body).toContain('Връзката е само за вас');
      expect(body).not.toContain('orderbridge service audit');
    }
  });

  test.each([
    ['generated', month({ outstanding: unrecorded })],
    ['generated', month({ changes: excerpt({ change: 'header' as const, field: 'nraNumber' as const, from: 'RF1', to: 'RF2' }) })],
    ['generated', month({ attached: { kind: 'left-out', link: null } })],
    ['rejected', month({ situation: situations.rejected })],
    ['filed', month({ situation: situations.filed })],
    ['empty', month({ situation: situations.empty }, { orders: [] })],
  ] as const)('without one names no command and no id, and says that an answer is enough: %s', (kind, summary) => {
    const { html, text } = auditMail(kind, summary);

    for (const body of [html, text, renderSummary(summary, { kind: 'reply' })]) {
      expect(body).toMatch(/отговорите на писмото/);
      expect(body).not.toMatch(/orderbridge|[0-9a-f]{8}-[0-9a-f]{4}-/);
    }
    expect(html).not.toContain('<a ');
  });
});

describe('a step', () => {
  const wordsOf = (summary: MonthSummary, way: WayToAct) =>
    stepsOf(summary, way).map(({ words, command }) => (command === null ? words : `${words} ${command}`));
  const changes = excerpt({ documentNumber: '0000000045', change: 'added' as const, number: '#45', total: '10.00' });
  const codes = [{ code: 'queued', orders: 3 }];
  const outstanding = { ...unrecorded, codes };

  test.each([
    ['mark-filed', month(), 'файла с формата на тази страница като подаден, с входящия му номер'],
    ['mark-filed --without-outstanding', month({ outstanding }), 'без тези поръчки'],
    ['mark-filed --as-is', month({ changes }), 'промените ще влязат в следващи файлове'],
    ['mark-rejected', month({ situation: situations.filed }), 'като върнат с формата на тази страница'],
    ['generate', month({ situation: situations.rejected }), 'Изгответе файла отново с формата на тази страница.'],
    ['generate, late', month({ situation: situations.open, writtenAt: '2026-11-14T06:00:00Z' }), 'Изгответе файла сега с формата на тази страница.'],
    ['nothing-to-file', month({ situation: situations.empty }, { orders: [] }), 'няма какво да се подава, отбележете го с формата на тази страница.'],
  ] as const)('%s is said in words on the page', (_, summary, words) => {
    const said = wordsOf(summary, { kind: 'page' }).join('\n');

    expect(said).toContain(words);
    expect(said).not.toContain('orderbridge service audit');
  });

  test('in a summary that is downloaded names the page, which it does not link to', () => {
    expect(wordsOf(month({ situation: situations.rejected }), { kind: 'elsewhere' })).toContain('Изгответе файла отново на страницата на месеца.');
  });

  test('that the page can’t do is another’s; a command has it as a command', () => {
    expect(wordsOf(month({ outstanding }), { kind: 'page' })[0]).toMatch(/ Ако друг поддържа услугата, пишете му: той вижда какво пречи на всяка от тях\.$/);
    expect(wordsOf(month({ outstanding }), BY_COMMAND)[0]).toMatch(/ orderbridge review$/);
  });
});
