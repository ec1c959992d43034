import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { printContent } from '../../../src/cli/output/print-content.ts';
import { type AuditCli, juneOrder, MONTH, useAuditCli } from '../../support/worlds/audit-cli.ts';

const startCli = useAuditCli();

const audit = ({ service, of }: AuditCli, command: string, ...more: string[]) => service(['audit', command, ...of, ...more]);

/** Two orders; the first version has one of them, the second both. */
async function twoVersions(): Promise<AuditCli> {
  const cli = await startCli();
  await cli.create(juneOrder(1));
  await audit(cli, 'generate');
  await cli.create(juneOrder(2));
  await audit(cli, 'generate');
  return cli;
}

describe('list', () => {
  test('shows each month with state, orders, versions and deadline', async () => {
    await using cli = await twoVersions();
    cli.setClock('2026-07-05T10:00:00Z');
    await cli.create(juneOrder(3, { internalCreatedAt: '2026-07-05T10:15:00+03:00' }));
    // Changes that version 1 lacks go into the month that is open today.
    await audit(cli, 'mark-filed', '--version', '1', '--as-is');

    const { out } = await cli.service(['audit', 'list', '--shop', cli.shopId]);
    const json = await cli.service(['audit', 'list', '--shop', cli.shopId, '--json']);

    expect(out).toMatch(
      /^month +state +orders +versions +filed +due by\n20\d\d-\d\d +No file yet +1 .+\n2026-07 +Not made yet, and late +1 +- +- +2026-08-17\n2026-06 +Filed +1 +1–2 +1 +2026-07-15\n$/,
    );
    expect(JSON.parse(json.out)[2]).toEqual({
      month: MONTH,
      state: 'filed',
      situation: 'filed',
      orders: 1,
      version: 2,
      filedVersion: 1,
      deadline: '2026-07-15',
    });
  });

  test('counts a sale that was deleted after its month was closed where its file lists it, and shows the month of the return', async () => {
    await using cli = await startCli();
    const { id } = await cli.create(juneOrder(1));
    cli.setClock('2026-09-05T10:00:00Z');
    await cli.remove(id);

    const { out } = await cli.service(['audit', 'list', '--shop', cli.shopId]);

    expect(out).toMatch(/^2026-09 +Not made yet, and late +0 +- +- +2026-10-15\n2026-06 +Not made yet, and late +1 +/m);
  });

  test('of a shop without orders says so; of no shop is refused', async () => {
    await using cli = await startCli();

    expect(await cli.service(['audit', 'list', '--shop', cli.shopId])).toMatchObject({ code: 0, out: 'The shop has no order yet.\n' });
    expect(await cli.service(['audit', 'list', '--shop', '42'])).toMatchObject({ code: 1, err: expect.stringContaining('there is no shop 42') });
  });
});

describe('show', () => {
  test('prints the state of the month, and its versions', async () => {
    await using cli = await twoVersions();

    const { code, out, err } = await audit(cli, 'show');

    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Одиторски файл[\s\S]*ГОТОВ ЗА ПОДАВАНЕ[\s\S]*Общо с ДДС: 118,90/);
    expect(out).toMatch(
      /^1 +\d\d\.\d\d\.\d* \d\d:\d\d:\d\d +1 +59.45 +8.08 +0 \(0.00\) +1 +[0-9a-f]{64}\n2 +\d\d\.\d\d\.\d* \d\d:\d\d:\d\d +2 +118.90 +16.16 +0 \(0.00\) +1 +[0-9a-f]{64}\n$/m,
    );
    expect((await audit(cli, 'show', '--text')).out).toContain('ГОТОВ ЗА ПОДАВАНЕ');
  });

  test('lists the orders that have changed since the last version', async () => {
    await using cli = await twoVersions();
    await cli.create(juneOrder(3));

    const { out } = await audit(cli, 'show');
    const json = JSON.parse((await audit(cli, 'show', '--json')).out);

    expect(out).toMatch(/Промени след последната версия\n[\s\S]*\n0000000003 +#3 +Добавена +59,45/);
    expect(json).toMatchObject({
      monthState: 'generated',
      changes: { count: 1, rows: [{ number: '#3', change: 'added' }] },
      versions: [{ version: 1 }, { version: 2, sums: { orders: 2 } }],
    });
  });

  test('prints the XML of any version byte for byte, CSV and page', async () => {
    await using cli = await twoVersions();
    const { versions } = JSON.parse((await audit(cli, 'show', '--json')).out);

    const hashes = [];
    for (const version of ['1', '2']) hashes.push(sha256((await audit(cli, 'show', '--xml', '--version', version)).bytes));

    expect(hashes).toEqual([versions[0].sha256, versions[1].sha256]);
    expect(sha256((await audit(cli, 'show', '--xml')).bytes)).toBe(versions[1].sha256);
    expect((await audit(cli, 'show', '--csv')).out).toMatch(/^\ufeff[\s\S]*#1[\s\S]*#2/);
    expect((await audit(cli, 'show', '--bookkeeping-csv')).out).toMatch(/^\ufeffДен;Вид;[\s\S]*;продажба;/);
    expect((await audit(cli, 'show', '--html', '--version', '1')).out).toMatch(/^<!doctype html>[\s\S]*_v1\.xml/i);
  });

  test('of an earlier version shows that one, with what has changed since, and says so', async () => {
    await using cli = await twoVersions();

    const { out, err } = await audit(cli, 'show', '--version', '1');

    expect(out).toMatch(/Общо с ДДС: 59,45[\s\S]*0000000002 +#2 +Добавена/);
    expect(err).toBe('This is version 1; the last one is 2.\n');
  });

  test('of a month that is filed shows the version that was filed', async () => {
    await using cli = await twoVersions();
    await audit(cli, 'mark-filed', '--version', '1', '--as-is');

    const { out, err } = await audit(cli, 'show');

    expect(out).toMatch(/^ПОДАДЕН$[\s\S]*^1 \(filed\) /m);
    expect(err).toBe('This is version 1; the last one is 2.\n');
    const [own, other] = await Promise.all(['1', '2'].map(async (version) => (await audit(cli, 'show', '--version', version)).out));
    expect([own, other]).toEqual([expect.stringMatching(/^ПОДАДЕН$/m), expect.not.stringMatching(/^ПОДАДЕН$/m)]);
  });

  test('of a month without a file shows what it holds, and has no content', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));

    const summary = await audit(cli, 'show');
    const content = await audit(cli, 'show', '--xml');
    const version = await audit(cli, 'show', '--version', '1');

    expect(summary).toMatchObject({ code: 0, out: expect.stringMatching(/ОЩЕ НЕ Е ИЗГОТВЕН[\s\S]*59,45/) });
    for (const { code, err } of [content, version]) {
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/no file of 2026-06 was made yet; `orderbridge service audit generate --shop \S+ --month 2026-06` makes it/),
      ]);
    }
  });

  test('refuses an unknown version, and two shapes at once', async () => {
    await using cli = await twoVersions();

    expect(await audit(cli, 'show', '--version', '3')).toMatchObject({ code: 1, err: expect.stringContaining('the last one is 2') });
    expect(await audit(cli, 'show', '--xml', '--json')).toMatchObject({ code: 1, err: expect.stringContaining('cannot be used with option') });
    expect(await audit(cli, 'show', '--version', 'last')).toMatchObject({ code: 1, err: expect.stringContaining('It must be a whole number') });
  });

  test('a reader may close the pipe early', async () => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })) });
    const content = Readable.from([Buffer.from('much'), Buffer.from('more')]);

    await expect(printContent({ stdout, signal: new AbortController().signal }, content)).resolves.toBeUndefined();
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('mark-filed', () => {
  test('closes the month with its last version, and says what that means', async () => {
    await using cli = await twoVersions();

    const { code, out, err } = await audit(cli, 'mark-filed');

    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(
      'Version 2 of the file of 2026-06 is marked as filed.\nThe month is closed: an order of it that is deleted from now on becomes a return',
    );
    expect((await audit(cli, 'generate')).err).toContain('the month is marked as filed already.');
  });

  test('is refused for a version that lacks the last changes, and says what to do', async () => {
    await using cli = await twoVersions();

    const { code, out, err } = await audit(cli, 'mark-filed', '--version', '1');

    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/version 1 lacks 1 change of the month since it was made .+audit show .+; make another with .+audit generate .+ and file that/);
    expect(err).toContain('If the agency has version 1 and it must stay, add --as-is: the changes then go into later files');
  });

  test('with --as-is takes such a version, and warns that it is not the last', async () => {
    await using cli = await twoVersions();

    const { code, err } = await audit(cli, 'mark-filed', '--version', '1', '--as-is');

    expect(code).toBe(0);
    expect(err).toContain('Warning: version 1 is not the last one, which is 2.');
  });

  test('is refused without a file, and a second time', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));

    const nothing = await audit(cli, 'mark-filed');
    await audit(cli, 'generate');
    const noVersion = await audit(cli, 'mark-filed', '--version', '9');
    await audit(cli, 'mark-filed');
    const twice = await audit(cli, 'mark-filed');

    expect(nothing).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no file of 2026-06 was made yet') });
    expect(noVersion).toMatchObject({ code: 1, err: expect.stringContaining('there is no such version of the file of 2026-06; the last one is 1') });
    expect(twice).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the month is marked as filed already\. .*mark-rejected/),
    });
  });
});

describe('mark-rejected', () => {
  test('lets another version be made, and says what to do', async () => {
    await using cli = await twoVersions();
    await audit(cli, 'mark-filed');

    const { code, out } = await audit(cli, 'mark-rejected');

    expect([code, out]).toEqual([0, expect.stringContaining('Version 2 of the file of 2026-06 is marked as rejected.')]);
    expect(out).toContain('It was due on 2026-07-15, so the month stays closed');
    expect(out).toMatch(/then `orderbridge service audit generate .*; file it within \d+ days of the agency’s message/);
    expect(await audit(cli, 'generate')).toMatchObject({ code: 0, out: expect.stringMatching(/^version +3$/m) });
  });

  test('is refused for a month that was not filed, and a second time', async () => {
    await using cli = await twoVersions();

    const open = await audit(cli, 'mark-rejected');
    await audit(cli, 'mark-filed');
    await audit(cli, 'mark-rejected');
    const twice = await audit(cli, 'mark-rejected');

    expect(open).toMatchObject({ code: 1, err: expect.stringContaining('the month is not marked as filed') });
    expect(twice).toMatchObject({ code: 1, err: expect.stringContaining('the month is not marked as filed') });
  });
});
