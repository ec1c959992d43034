import { expect, test } from 'vitest';
import { type AuditCli, juneOrder, MONTH, useAuditCli } from '../../support/worlds/audit-cli.ts';

const startCli = useAuditCli();

const audit = ({ service, of }: AuditCli, command: string, ...more: string[]) => service(['audit', command, ...of, ...more]);
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia' }).format(new Date());

test('what a person says of a file is shown with it: number and day, then the agency’s words', async () => {
  await using cli = await startCli();
  await cli.create(juneOrder(1));
  await audit(cli, 'generate');

  expect(await audit(cli, 'mark-filed', '--incoming-number', '2212И0012345', '--filed-on', today())).toMatchObject({ code: 0 });
  expect((await audit(cli, 'show')).out).toMatch(/Входящ номер: 2212И0012345/);
  expect((await audit(cli, 'mark-filed', '--incoming-number', '2212И0054321')).code).toBe(0);
  expect((await audit(cli, 'show')).out).toMatch(/Входящ номер: 2212И0054321/);
  expect((await audit(cli, 'mark-rejected', '--words', 'Грешка 12 в поръчка #1')).code).toBe(0);
  expect((await audit(cli, 'show')).out).toMatch(/Съобщението на НАП\n=+\nГрешка 12 в поръчка #1/);
});

test('a day that can’t be, and a number of two lines, are refused before anything is marked', async () => {
  await using cli = await startCli();
  await cli.create(juneOrder(1));
  await audit(cli, 'generate');

  const early = await audit(cli, 'mark-filed', '--filed-on', '2026-07-01');
  const odd = await audit(cli, 'mark-filed', '--filed-on', '1.7.2026');
  const lines = await audit(cli, 'mark-filed', '--incoming-number', 'a\nb');

  expect(early).toMatchObject({ code: 1, err: expect.stringContaining(`--filed-on must be a day from ${today()}`) });
  expect(odd.err).toContain('It must be a day such as 2026-11-12.');
  expect(lines.err).toContain('It must be one line.');
  expect(JSON.parse((await cli.service(['audit', 'list', '--shop', cli.shopId, '--json'])).out)).toMatchObject([{ state: 'generated' }]);
});

test('F17: an empty month is settled with a note, a month before the shop is not ours, and mark-filed says which way to go', async () => {
  await using cli = await startCli();
  await audit(cli, 'generate');

  expect(await cli.service(['audit', 'generate', '--shop', cli.shopId, '--month', '2026-05'])).toMatchObject({ code: 1 });
  expect((await audit(cli, 'mark-filed')).err).toContain(`service audit nothing-to-file --shop ${cli.shopId} --month ${MONTH}`);
  const { out: listed } = await cli.service(['audit', 'list', '--shop', cli.shopId]);
  expect([listed, listed.includes('2026-05')]).toEqual([expect.stringMatching(/2026-06 +No orders +0 /), false]);
  expect(await audit(cli, 'nothing-to-file', '--note', 'Уточнено със счетоводителя')).toMatchObject({
    code: 0,
    out: '2026-06 is settled: nothing to file. A new order or return in it opens it again.\n',
  });
  expect((await cli.service(['audit', 'list', '--shop', cli.shopId])).out).toMatch(/2026-06 +Nothing to file +0 /);
  expect((await audit(cli, 'show')).out).toMatch(/НЯМА КАКВО ДА СЕ ПОДАВА[\s\S]*Уточнено със счетоводителя/);
});

test('nothing-to-file is refused for a month that has something to file', async () => {
  await using cli = await startCli();
  await cli.create(juneOrder(1));

  expect((await audit(cli, 'nothing-to-file', '--note', 'x')).err).toContain(
    'the month has orders, so its file must be made and filed: `orderbridge service audit generate',
  );
  await audit(cli, 'generate');
  expect((await audit(cli, 'nothing-to-file', '--note', 'x')).err).toContain('the month has a file');
  const month = today().slice(0, 7);
  const current = await cli.service(['audit', 'nothing-to-file', '--shop', cli.shopId, '--month', month, '--note', 'x']);
  expect(current.err).toContain('the month is not over');
});

test('that sums agree, that the month is mailed, and that the agency accepted it, is said by commands, too', async () => {
  await using cli = await startCli();
  await cli.create(juneOrder(1));
  expect(await cli.service(['audit', 'mark-checked', ...cli.of, '--version', '1'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no file of 2026-06'),
  });
  await cli.service(['audit', 'generate', ...cli.of, '--now']);

  expect(await cli.service(['audit', 'mark-checked', ...cli.of, '--version', '1'])).toMatchObject({ code: 0 });
  expect(await cli.service(['audit', 'mark-accepted', ...cli.of])).toMatchObject({ code: 1, err: expect.stringContaining('not marked as filed') });
  expect((await cli.service(['audit', 'mail', ...cli.of])).out).toContain('Version 1 of the file of 2026-06 is in the outbox');
  await cli.service(['audit', 'mark-filed', ...cli.of]);
  expect(await cli.service(['audit', 'mark-accepted', ...cli.of, '--why', 'message of 8 July'])).toMatchObject({ code: 0 });

  const { out } = await cli.run(['activity', '--json']);
  const acts: { act: string; who: string; subject: string }[] = JSON.parse(out);
  const said = acts.filter(({ act, subject }) => subject === `${cli.shopId} ${MONTH}` && ['month.checked', 'month.mailed', 'month.accepted'].includes(act));
  expect(said.map(({ act, who }) => [act, who.startsWith('cli:')])).toEqual([
    ['month.accepted', true],
    ['month.mailed', true],
    ['month.checked', true],
  ]);
});
