import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openMailTransport } from '../platform/mail/mail-transport.ts';

const TIMEOUTS = { connect: 10_000, silence: 20_000, whole: 30_000 };

type Mail = { to: string; subject: string; text: string };

/** Mails a link now, while somebody waits. Returns why it did not go; null: it went. Undefined: there is no mail server, or no address that a mail could name. */
export async function mailLink({ mail, publicUrl, dataDir, trustedHttpHosts }: Config, { to, ...content }: Mail): Promise<string | null | undefined> {
  if (mail.smtpUrl === null || publicUrl === null) return undefined;
  const where = { smtpUrl: mail.smtpUrl.reveal(), from: mail.from, outboxDir: join(dataDir, 'outbox') };
  const transport = openMailTransport({ ...where, trustedHttpHosts, timeouts: TIMEOUTS });
  const message = { ...content, to: [to], replyTo: mail.replyTo ?? null, senderName: null, html: null, attachments: [], images: [] };
  return (await transport.send(message, randomUUID())).why;
}
