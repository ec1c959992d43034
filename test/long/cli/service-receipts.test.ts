import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShopMail } from '../../../src/service/mail/shop-mails.ts';
import type { ReceiptDto } from '../../../src/service/receipts/read-receipts.ts';
import { type AuditCli, juneOrder, useAuditCli } from '../../support/worlds/audit-cli.ts';

const startCli = useAuditCli();
let cli: AuditCli;
beforeEach(async () => {
  cli = await startCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

const receipts = (...args: string[]) => cli.service(['receipts', ...args]);
const mails = (...args: string[]) => cli.service(['mails', ...args]);

async function issued(n = 1, changes: Record<string, unknown> = {}): Promise<ReceiptDto> {
  const { id } = await cli.create(juneOrder(n, changes));
  return JSON.parse((await receipts('issue', id, '--json')).out);
}

describe('receipts', () => {
  test('are issued once, whichever key the order is of', async () => {
    const { id: orderId, documentNumber } = await cli.create(juneOrder(1));

    const first = await receipts('issue', orderId);
    const again = await receipts('issue', orderId);

    expect([first.code, again]).toEqual([0, first]);
    expect(first.out).toMatch(new RegExp(`^document +${documentNumber} of 2026-06-20$`, 'm'));
    expect(first.out).toMatch(/^total +59.45 EUR$/m);
    expect(first.out).toMatch(/^e-mail +waits to be mailed; a running server does it$/m);
    expect(JSON.parse((await mails('list', '--shop', cli.shopId, '--json')).out)).toHaveLength(1);
  });

  test('of a buyer without an address say that they are not mailed', async () => {
    const { id } = await cli.create(juneOrder(1, { customer: undefined }));

    expect((await receipts('issue', id)).out).toMatch(/^e-mail +not mailed: the buyer has no usable e-mail address$/m);
  });

  test('are listed for a shop and a month', async () => {
    const { id, orderId } = await issued();
    await issued(2, { currency: 'JPY', precision: 0, lineItems: [{ name: 'Чаша', quantity: 1, price: 1200, discount: 0, vatRate: 20, vatGroup: 'GROUP_B' }] });

    const { out } = await receipts('list', '--shop', cli.shopId);
    const ofMonth = await receipts('list', ...cli.of, '--json');
    const first = await receipts('list', '--shop', cli.shopId, '--limit', '1');

    expect(out).toMatch(new RegExp(`^0000000001 +2026-06-20 +1 +59.45 EUR +\\d\\d\\.\\d\\d\\.\\d* [\\d:]{8} +queued +${orderId} +${id}$`, 'm'));
    expect(out).toMatch(/ 1200 JPY /);
    expect(JSON.parse(ofMonth.out)).toHaveLength(2);
    expect((await receipts('list', '--shop', cli.shopId, '--month', '2026-05')).out).toBe('No receipt found.\n');
    expect(first.err).toContain('There are more than 1 receipts');
  });

  test('are shown, and their document is printed or written', async () => {
    const { id } = await issued();

    const shown = await receipts('show', id);
    const printed = await receipts('show', id, '--html');
    const written = await receipts('show', id, '--out', 'receipt.html');

    expect(shown.out).toMatch(new RegExp(`^id +${id}$`, 'm'));
    expect(printed.out).toMatch(/^<!doctype html>[\s\S]*0000000001/i);
    expect((await cli.read('receipt.html')).equals(printed.bytes)).toBe(true);
    expect(written.err).toBe('The document is in receipt.html.\n');
    expect(JSON.parse((await receipts('show', id, '--json')).out)).toMatchObject({ id, documentNumber: '0000000001' });
  });

  test('overwrite no file without --force', async () => {
    const { id } = await issued();
    await writeFile(join(cli.directory, 'receipt.html'), 'mine');

    expect(await receipts('show', id, '--out', 'receipt.html')).toMatchObject({ code: 1, err: expect.stringContaining('receipt.html is there already') });
    expect((await cli.read('receipt.html')).toString()).toBe('mine');
    expect(await receipts('show', id, '--out', 'receipt.html', '--force')).toMatchObject({ code: 0 });
    expect((await cli.read('receipt.html')).toString()).toContain('0000000001');
  });

  test('are not due for an order paid by postal payment', async () => {
    const { id } = await cli.create(juneOrder(1, { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined }));

    expect(await receipts('issue', id)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('an order paid by POSTAL_PAYMENT has no receipt') });
  });

  test.each([
    [['issue', randomUUID()], /no order \S+ is recorded here/],
    [['issue', '42'], /no order 42 is recorded here/],
    [['show', randomUUID()], /there is no receipt/],
    [['show', '42'], /there is no receipt 42/],
    [['list', '--shop', '42'], /there is no shop 42/],
  ])('%j is refused in words', async (args, words) => {
    expect(await receipts(...args)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(words) });
  });
});

describe('mails', () => {
  test('are listed by shop and state, without recipients', async () => {
    await issued();
    const other = await cli.newShop({ name: 'Втори' });

    const { out } = await mails('list');

    expect(out).toMatch(new RegExp(`^receipt +waiting +\\S+ [\\d:]{8} +0 +- +\\d\\d\\.\\d\\d\\.\\d* [\\d:]{8} +${cli.shopId} +\\S{36}$`, 'm'));
    expect(out).not.toContain('buyer.example');
    expect((await mails('list', '--shop', other)).out).toBe('No mail found.\n');
    expect((await mails('list', '--state', 'failed')).out).toBe('No mail found.\n');
    expect((await mails('list', '--state', 'waiting', '--shop', cli.shopId)).out).toContain('receipt');
    expect((await mails('list', '--limit', '1')).err).toContain('Only the newest 1 are shown');
  });

  test('that failed are retried', async () => {
    await issued();
    await cli.server.pool.query(`update compliance.mails set failed_at = now(), attempts = 14, last_error = 'the server is away' where shop_id = $1`, [
      cli.shopId,
    ]);
    const [mail]: ShopMail[] = JSON.parse((await mails('list', '--state', 'failed', '--json')).out);

    const first = await mails('retry', String(mail?.id));
    const twice = await mails('retry', String(mail?.id));

    expect(mail).toMatchObject({ attempts: 14, lastError: 'the server is away' });
    expect(first).toMatchObject({ code: 0, out: `The mail ${mail?.id} is due again; a running server sends it.\n` });
    expect(twice).toMatchObject({ code: 1, err: expect.stringContaining(`there is no failed mail ${mail?.id}`) });
    expect(JSON.parse((await mails('list', '--state', 'waiting', '--shop', cli.shopId, '--json')).out)).toMatchObject([{ id: mail?.id, attempts: 0 }]);
  });

  test.each([
    [['retry', '42'], 'there is no failed mail 42'],
    [['list', '--state', 'lost'], 'Allowed choices are waiting, sent, failed'],
    [['list', '--shop', '42'], 'there is no shop 42'],
  ])('%j is refused in words', async (args, words) => {
    expect(await mails(...args)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) });
  });
});
