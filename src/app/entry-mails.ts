import { randomUUID } from 'node:crypto';
import { type Config, consoleUrl } from '../config/config.ts';
import type { EntryMail } from '../console/base/console-deps.ts';
import { mailTransport, WAITED_FOR } from './mail-transport.ts';

/** Sends a mail to somebody of the console; why it could not be sent, or null. Null instead: there is no mail server, or no address that a mail could name. */
export function entryMailer(config: Config): ((mail: EntryMail) => Promise<string | null>) | null {
  if (config.mail.smtpUrl === null || consoleUrl(config) === null) return null;
  const transport = mailTransport(config, { timeouts: WAITED_FOR });
  return async ({ to, ...content }) => {
    const mail = { ...content, to: [to], replyTo: null, senderName: null, html: null, attachments: [], images: [] };
    return (await transport.send(mail, randomUUID())).why;
  };
}
