import { describe, expect, test } from 'vitest';
import { auditMail } from '../../../../src/service/audit/summary/audit-mail.ts';
import { waysToAct } from '../../../../src/service/audit/summary/ways-to-act.ts';
import { month } from './audit-summary-month.ts';

const LINK = 'https://months.example/months/abcdefghijklmnopqrstuv';

describe('a mail with a link', () => {
  test('bears it once, in text and HTML, and names no command for what the page can do', () => {
    const { html, text } = auditMail('generated', month(), LINK);

    expect(html.split(LINK)).toHaveLength(2);
    expect(html).toContain(`<a href="${LINK}">`);
    expect(text.split(LINK)).toHaveLength(2);
    for (const body of [html, text]) {
      expect(body).toContain('на страницата на месеца');
      expect(body).toContain('Връзката е само за вас');
      expect(body).not.toContain('orderbridge service audit');
    }
  });

  test('without one names the command, as ever', () => {
    const { html, text } = auditMail('generated', month());

    for (const body of [html, text]) expect(body).toContain('orderbridge service audit mark-filed');
    expect(html).not.toContain('<a ');
  });
});

describe('a step', () => {
  const step = (command: string) => ({ words: 'Направете го с команда:', command });

  test.each([
    ['orderbridge service audit mark-filed --shop s --month m', 'като подаден, с входящия му номер'],
    ['orderbridge service audit mark-filed --shop s --month m --without-outstanding', 'без тези поръчки'],
    ['orderbridge service audit mark-filed --shop s --month m --version 1 --as-is', 'промените ще влязат в следващи файлове'],
    ['orderbridge service audit mark-rejected --shop s --month m', 'като върнат'],
    ['orderbridge service audit generate --shop s --month m', 'Изгответе файла'],
    ['orderbridge service audit nothing-to-file --shop s --month m', 'няма какво да се подаде'],
  ])('%s is said in words on the page', (command, words) => {
    const [mine] = waysToAct([step(command)], { kind: 'page' });

    expect(mine).toEqual({ words: expect.stringContaining(words), command: null });
    expect(mine?.words).toContain('на тази страница');
  });

  test('in a summary that is downloaded names the page, which it does not link to', () => {
    const [mine] = waysToAct([step('orderbridge service audit generate --shop s --month m')], { kind: 'elsewhere' });

    expect(mine).toEqual({ words: 'Изгответе файла отново на страницата на месеца.', command: null });
  });

  test.each(['orderbridge review', 'orderbridge service rates import FILE', ''])('“%s” stays: the page can’t do it', (command) => {
    expect(waysToAct([step(command)], { kind: 'page' })).toEqual([step(command)]);
  });
});
