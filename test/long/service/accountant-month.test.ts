import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { companyIds } from '../../support/samples/company-ids.ts';
import { textOf } from '../../support/samples/mail-parts.ts';
import { startKillable } from '../../support/servers/killable-program.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type SmtpHandle, startSmtp, type TakenMail } from '../../support/servers/smtp-server.ts';
import { startAuditWorld } from '../../support/worlds/audit-world.ts';
import { orderDto } from '../../support/worlds/compliance-caller.ts';
import { OCTOBER, october } from '../../support/worlds/october.ts';
import { until } from '../../support/worlds/settled.ts';

const COMPANIES = 30;
const ACCOUNTANT = 'accountant@books.example';
const SHIFTED = pathToFileURL(join(import.meta.dirname, '../../support/kills/shifted-clock.mjs')).href;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** An order of October in the shop of each company; the file of every third is made on a day of its own. */
async function startShops(databaseUrl: string) {
  const w = await startAuditWorld(databaseUrl, OCTOBER);
  await w.server.pool.query('delete from compliance.shops');
  for (const [n, companyUic] of companyIds(COMPANIES).entries()) {
    const company = { companyUic, companyName: `Фирма ${n}`, name: `Магазин ${n}`, customerEmail: `shop${n}@cups.example` };
    const shopId = await w.newShop({ ...company, auditRecipientEmails: [ACCOUNTANT], auditGenerationDay: n % 3 === 0 ? 1 + (n % 10) : 10 });
    const { status } = await w.call('POST', '/order', { body: orderDto(shopId, october(1)) });
    expect(status).toBe(200);
  }
  return w;
}

/** Two programs that send mails, by whose clock it is that moment. */
function startTwo({ databaseUrl, smtp, at }: { databaseUrl: string; smtp: SmtpHandle; at: string }) {
  const env = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'audit@service.example',
    SERVICE_PUBLIC_URL: 'http://127.0.0.1:9/books',
    NODE_OPTIONS: `--import ${SHIFTED}`,
    CLOCK_SHIFT_MS: String(Date.parse(at) - Date.now()),
  };
  const one = () => startKillable({ databaseUrl, complianceUrl: 'http://127.0.0.1:9', idempotencyKey: 'supported', role: 'compliance', env });
  return Promise.all([one(), one()]);
}

/** Mails by what they are about, each once: what a program was killed over may go out again, with the same Message-ID. */
function mailsTo(smtp: SmtpHandle, isWanted: (mail: TakenMail) => boolean): TakenMail[] {
  const idOf = ({ text }: TakenMail) => /^Message-ID: (.+)$/im.exec(text)?.[1];
  return [...new Map(smtp.taken.filter(isWanted).map((mail) => [idOf(mail), mail])).values()];
}

test('thirty companies of one accountant: one mail of the month and one reminder, with two workers that are killed in the middle', async () => {
  const databaseUrl = await postgres.createDatabase();
  await using smtp = await startSmtp();
  await using w = await startShops(databaseUrl);
  const { pool } = w.server;
  const toAccountant = () => mailsTo(smtp, ({ to }) => to.includes(ACCOUNTANT));
  const isOver = async () => (await pool.query('select from compliance.mails where sent_at is null')).rowCount === 0;
  const month = async (at: string, mails: number, killedAt: number | null) => {
    const [one, two] = await startTwo({ databaseUrl, smtp, at });
    await using _ = one;
    await using __ = two;
    if (killedAt === null) {
      await until(async () => toAccountant().length >= mails && (await isOver()), { what: `mail ${mails} of the accountant`, timeoutMs: 120_000 });
      return;
    }
    await until(() => smtp.taken.length >= killedAt, { what: 'the middle', timeoutMs: 120_000 });
    await Promise.all([one.kill(), two.kill()]);
    await pool.query('update jobs set due_at = now() where lease is not null');
  };

  await month('2026-11-10T10:00:00Z', 1, 12);
  await month('2026-11-10T10:00:00Z', 1, null);
  const [mail] = toAccountant();
  const own = mailsTo(smtp, ({ to }) => !to.includes(ACCOUNTANT)).map(({ to }) => to[0]);
  await month('2026-11-12T10:00:00Z', 2, 40);
  await month('2026-11-12T10:00:00Z', 2, null);
  await month('2026-11-13T10:00:00Z', 2, null);

  expect(own.toSorted()).toEqual(Array.from({ length: COMPANIES }, (_, n) => `shop${n}@cups.example`).toSorted());
  const text = textOf(mail?.text ?? '');
  for (let n = 0; n < COMPANIES; n += 1) expect(text).toContain(`Фирма ${n}, Магазин ${n},`);
  expect(new Set(text.match(/http:\S+\/months\/[\w-]+/g)).size).toBe(COMPANIES);
  expect(toAccountant()).toHaveLength(2);
  expect(textOf(toAccountant()[1]?.text ?? '')).toContain('Готов за подаване: 30');
  expect(mailsTo(smtp, () => true)).toHaveLength(2 * (COMPANIES + 1));
});
