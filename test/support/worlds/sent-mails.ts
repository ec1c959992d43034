import type { Message } from '../../../src/platform/mail/mail-message.ts';
import { shopMails } from '../../../src/service/mail/shop-mails.ts';
import { mailJobs } from './mail-jobs.ts';
import type { PortalWorld } from './portal-world.ts';

/** The mails of our service that go out now, and those that they are split into; each is taken. */
export async function sentMails({ server, now }: Pick<PortalWorld, 'server' | 'now'>): Promise<Message[]> {
  const messages: Message[] = [];
  const transport = {
    send: async (message: Message) => {
      messages.push(message);
      return { accepted: message.to, refused: [], why: null };
    },
  };
  const mailer = mailJobs({ pool: server.pool, outbox: shopMails, transport, builders: server.service.mails, now });
  for (let due = await mailer.due(100); due.length > 0; due = await mailer.due(100)) for (const id of due) await mailer.send(id);
  return messages;
}
