import { z } from 'zod';
import { embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import { type MonthMailDeps, monthMails } from '../../../src/service/audit/month/month-mail.ts';
import { shopMails } from '../../../src/service/mail/shop-mails.ts';
import { transportTo } from '../samples/sample-mail.ts';
import type { SmtpHandle } from '../servers/smtp-server.ts';
import type { AuditWorld } from './audit-world.ts';
import { mailJobs } from './mail-jobs.ts';
import { auditDeps } from './october.ts';
import { readerOf } from './reader.ts';

/** The CSV as it is downloaded. */
export async function bookkeepingOf(w: AuditWorld): Promise<Buffer> {
  const { body } = await readerOf(w.server.baseUrl, w.credentials)('/audit-files');
  const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(body);
  const headers = { 'x-api-key': w.credentials.apiKey, 'x-signature': sign('', w.credentials.apiSecret, embeddedDialect) };
  const answer = await fetch(`${w.server.baseUrl}/service/v1/audit-files/${items[0]?.id}/bookkeeping-csv`, { headers });
  return Buffer.from(await answer.arrayBuffer());
}

function mailerTo({ url }: Pick<SmtpHandle, 'url'>, w: AuditWorld, deps: Partial<MonthMailDeps> = {}) {
  const builders = monthMails({ ...auditDeps(w), ...deps });
  return mailJobs({ pool: w.server.pool, outbox: shopMails, transport: transportTo(url), builders, now: w.now });
}

/** Sends all mails that are due. */
export async function sendTo(smtp: SmtpHandle, w: AuditWorld, deps: Partial<MonthMailDeps> = {}) {
  const mailer = mailerTo(smtp, w, deps);
  const results = [];
  for (let due = await mailer.due(10); due.length > 0; due = await mailer.due(10)) {
    for (const id of due) results.push(await mailer.send(id));
  }
  return results;
}

/** Sends the first mail that is due, and leaves the others. */
export async function sendOne(smtp: SmtpHandle, w: AuditWorld) {
  const mailer = mailerTo(smtp, w);
  return Promise.all((await mailer.due(1)).map((id) => mailer.send(id)));
}

/** The mail to an address, as it was sent. */
export const textFor = ({ taken }: SmtpHandle, address: string) => taken.find(({ to }) => to.includes(address))?.text ?? '';
