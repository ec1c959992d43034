import { createHash } from 'node:crypto';
import type { Queryable } from '../postgres/postgres.ts';
import { type ClaimedMail, claimMail, dropMail, noteTry } from './claimed-mail.ts';
import type { MailResult, Message } from './mail-message.ts';
import type { MailBuilder, MailReport, Outbox, SendResult } from './outbox.ts';
import { nextTry } from './retry-plan.ts';

/** The part of a mail transport that is needed here. */
export type MailSender = { send(message: Message, id: string): Promise<MailResult> };

export type SendDeps = {
  pool: Queryable;
  outbox: Outbox;
  transport: MailSender;
  /** By the kinds of the mails. */
  builders: Readonly<Record<string, MailBuilder>>;
  report: MailReport;
  now: () => Date;
};

/**
 * Tries to send one mail of the outbox. At least once: if the process or the network breaks between the server's yes and our note of it, it goes
 * out again, with the same Message-ID. Throws only if the database fails; then the mail is due again after its lease.
 */
export async function sendMail(deps: SendDeps, id: string): Promise<SendResult> {
  const mail = await claimMail(deps.pool, deps.outbox, { id, now: deps.now() });
  if (mail === null) return { outcome: 'not-due' };
  const made = await make(deps, mail);
  if (made === null) {
    await dropMail(deps.pool, deps.outbox, mail);
    return { outcome: 'dropped', kind: mail.kind };
  }
  const attempt = 'why' in made ? made : await deliver(deps, mail, made);
  return conclude(deps, mail, attempt);
}

/** `open`: a recipient could still get it later. */
type Attempt = { delivered: readonly string[]; open: boolean; why: string | null };

// A row that a newer release wrote, or content that can't be read now, waits as if the mail server were down.
async function make({ builders, report }: SendDeps, mail: ClaimedMail): Promise<Message | Attempt | null> {
  const { kind, ref, delivered } = mail;
  const build = Object.hasOwn(builders, kind) ? builders[kind] : undefined;
  if (build === undefined) return { delivered, open: true, why: `this release does not know mails of the kind ${kind}` };
  try {
    return await build(ref);
  } catch (thrown) {
    report.notMade(thrown, mail);
    return { delivered, open: true, why: 'the mail could not be made; the log says why' };
  }
}

async function deliver({ transport, report }: SendDeps, mail: ClaimedMail, message: Message): Promise<Attempt> {
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
    report.notHandedOver(thrown, mail);
    return { delivered, open: true, why: 'the mail could not be handed over; the log says why' };
  }
}

// A mail that some recipients will never get counts as sent, with a remark; one that no recipient got has failed.
async function conclude({ pool, outbox, now }: SendDeps, mail: ClaimedMail, { delivered, open, why }: Attempt): Promise<SendResult> {
  const at = now();
  const { kind, attempts } = mail;
  const nextAt = open ? nextTry(attempts, at) : null;
  if (nextAt !== null) {
    await noteTry(pool, outbox, { mail, state: 'later', now: at, nextAt, delivered, error: why });
    return { outcome: 'later', kind, attempts, why: why ?? '', nextAt: nextAt.toISOString() };
  }
  const outcome = delivered.length > 0 ? 'sent' : 'failed';
  await noteTry(pool, outbox, { mail, state: outcome, now: at, nextAt: null, delivered, error: why });
  return { outcome, kind, attempts, why };
}

// Which recipient has it, without keeping his address.
function mark(id: string, address: string): string {
  return createHash('sha256').update(`${id}/${address.toLowerCase()}`).digest('hex').slice(0, 32);
}
