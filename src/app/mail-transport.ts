import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Config, consoleUrl } from '../config/config.ts';
import type { EntryMail } from '../console/base/console-deps.ts';
import { type MailTransport, openMailTransport } from '../platform/mail/mail-transport.ts';

/** Limits of a mail for which somebody waits, in ms. */
export const WAITED_FOR = { connect: 10_000, silence: 20_000, whole: 30_000 };

/** What sends mails under this configuration. `timeouts` absent: those of mails for which nobody waits. */
export function mailTransport({ mail, dataDir, trustedHttpHosts }: Config, timeouts: { timeouts?: typeof WAITED_FOR } = {}): MailTransport {
  return openMailTransport({ smtpUrl: mail.smtpUrl?.reveal() ?? null, from: mail.from, outboxDir: mailFiles({ dataDir }), trustedHttpHosts, ...timeouts });
}

/** The folder of mails that are files, as there is no mail server. */
export function mailFiles({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'outbox');
}

/** Sends a mail to somebody of the console; why it could not be sent, or null. Null instead: there is no mail server, or no address that a mail could name. */
export function entryMailer(config: Config): ((mail: EntryMail) => Promise<string | null>) | null {
  if (config.mail.smtpUrl === null || consoleUrl(config) === null) return null;
  const transport = mailTransport(config, { timeouts: WAITED_FOR });
  return async ({ to, ...content }) => {
    const mail = { ...content, to: [to], replyTo: null, senderName: null, html: null, attachments: [], images: [] };
    return (await transport.send(mail, randomUUID())).why;
  };
}
