import { describe, expect, test } from 'vitest';
import { encodedBytes } from '../../../src/platform/mail/mail-message.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import { filesForMail } from '../../../src/service/audit/month/month-mail.ts';
import { failedMonthMails } from '../../../src/service/audit/month/month-outbox.ts';
import { readVersion } from '../../../src/service/audit/month/read-versions.ts';
import { attachmentsOf, textOf } from '../../support/samples/mail-parts.ts';
import { readZip } from '../../support/samples/read-zip.ts';
import { refusal, startSmtp } from '../../support/servers/smtp-server.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { bookkeepingOf, sendOne, sendTo, textFor } from '../../support/worlds/sent-months.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const ACCOUNTANT = 'accountant@books.example';
const XML = 'audit_RF0000123_2026-10_v1.xml';
const ZIP = 'audit_RF0000123_2026-10_v1.zip';
const CSV = 'audit_RF0000123_2026-10_v1.csv';
const BOOKKEEPING = 'bookkeeping_RF0000123_2026-10_v1.csv';
const PAGE = 'spravka_2026-10.html';

/** October of a shop with an accountant, its file made and its mail queued. */
async function madeOctober(orders = 30): Promise<AuditWorld> {
  const w = await worlds.audit(OCTOBER);
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
  for (let n = 1; n <= orders; n += 1) await w.create(october(n));
  w.setClock(NOVEMBER_IN_TERM);
  await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
  return w;
}

describe('D2: the mail of a month', () => {
  test('has XML, both CSVs and page as they are while they are small, one mail for each recipient', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();

    await sendTo(smtp, w, { replyTo: 'operator@service.example' });

    expect(smtp.taken.map(({ to }) => to.join()).toSorted()).toEqual([ACCOUNTANT, 'shop@cups.example']);
    for (const { text } of smtp.taken) {
      expect([...attachmentsOf(text).keys()]).toEqual([XML, CSV, BOOKKEEPING, PAGE]);
      expect(attachmentsOf(text).get(BOOKKEEPING)).toEqual(await bookkeepingOf(w));
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
    expect([...files.keys()]).toEqual([XML, CSV, BOOKKEEPING]);
    expect(files.get(BOOKKEEPING)).toEqual(await bookkeepingOf(w));
    expect(files.get(XML)?.toString('latin1')).toMatch(/<ord_n>#30<\/ord_n>[\s\S]*<\/audit>\s*$/);
    expect(files.get(CSV)?.toString('utf8')).toContain('#30');
    expect(textOf(text)).toMatch(
      /Файлът е в архив[\s\S]+не самия архив\. В архива са и CSV файловете: с поръчките и за счетоводството\.[\s\S]+Какво да направите сега/,
    );
    expect(textOf(text)).toContain(`Запазете XML файла „${XML}“ от архива „${ZIP}“`);
  });

  test('leaves out the CSV of the orders if the archive has no room for it, then that of the sums, then all', async () => {
    await using w = await madeOctober();
    const file = await readVersion(w.server.pool, { shopId: w.shopId, month: '2026-10' });
    if (file === null) throw new Error('no file was made');
    const filesWithin = (whole: number) => filesForMail(w.server.pool, { file, name: XML, sizes: { whole, plain: 1 }, beside: 0 });
    const both = await filesWithin(8_000_000);
    const bytes = both?.attachments[0]?.content;
    if (!Buffer.isBuffer(bytes)) throw new Error('the archive is not in memory');

    const fewer = await filesWithin(encodedBytes(bytes.byteLength) - 100);
    const [name, rest] = [fewer?.attachments[0]?.filename, fewer?.attachments[0]?.content];
    if (!Buffer.isBuffer(rest)) throw new Error('the archive is not in memory');
    const alone = await filesWithin(encodedBytes(rest.byteLength) - 100);
    const none = await filesWithin(1_000);

    expect(both).toMatchObject({ kind: 'zip', withoutCsv: false, bookkeeping: true });
    expect(fewer).toMatchObject({ kind: 'zip', withoutCsv: true, bookkeeping: true });
    expect([name, ...readZip(rest).keys()]).toEqual([ZIP, XML, BOOKKEEPING]);
    expect(alone).toMatchObject({ kind: 'zip', withoutCsv: true, bookkeeping: false, attachments: [{ filename: ZIP }] });
    expect(none).toBeNull();
  });

  test('without the file tells how to get it', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();

    await sendTo(smtp, w, { sizes: { whole: 1_000, plain: 1 } });

    const text = textFor(smtp, ACCOUNTANT);
    expect([...attachmentsOf(text).keys()]).toEqual([]);
    expect(textOf(text)).toContain('Поискайте го, като отговорите на писмото');
    expect(textOf(text)).not.toMatch(/orderbridge|[0-9a-f]{8}-[0-9a-f]{4}-/);
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

describe('a mail of a version that goes out late', () => {
  const month = (w: AuditWorld) => ({ shopId: w.shopId, month: '2026-10' });
  const NOT_AS_IT_WAS = 'приложен към писмото';

  test('tells of the version that counts by then', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();
    await w.create(october(31));
    await generateMonth(auditDeps(w), month(w));

    await sendTo(smtp, w);

    const text = textFor(smtp, ACCOUNTANT);
    expect([...attachmentsOf(text).keys()]).toEqual([...[XML, CSV, BOOKKEEPING].map((name) => name.replace('_v1', '_v2')), PAGE]);
    expect(textOf(text)).not.toContain(XML);
  });

  test('is dropped if that one has a mail of its own', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();
    await w.create(october(31));
    await w.server.service.work.serveMonth(month(w));

    const results = await sendTo(smtp, w);

    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['dropped', 'sent', 'sent']);
    expect(smtp.taken.map(({ text }) => [...attachmentsOf(text).keys()][0])).toEqual(Array(2).fill(XML.replace('_v1', '_v2')));
  });

  test('says that the month is filed, or that the agency found errors, if it is so by then', async () => {
    await using w = await madeOctober();
    await using smtp = await startSmtp();
    const { pool } = w.server;
    await markFiled(pool, { ...month(w), version: null, now: w.now(), incomingNumber: '1234567' });
    const [first] = await sendOne(smtp, w);
    await markRejected(pool, { ...month(w), words: 'грешка в ред 7' });
    const [second] = await sendOne(smtp, w);

    expect([first, second]).toMatchObject([{ outcome: 'sent' }, { outcome: 'sent' }]);
    const [filed, rejected] = smtp.taken.map(({ text }) => textOf(text));
    expect(filed).toMatch(/Подаден[\s\S]+1234567/);
    expect(filed).not.toContain(NOT_AS_IT_WAS);
    expect(rejected).toContain('грешка в ред 7');
  });

  test('says why there is no file if its orders are gone by then', async () => {
    await using w = await worlds.audit(OCTOBER);
    await using smtp = await startSmtp();
    const { id } = await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.server.service.work.serveMonth(month(w));
    await w.remove(id);
    await generateMonth(auditDeps(w), { ...month(w), now: true });

    await sendTo(smtp, w);

    expect(smtp.taken.map(({ text }) => [...attachmentsOf(text).keys()])).toEqual([[PAGE]]);
    expect(textOf(textFor(smtp, 'shop@cups.example'))).toContain('НЯМА ПОРЪЧКИ');
  });
});
