import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { shopMails } from '../../../src/service/mail/shop-mails.ts';
import { receiptMailBuilder } from '../../../src/service/receipts/receipt-mail.ts';
import { mailReport } from '../../../src/service/service-events.ts';
import { transportTo } from '../../support/samples/sample-mail.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { refusal, type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type MailJobs, mailJobs } from '../../support/worlds/mail-jobs.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let smtp: SmtpHandle;
let refuses: boolean;
let lines: string[];
let mailer: MailJobs;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
  smtp = await startSmtp({
    onRecipient: (address) => {
      if (refuses) throw refusal(550, `no such user ${address}`);
    },
  });
});
beforeEach(async () => {
  refuses = false;
  lines = [];
  smtp.taken.length = 0;
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
  mailer = mailJobs({
    pool: server.pool,
    outbox: shopMails,
    transport: transportTo(smtp.url),
    builders: { receipt: receiptMailBuilder(server.pool) },
    report: mailReport(log),
    now: () => new Date(),
  });
  call = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await smtp[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function order(changes: Record<string, unknown> = {}): Promise<string> {
  return String((await call('POST', '/order', { body: orderDto(shopId, changes) })).body['id']);
}

async function sendDue() {
  const ids = await mailer.due(10);
  return Promise.all(ids.map((id) => mailer.send(id)));
}

/** A part of a mail as it was before it was encoded. */
function part(text: string, type: string): string {
  const [, encoding, body = ''] =
    new RegExp(`Content-Type: ${type}[\\s\\S]*?Content-Transfer-Encoding: (\\S+)[\\s\\S]*?\\r?\\n\\r?\\n([\\s\\S]*?)\\r?\\n--`).exec(text) ?? [];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  const bytes = body.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

test('the buyer gets the document from the shop, with the QR code as a picture', async () => {
  const receipt = await call('POST', `/order/${await order()}/receipt`);

  const sent = await sendDue();

  expect(receipt).toMatchObject({ status: 200, body: { emailed: 'queued' } });
  expect(sent).toMatchObject([{ outcome: 'sent', kind: 'receipt' }]);
  const [mail] = smtp.taken;
  const number = String(receipt.body['documentNumber']);
  expect(mail?.to).toEqual(['ivan@buyer.example']);
  expect(mail?.text).toContain('Reply-To: shop@cups.example');
  expect(part(mail?.text ?? '', 'text/plain')).toContain(`№ ${number}`);
  expect(part(mail?.text ?? '', 'text/html')).toContain('src="cid:qr@receipt"');
  expect(part(mail?.text ?? '', 'image/gif')).toMatch(/^GIF8/);
  expect(mail?.text).toMatch(/Content-ID: <qr@receipt>/);
  expect(lines.join()).not.toContain('ivan');
});

test('a repeated request returns that the mail was sent, and sends nothing more', async () => {
  const orderId = await order();
  await call('POST', `/order/${orderId}/receipt`, { body: {} });
  await sendDue();

  const again = await call('POST', `/order/${orderId}/receipt`);

  expect(again.body['emailed']).toBe('sent');
  expect(await sendDue()).toEqual([]);
  expect(smtp.taken).toHaveLength(1);
});

test('a mail that failed for good is reported', async () => {
  refuses = true;
  const orderId = await order();
  await call('POST', `/order/${orderId}/receipt`);
  await sendDue();

  expect((await call('POST', `/order/${orderId}/receipt`)).body['emailed']).toBe('failed');
  expect(lines.join()).not.toContain('ivan');
});

test('nothing is mailed for an order that was deleted meanwhile', async () => {
  const orderId = await order();
  await call('POST', `/order/${orderId}/receipt`);
  await call('DELETE', `/order/${orderId}`);

  expect(await sendDue()).toEqual([{ outcome: 'dropped', kind: 'receipt' }]);
  expect(smtp.taken).toEqual([]);
});

test('deleting the shop deletes its mails', async () => {
  await call('POST', `/order/${await order()}/receipt`);
  await call('DELETE', `/shop/${shopId}`, { body: { name: shopDto().name } });

  expect(await sendDue()).toEqual([{ outcome: 'not-due' }]);
  expect(smtp.taken).toEqual([]);
});

test.each([
  [{ body: { again: true } }, 400, 'body-invalid'],
  [{ body: 'receipt' }, 400, 'body-not-json'],
])('a body that says something is refused: %j', async (sent, status, code) => {
  const answer = await call('POST', `/order/${await order()}/receipt`, sent);

  expect(answer).toMatchObject({ status, body: { type: `urn:compliance-service:problem:${code}` } });
});
