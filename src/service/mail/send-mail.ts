import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Delivery, Message } from '../../platform/mail/mail-message.ts';
import { mailNotHandedOver, mailNotMade } from '../service-events.ts';
import type { ServiceLog } from '../service-log.ts';
import { type ClaimedMail, claimMail, dropMail, settleMail } from './mail-outbox.ts';
import { nextTry } from './retry-plan.ts';

/** Makes the mail of a kind from its row's ids; null if what it tells of is gone. It is called for each try. */
export type MailBuilder = (ref: Readonly<Record<string, string | number>>) => Promise<Message | null>;

/** The part of a mail transport that is needed here. */
export type MailSender = { send(message: Message, id: string): Promise<Delivery> };

export type SendDeps = { pool: pg.Pool; transport: MailSender; builders: Readonly<Record<string, MailBuilder>>; log: ServiceLog; now: () => Date };

/** What became of a mail; `why` has no addresses. `not-due`: sent already, failed, or somebody else is at it. `dropped`: its subject is gone. */
export type SendResult =
  | { outcome: 'not-due' }
  | { outcome: 'dropped'; kind: string }
  | { outcome: 'sent' | 'failed'; kind: string; attempts: number; why: string | null }
  | { outcome: 'later'; kind: string; attempts: number; why: string; nextAt: string };

/**
 * Tries to send one mail of the outbox. At least once: if the process or the network breaks between the server's yes and our note of it, it goes
 * out again, with the same Message-ID. Throws only if the database fails; then the mail is due again after its lease.
 */
export async function sendMail(deps: SendDeps, id: string): Promise<SendResult> {
  const mail = await claimMail(deps.pool, id, deps.now());
  if (mail === null) return { outcome: 'not-due' };
  const made = await make(deps, mail);
  if (made === null) {
    await dropMail(deps.pool, mail);
    return { outcome: 'dropped', kind: mail.kind };
  }
  const attempt = 'why' in made ? made : await deliver(deps, mail, made);
  return settle(deps, mail, attempt);
}

/** `open` says that somebody could still get it later. */
type Attempt = { delivered: readonly string[]; open: boolean; why: string | null };

// A row that a newer release wrote, or content that can't be read now, waits like a mail server that is away.
async function make({ builders, log }: SendDeps, mail: ClaimedMail): Promise<Message | Attempt | null> {
  const { kind, ref, delivered } = mail;
  const build = Object.hasOwn(builders, kind) ? builders[kind] : undefined;
  if (build === undefined) return { delivered, open: true, why: `this release does not know mails of the kind ${kind}` };
  try {
    return await build(ref);
  } catch (thrown) {
    mailNotMade(log, thrown, mail);
    return { delivered, open: true, why: 'the mail could not be made; the log says why' };
  }
}

async function deliver({ transport, log }: SendDeps, mail: ClaimedMail, message: Message): Promise<Attempt> {
  const { id, delivered } = mail;
  const to = message.to.filter((address) => !delivered.includes(mark(id, address)));
  if (to.length === 0) return { delivered, open: false, why: message.to.length === 0 ? 'the mail has no recipient' : null };
  try {
    const { accepted, refused, why } = await transport.send({ ...message, to }, id);
    return {
      delivered: [...delivered, ...accepted.map((address) => mark(id, address))],
      open: refused.some(({ permanent }) => !permanent),
      why,
    };
  } catch (thrown) {
    mailNotHandedOver(log, thrown, mail);
    return { delivered, open: true, why: 'the mail could not be handed over; the log says why' };
  }
}

// A mail that one of many did not get for good counts as sent, with a word about it; one that nobody got has failed.
async function settle({ pool, now }: SendDeps, mail: ClaimedMail, { delivered, open, why }: Attempt): Promise<SendResult> {
  const at = now();
  const { kind, attempts } = mail;
  const nextAt = open ? nextTry(attempts, at) : null;
  if (nextAt !== null) {
    await settleMail(pool, mail, { state: 'later', now: at, nextAt, delivered, error: why });
    return { outcome: 'later', kind, attempts, why: why ?? '', nextAt: nextAt.toISOString() };
  }
  const outcome = delivered.length > 0 ? 'sent' : 'failed';
  await settleMail(pool, mail, { state: outcome, now: at, nextAt: null, delivered, error: why });
  return { outcome, kind, attempts, why };
}

// Which recipient has it, without keeping his address.
function mark(id: string, address: string): string {
  return createHash('sha256').update(`${id}/${address.toLowerCase()}`).digest('hex').slice(0, 32);
}
