import { expect, test } from 'vitest';
import { openMailTransport } from '../../src/platform/mail/mail-transport.ts';
import { verifyAuditFile } from '../../src/service/audit/format/verify-audit-file.ts';
import { generateMonth } from '../../src/service/audit/month/generate-month.ts';
import { MAIL_SIZES } from '../../src/service/audit/month/month-mail.ts';
import { failedMonthMails, VERSION_MAIL } from '../../src/service/audit/month/month-outbox.ts';
import { queueMail, shopMails } from '../../src/service/mail/shop-mails.ts';
import { importRates } from '../../src/service/rates/stored-rates.ts';
import { attachmentsOf, textOf } from '../support/samples/mail-parts.ts';
import { readZip } from '../support/samples/read-zip.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { refusal, type SmtpHandle, startSmtp } from '../support/servers/smtp-server.ts';
import { type AuditWorld, startAuditWorld } from '../support/worlds/audit-world.ts';
import { busyMonthOrder } from '../support/worlds/busy-month.ts';
import { mailJobs } from '../support/worlds/mail-jobs.ts';
import { auditDeps, contentOf, NOVEMBER_IN_TERM, OCTOBER, october } from '../support/worlds/october.ts';
import { someAtOnce } from '../support/worlds/some-at-once.ts';

const ORDERS = 10_000;

test(`a month of ${ORDERS} orders of every kind is valid, its sums are the database’s to the cent, and its mail arrives`, {
  timeout: 600_000,
}, async () => {
  await using postgres = await startPostgres('service');
  await using w = await startAuditWorld(postgres.url, OCTOBER, { monthMail: { sizes: MAIL_SIZES } });
  await sold(w, ORDERS);

  const generation = await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10' });

  const bytes = await contentOf(w, generation);
  const verified = await verifyAuditFile(bytes);
  expect(verified.findings.filter(({ level }) => level === 'error')).toEqual([]);
  const { rows } = await w.server.pool.query(
    `select count(*)::int as orders, sum(accounting_total)::text as total, sum(accounting_vat)::text as vat from compliance.orders where month = '2026-10-01'`,
  );
  expect(rows[0]).toMatchObject({ orders: ORDERS });
  expect(verified.sums).toMatchObject({ ...rows[0], returns: 1, returned: '59.45' });
  await arrivesInTenMegabytes(w, bytes);
  await isToldWithoutRoom(w);
});

/** October's orders, one from May that is returned, and the rates of each day. */
async function sold(w: AuditWorld, orders: number): Promise<void> {
  await importRates(w.server.pool, {
    rates: Array.from({ length: 20 }, (_, i) => ratesOf(`2026-10-${String(i + 1).padStart(2, '0')}`)).flat(),
    now: w.now(),
  });
  w.setClock('2026-10-29T10:00:00Z');
  await importRates(w.server.pool, { rates: Array.from({ length: 9 }, (_, i) => ratesOf(`2026-10-${i + 21}`)).flat(), now: w.now() });
  const filed = await w.create(october(0, { internalCreatedAt: '2026-05-05T10:00:00+03:00' }));
  await w.server.pool.query(`update compliance.orders set month = '2026-05-01' where id = $1`, [filed.id]);
  await w.remove(filed.id);
  await someAtOnce(
    Array.from({ length: orders }, (_, n) => n),
    100,
    (n) => w.create(busyMonthOrder(n, '2026-10')),
  );
  w.setClock(NOVEMBER_IN_TERM);
}

async function sendMonth(w: AuditWorld, smtp: SmtpHandle, tells: string) {
  const id = (await w.server.pool.query('select id from compliance.audit_files')).rows[0]?.id;
  await queueMail(w.server.pool, { kind: VERSION_MAIL, ref: { fileId: id }, shopId: w.shopId, dedupKey: tells, now: w.now() });
  const transport = openMailTransport({ smtpUrl: smtp.url, from: 'audit@service.example', outboxDir: '/nowhere' });
  const mailer = mailJobs({ pool: w.server.pool, outbox: shopMails, transport, builders: w.server.service.mails, now: w.now });
  return await Promise.all((await mailer.due(10)).map(mailer.send));
}

/** D2: a server that takes 10 MB gets the whole month. */
async function arrivesInTenMegabytes(w: AuditWorld, xml: Buffer): Promise<void> {
  await using smtp = await startSmtp({ options: { size: 10_000_000 } });

  expect(await sendMonth(w, smtp, 'ten')).toMatchObject([{ outcome: 'sent', attempts: 1 }]);

  const mail = smtp.taken[0]?.text ?? '';
  expect(mail.length).toBeLessThan(8 * 1024 * 1024);
  const files = readZip(attachmentsOf(mail).get('audit_RF0000123_2026-10_v1.zip') ?? Buffer.alloc(0));
  expect([...files.keys()]).toEqual(['audit_RF0000123_2026-10_v1.xml', 'audit_RF0000123_2026-10_v1.csv', 'bookkeeping_RF0000123_2026-10_v1.csv']);
  expect(files.get('audit_RF0000123_2026-10_v1.xml')?.equals(xml)).toBe(true);
}

/** D2: from one that takes almost nothing the merchant hears how to get it; from one that takes nothing, who runs the service does. */
async function isToldWithoutRoom(w: AuditWorld): Promise<void> {
  await using small = await startSmtp({ onMail: ({ text }) => void (text.length > 100_000 && full()) });
  await using none = await startSmtp({ onMail: full });

  expect(await sendMonth(w, small, 'small')).toMatchObject([{ outcome: 'sent', attempts: 2 }]);
  expect(textOf(small.taken[0]?.text ?? '')).toContain('Файлът е твърде голям за писмо.');
  expect(await failedMonthMails(w.server.pool)).toEqual([]);
  expect(await sendMonth(w, none, 'none')).toMatchObject([{ outcome: 'failed' }]);
  expect(await failedMonthMails(w.server.pool)).toMatchObject([{ month: '2026-10', mails: 1 }]);
}

function full(): never {
  throw refusal(552, '5.3.4 message too big');
}

function ratesOf(publishedOn: string) {
  const rate = { base: 'EUR', multiply: '1', publishedOn, source: 'BNB' } as const;
  return [
    { ...rate, currency: 'USD', divide: '1.1761' },
    { ...rate, currency: 'JPY', divide: '181.23' },
  ];
}
