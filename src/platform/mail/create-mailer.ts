import { dueMails } from './claimed-mail.ts';
import type { SendResult } from './outbox.ts';
import { type SendDeps, sendMail } from './send-mail.ts';

export type Mailer = {
  /** Ids of mails that are due, the longest waiting first. */
  due(limit: number): Promise<string[]>;
  /** Tries to send one; harmless for one that is sent, deleted, or being sent. Throws only if the database fails. */
  send(id: string): Promise<SendResult>;
};

/** Sends the mails of an outbox. Several processes may do so at once; each mail is tried by one of them. */
export function createMailer(deps: SendDeps): Mailer {
  return {
    due: (limit) => dueMails(deps.pool, deps.outbox, { now: deps.now(), limit }),
    send: (id) => sendMail(deps, id),
  };
}
