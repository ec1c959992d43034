import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Version } from '../../../src/service/audit/month/generate-month.ts';
import type { ShopMail } from '../../../src/service/mail/shop-mails.ts';
import { type AuditCli, juneOrder, MONTH, useAuditCli } from '../../support/worlds/audit-cli.ts';

const startCli = useAuditCli();

type Generated = { kind: string; file: Version; files: Record<string, string> | null; mailed: boolean };

const generate = ({ service, of }: AuditCli, ...more: string[]) => service(['audit', 'generate', ...of, ...more]);

async function versions({ server, shopId }: AuditCli): Promise<number> {
  const { rows } = await server.pool.query<{ n: number }>('select count(*)::int as n from compliance.audit_files where shop_id = $1', [shopId]);
  return rows[0]?.n ?? 0;
}

async function mailsOf({ service, shopId }: AuditCli): Promise<string[]> {
  const mails: ShopMail[] = JSON.parse((await service(['mails', 'list', '--shop', shopId, '--json'])).out);
  return mails.map(({ kind }) => kind);
}

describe('generate', () => {
  test('prints version, sums, hash and warnings, and what to do next', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));

    const { code, out, err } = await generate(cli);

    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^version +1$/m);
    expect(out).toMatch(/^contents +1 order, 51.37 \+ 8.08 VAT = 59.45; 0 orders returned, 0.00 \(EUR\)$/m);
    expect(out).toMatch(/^SHA-256 +[0-9a-f]{64}$/m);
    expect(out).toMatch(/^header.after-deadline\n {2}made on .*\n {2}→ File at once/m);
    expect(out).toContain(`at once (it was due on 2026-07-15), then \`orderbridge service audit mark-filed --shop ${cli.shopId} --month ${MONTH}\``);
  });

  test('writes the XML byte for byte, and CSV and summary beside it', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));
    await mkdir(join(cli.directory, 'files'));

    const { out } = await generate(cli, '--out', 'files/june.xml', '--json');

    const { file, files }: Generated = JSON.parse(out);
    const xml = await cli.read('files/june.xml');
    expect(createHash('sha256').update(xml).digest('hex')).toBe(file.sha256);
    expect(xml.byteLength).toBe(file.bytes);
    expect((await cli.read('files/june.csv')).toString()).toMatch(/^\ufeff.*\r?\n.*#1/);
    expect((await cli.read('files/june.html')).toString()).toMatch(/^<!doctype html>[\s\S]*Юни 2026/i);
    expect(files).toEqual({ xml: 'files/june.xml', csv: 'files/june.csv', html: 'files/june.html' });
    expect((await readdir(join(cli.directory, 'files'))).toSorted()).toEqual(['june.csv', 'june.html', 'june.xml']);
  });

  test('overwrites no file without --force', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));
    await writeFile(join(cli.directory, 'june.csv'), 'mine');

    const refused = await generate(cli, '--out', 'june.xml');

    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('june.csv is there already; name another file, or overwrite it with --force'),
    });
    expect([await versions(cli), (await cli.read('june.csv')).toString(), await readdir(cli.directory)]).toEqual([0, 'mine', ['june.csv']]);

    expect(await generate(cli, '--out', 'june.xml', '--force')).toMatchObject({ code: 0 });
    expect((await cli.read('june.csv')).toString()).toContain('#1');
  });

  test('makes no version if the file can’t be written', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));
    await writeFile(join(cli.directory, 'a-file'), '');

    const folder = await generate(cli, '--out', '.');
    const nowhere = await generate(cli, '--out', 'no/june.xml');
    const below = await generate(cli, '--out', 'a-file/june.xml');

    expect(folder).toMatchObject({ code: 1, err: 'orderbridge: . is a folder; name a file in it\n' });
    expect(nowhere).toMatchObject({ code: 1, err: 'orderbridge: no/june.xml can’t be written: its folder is not there; make it, or name another\n' });
    expect(below).toMatchObject({ code: 1, err: expect.stringContaining('part of its path is a file') });
    expect(await versions(cli)).toBe(0);
  });

  test('lists the rates that a month waits for, and leaves no file', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1, { currency: 'USD' }));

    const { code, out, err } = await generate(cli, '--out', 'june.xml');

    expect(out).toMatch(/^ {2}USD +2026-06-20 +1 +#1$/m);
    expect(out).toContain('orderbridge service rates import');
    expect([code, err]).toEqual([1, `orderbridge: no file of ${MONTH} was made: 1 missing exchange rate; do what is said above, then make it again\n`]);
    expect(await readdir(cli.directory)).toEqual([]);
    expect(JSON.parse((await generate(cli, '--json')).out)).toMatchObject({
      kind: 'blocked',
      errors: [],
      missingRates: [{ currency: 'USD', day: '2026-06-20' }],
    });
  });

  test('lists the errors of a month, each with what to do', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1, { paymentType: 'VIRTUAL_POS' }));
    await cli.server.pool.query('update compliance.orders set transaction_id = null where shop_id = $1', [cli.shopId]);

    const { code, out, err } = await generate(cli);

    expect(out).toMatch(/^ERRORS\n\norder.transaction-missing\n {2}order #1: .*\n {2}→ .+\n\nA recorded order can’t be edited: delete it and create it again/);
    expect([code, err]).toEqual([1, expect.stringContaining('1 error; do what is said above')]);
  });

  test('says why there is none for a month without orders, and one that is not over', async () => {
    await using cli = await startCli();

    const empty = await generate(cli);
    const coming = await cli.service(['audit', 'generate', '--shop', cli.shopId, '--month', '2099-12']);

    expect(empty).toMatchObject({ code: 1, err: expect.stringContaining(`${MONTH} has no order for a file, and the agency’s schema allows none without`) });
    expect(coming).toMatchObject({ code: 1, err: 'orderbridge: the month is not over. Try again after its end\n' });
  });

  test('says what else a month without orders holds', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1, { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined }));
    await cli.call('PUT', `/shop/${cli.shopId}`, { body: { auditNoReceiptOrders: false } });

    expect((await generate(cli)).err).toContain('has no order for a file (orders that the shop’s auditNoReceiptOrders leaves out: 1)');

    await cli.create(juneOrder(2));
    expect((await generate(cli)).out).toContain('Left out, as the shop’s auditNoReceiptOrders says: orders without a receipt, 1 of them (59.45 EUR).');
  });

  test('does not get in the way of another process that makes the same file', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));
    const other = await cli.server.pool.connect();
    await other.query('select pg_advisory_lock(hashtextextended($1, 0))', [`audit ${cli.shopId} ${MONTH}`]);

    const { code, err } = await generate(cli);

    other.release(true);
    expect([code, err]).toEqual([1, expect.stringContaining('the file is being made at this moment')]);
  });

  test.each([
    [['--shop', '42', '--month', MONTH], 'there is no shop 42'],
    [['--shop', randomUUID(), '--month', MONTH], 'there is no shop'],
    [['--shop', randomUUID(), '--month', '2026-13'], 'It must be a month such as 2026-10'],
    [['--month', MONTH], "required option '--shop <id>' not specified"],
  ])('%j is refused in words', async (args, words) => {
    await using cli = await startCli();

    expect(await cli.service(['audit', 'generate', ...args])).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) });
  });
});

describe('--mail', () => {
  test('puts a file into the outbox, and every further version', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1));

    await generate(cli);
    const first = await generate(cli, '--mail');
    await generate(cli, '--mail');

    expect(first).toMatchObject({ code: 0, err: expect.stringContaining('The mail is in the outbox') });
    expect(await mailsOf(cli)).toEqual(['audit-file', 'audit-file']);
  });

  test('mails once why there is none', async () => {
    await using cli = await startCli();
    await cli.create(juneOrder(1, { currency: 'USD' }));

    const first = await generate(cli, '--mail');
    const again = await generate(cli, '--mail');
    const coming = await cli.service(['audit', 'generate', '--shop', cli.shopId, '--month', '2099-12', '--mail']);

    expect([first.code, first.err]).toEqual([1, expect.stringContaining('The mail is in the outbox')]);
    expect(again.err).toContain('Nothing is mailed: the same was mailed before.');
    expect(coming.err).toContain('Nothing is mailed: there is nothing new to report.');
    expect(await mailsOf(cli)).toEqual(['audit-month']);
  });
});
