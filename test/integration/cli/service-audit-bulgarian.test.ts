import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { englishLines } from '../../support/english-lines.ts';
import { longTest } from '../../support/long-test.ts';
import { type AuditCli, type CommandRan, juneOrder, useAuditCli } from '../../support/worlds/audit-cli.ts';
import { goodXml } from '../../unit/service/audit/audit-samples.ts';

const startCli = useAuditCli();
let cli: AuditCli;
const FINDING = /^ {2}made on [0-9-]+; the file of [0-9-]+ was due on [0-9-]+$/;
const left: string[] = [];
beforeAll(async () => {
  cli = await startCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

async function say(...args: string[]): Promise<CommandRan> {
  const ran = await cli.service(['audit', ...args, '--lang', 'bg']);
  // The details of a finding are kept as they were found.
  left.push(
    ...englishLines(ran)
      .filter((line) => !FINDING.test(line))
      .map((line) => `${args[0]}: ${line}`),
  );
  return ran;
}

const of = (command: string, ...more: string[]): Promise<CommandRan> => say(command, ...cli.of, ...more);

longTest('a month is made, shown, mailed, filed and rejected in Bulgarian', async () => {
  expect((await of('generate')).err).toContain('за 2026-06 няма поръчка за файл, а схемата на НАП не допуска файл без поръчки');
  expect((await of('mark-filed')).err).toContain('ако счетоводителят е съгласен, че няма какво да се подаде');
  await cli.create(juneOrder(1));
  expect((await of('show', '--xml')).err).toContain('файл за 2026-06 още не е изготвян');
  expect((await of('nothing-to-file', '--note', 'Уговорено.')).err).toContain('за 2026-06 има поръчки');
  expect((await of('mark-rejected')).err).toContain('не е отбелязан като подаден (месецът е „текущ“)');

  const made = await of('generate', '--out', 'юни.xml', '--mail');
  expect(made.out).toContain('Одиторският файл за 2026-06 е изготвен.\n\nверсия          1\nсъдържание      1 поръчка, ');
  expect(made.out).toMatch(/Подайте го в портала на НАП веднага \(срокът изтече на 2026-07-15\), а след това `orderbridge service audit mark-filed .*`\./);
  expect(made.err).toContain('Писмото чака изпращане');
  expect((await of('mail')).err).toContain('току-що беше изпратен');
  await cli.create(juneOrder(2));
  expect((await say('list', '--shop', cli.shopId)).out).toMatch(/^месец +състояние +поръчки +версии +подаден +срок\n2026-06 +изготвен, без 1 последна промяна/);
  expect((await of('mark-filed')).err).toMatch(/във версия 1 липсва 1 промяна в месеца, .+ изгответе друга с .+ и подайте нея до 2026-07-15\. .+--as-is/);
  await of('generate');
  expect((await of('show', '--version', '1')).err).toContain('Това е версия 1; последната е 2.');
  expect((await of('show')).out).toMatch(/ВЕРСИИ\n\nверсия +създаден +поръчки +сума +ДДС +връщания +предупреждения +SHA-256/);
  expect((await of('mark-checked', '--version', '2')).out).toBe('Отбелязано е, че сумите на версия 2 на файла за 2026-06 съвпадат със счетоводството.\n');
  expect((await of('mark-filed', '--filed-on', '2026-01-01')).err).toContain('--filed-on трябва да е ден от');
  expect((await of('mark-filed', '--version', '1', '--as-is')).err).toContain('Внимание: версия 1 не е последната; последната е 2.');
  expect((await of('mark-filed')).err).toContain('ако това е грешка или НАП е намерила грешки в нея');
  expect((await of('generate')).err).toContain('файлът за 2026-06 е отбелязан като подаден, затова друг не е изготвен');
  expect((await of('mark-accepted')).out).toContain('НАП е приела версия 1');
  expect((await of('mark-rejected')).out).toContain('Срокът му изтече на 2026-07-15, затова месецът остава приключен');
});

test('files are checked and compared in Bulgarian; what is wrong in a finding stays as it was found', async () => {
  const good = await goodXml();
  await writeFile(join(cli.directory, 'good.xml'), good);
  await writeFile(
    join(cli.directory, 'wrong.xml'),
    good.replace('206770508', '104056065').replace('<ord_total2>30.00', '<ord_total2>31.00').replaceAll('#1002', '#1003'),
  );
  await writeFile(join(cli.directory, 'page.xml'), '<html></html>');

  const checked = await cli.service(['audit', 'verify', 'wrong.xml', '--lang', 'bg']);
  expect(checked.out).toContain('ГРЕШКИ\n\nheader.company-number: ЕИК на търговеца не е верен.\n  ред 2: eik is "104056065"\n  → Поправете данните');
  expect(checked.err).toMatch(/в wrong\.xml има \d+ грешки; не го подавайте, докато не бъдат отстранени/);
  const { out, err } = await say('diff', 'good.xml', 'wrong.xml');
  expect(out).toContain('ПОРЪЧКИ, КОИТО СЕ РАЗЛИЧАВАТ');
  expect(err).toContain('файловете се различават');
  expect((await say('diff', 'good.xml', 'good.xml')).out).toBe('Файловете казват едно и също: 2 поръчки, 1 връщане.\n');
  expect((await say('diff', 'good.xml', 'page.xml')).err).toContain('не е одиторски файл: page.xml');
  expect((await cli.service(['audit', 'verify', 'none.xml', '--lang', 'bg'])).err).toContain('none.xml не може да бъде прочетен');
});

test('no line of all this is English, and JSON is the same', async () => {
  expect(left).toEqual([]);
  for (const args of [
    ['list', '--shop', cli.shopId, '--json'],
    ['verify', 'wrong.xml', '--json'],
    ['diff', 'good.xml', 'wrong.xml', '--json'],
  ])
    expect((await cli.service(['audit', ...args, '--lang', 'bg'])).out).toBe((await cli.service(['audit', ...args])).out);
});
