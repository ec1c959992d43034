import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailer } from '../../../src/platform/mail/create-mailer.ts';
import { encodedBytes } from '../../../src/platform/mail/mail-message.ts';
import { failedMonthMails } from '../../../src/service/audit/month/failed-mails.ts';
import { filesForMail } from '../../../src/service/audit/month/mail-files.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import { type MonthMailDeps, monthMails } from '../../../src/service/audit/month/month-mail.ts';
import { readVersion } from '../../../src/service/audit/month/read-versions.ts';
import { shopMails } from '../../../src/service/mail/shop-mails.ts';
import { attachmentsOf, textOf } from '../../support/samples/mail-parts.ts';
import { readZip } from '../../support/samples/read-zip.ts';
import { transportTo } from '../../support/samples/sample-mail.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { refusal, type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import { type AuditWorld, startAuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { silentReport } from '../../support/worlds/silent-report.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const ACCOUNTANT = 'accountant@books.example';
const XML = 'audit_RF0000123_2026-10_v1.xml';
const ZIP = 'audit_RF0000123_2026-10_v1.zip';
const CSV = 'audit_RF0000123_2026-10_v1.csv';
const PAGE = 'spravka_2026-10.html';

/** October of a shop with an accountant, its file made and its mail queued. */
async function madeOctober(orders = 30): Promise<AuditWorld> {
  const w = await startAuditWorld(await postgres.createDatabase(), OCTOBER);
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
  for (let n = 1; n <= orders; n += 1) await w.create(october(n));
  w.setClock(NOVEMBER_IN_TERM);
  await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
  return w;
}

async function sendTo({ url }: Pick<SmtpHandle, 'url'>, w: AuditWorld, deps: Partial<MonthMailDeps> = {}) {
  const builders = monthMails({ ...auditDeps(w), ...deps });
  const mailer = createMailer({ pool: w.server.pool, outbox: shopMails, transport: transportTo(url), builders, report: silentReport, now: w.now });
  const results = [];
  for (let due = await mailer.due(10); due.length > 0; due = await mailer.due(10)) {
    for (const id of due) results.push(await mailer.send(id));
  }
  return results;
}

const textFor = ({ taken }: SmtpHandle, address: string) => taken.find(({ to }) => to.includes(address))?.text ?? '';

describe('D2: the mail of a month', () => {
  test('has XML, CSV and page as they are while they are small, one mail for each recipient', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();

    await sendTo(smtp, w, { replyTo: 'operator@service.example' });

    expect(smtp.taken.map(({ to }) => to.join()).toSorted()).toEqual([ACCOUNTANT, 'shop@cups.example']);
    for (const { text } of smtp.taken) {
      expect([...attachmentsOf(text).keys()]).toEqual([XML, CSV, PAGE]);
      expect(text).toMatch(/^Reply-To: operator@service\.example\r?$/m);
      expect(textOf(text)).not.toContain('архив');
    }
  });

  test('beyond that has an archive that Windows opens, and says so first', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();

    await sendTo(smtp, w, { sizes: { whole: 8_000_000, plain: 20_000 } });

    const text = textFor(smtp, ACCOUNTANT);
    const parts = attachmentsOf(text);
    expect([...parts.keys()]).toEqual([ZIP, PAGE]);
    const files = readZip(parts.get(ZIP) ?? Buffer.alloc(0));
    expect([...files.keys()]).toEqual([XML, CSV]);
    expect(files.get(XML)?.toString('latin1')).toMatch(/<ord_n>#30<\/ord_n>[\s\S]*<\/audit>\s*$/);
    expect(files.get(CSV)?.toString('utf8')).toContain('#30');
    expect(textOf(text)).toMatch(/Файлът е в архив[\s\S]+не самия архив\. В архива е и CSV файлът\.[\s\S]+Какво да направите сега/);
    expect(textOf(text)).toContain(`Запазете XML файла „${XML}“ от архива „${ZIP}“`);
  });

  test('leaves out the CSV if the archive has no room for it, then all', async () => {
    await using w = await madeOctober();
    const file = await readVersion(w.server.pool, { shopId: w.shopId, month: '2026-10' });
    if (file === null) throw new Error('no file was made');
    const within = (whole: number) => filesForMail(w.server.pool, { file, name: XML, sizes: { whole, plain: 1 }, beside: 0 });
    const both = await within(8_000_000);
    const bytes = both?.attachments[0]?.content;
    if (!Buffer.isBuffer(bytes)) throw new Error('the archive is not in memory');

    const alone = await within(encodedBytes(bytes.byteLength) - 100);
    const none = await within(1_000);

    expect(both).toMatchObject({ kind: 'zip', withoutCsv: false });
    expect(alone).toMatchObject({ kind: 'zip', withoutCsv: true, attachments: [{ filename: ZIP }] });
    expect(none).toBeNull();
  });

  test('without the file tells how to get it', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();

    await sendTo(smtp, w, { sizes: { whole: 1_000, plain: 1 } });

    const text = textFor(smtp, ACCOUNTANT);
    expect([...attachmentsOf(text).keys()]).toEqual([]);
    expect(textOf(text)).toContain(`orderbridge service audit show --shop ${w.shopId} --month 2026-10 --version 1 --xml > ${XML}`);
    expect(textOf(text)).not.toContain('приложен към писмото');
  });

  test('that a server refuses for its size comes without attachments, with the recipient’s link', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp({ options: { size: 40_000 } });

    const results = await sendTo(smtp, w, { linkOf: async ({ address, month }) => `https://books.example/months/${month}-${address.split('@')[0]}` });

    expect(results).toMatchObject([{ outcome: 'sent' }, { outcome: 'sent' }]);
    const text = textFor(smtp, ACCOUNTANT);
    expect(attachmentsOf(text).size).toBe(0);
    expect(textOf(text)).toContain('Изтеглете го оттук: https://books.example/months/2026-10-accountant');
    expect(textFor(smtp, 'shop@cups.example')).not.toContain('2026-10-accountant');
    expect(await failedMonthMails(w.server.pool)).toEqual([]);
  });
});

describe('a mail about a month that arrives nowhere', () => {
  test('is named with its shop until the month is filed; an address that takes it gets it', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp({
      onRecipient: (address) => {
        if (address.startsWith('shop@')) throw refusal(550, 'no such user');
      },
    });

    await sendTo(smtp, w);
    const named = await failedMonthMails(w.server.pool);
    const { mails, monthMailsFailed } = await w.server.service.attention();
    await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-10', version: null, now: w.now() });

    expect(smtp.taken.map(({ to }) => to)).toEqual([[ACCOUNTANT]]);
    expect(named).toEqual([{ month: '2026-10', shop: 'Магазин за чаши', mails: 1, reached: true }]);
    expect({ failed: mails.failed, monthMailsFailed }).toEqual({ failed: 1, monthMailsFailed: 1 });
    expect(await failedMonthMails(w.server.pool)).toEqual([]);
  });

  test('even without attachments is named as one that reached nobody', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp({
      onMail: () => {
        throw refusal(552, 'no room for anything');
      },
    });

    const results = await sendTo(smtp, w);

    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(await failedMonthMails(w.server.pool)).toEqual([{ month: '2026-10', shop: 'Магазин за чаши', mails: 2, reached: false }]);
  });
});
