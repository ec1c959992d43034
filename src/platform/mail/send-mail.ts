import type { Queryable } from '../postgres/postgres.ts';
import { type ClaimedMail, claimMail, dropMail, markOf, noteLight, noteTry, splitMail } from './claimed-mail.ts';
import type { MailResult, Message } from './mail-message.ts';
import type { Letter, MailBuilder, MailReport, Outbox, SendResult } from './outbox.ts';
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
 * Tries to send one mail of the outbox, each recipient's on its own. At least once: if the process or the network breaks between the server's yes and our
 * note of it, it goes out again, with the same Message-ID. One that is refused for its size is tried again at once, without attachments. Throws only if
 * the database fails; then the mail is due again after its lease.
 */
export async function sendMail(deps: SendDeps, id: string): Promise<SendResult> {
  const { pool, outbox, now } = deps;
  const mail = await claimMail(pool, outbox, { id, now: now() });
  if (mail === null) return { outcome: 'not-due' };
  const attempt = await tryMail(deps, mail);
  switch (attempt) {
    case 'taken':
      return { outcome: 'not-due' };
    case 'gone':
      await dropMail(pool, outbox, mail);
      return { outcome: 'dropped', kind: mail.kind };
  }
  if (attempt.end !== 'too-large') return conclude(deps, mail, attempt);
  await noteLight(pool, outbox, { mail, now: now(), error: attempt.why });
  return sendMail(deps, id);
}

/** `later`: the recipient could still get it. `delivered`: of the recipients that are known as hashes, those that have it. */
type Attempt = { end: 'sent' | 'later' | 'failed' | 'too-large'; delivered: readonly string[]; why: string | null };

/** `gone`: nobody is to get it any more. `taken`: another process has claimed it meanwhile. */
async function tryMail(deps: SendDeps, mail: ClaimedMail): Promise<Attempt | 'gone' | 'taken'> {
  const found = await made(deps, mail, (build) => build(mail.ref));
  if (found === null) return 'gone';
  if ('end' in found) return found;
  const address = await recipientOf(deps, mail, found);
  if (address === 'gone' || address === 'taken') return address;
  if (address === null) return nobodyLeft(mail, found);
  const message = await made(deps, mail, () => found.write({ address, light: mail.light }));
  if (message === null) return 'gone';
  return 'end' in message ? message : deliver(deps, mail, { ...message, to: [address] });
}

// A row that a newer release wrote, or content that can't be read now, waits as if the mail server were down.
async function made<Made>({ builders, report }: SendDeps, mail: ClaimedMail, make: (build: MailBuilder) => Promise<Made>): Promise<Made | Attempt> {
  const { kind, delivered } = mail;
  const build = Object.hasOwn(builders, kind) ? builders[kind] : undefined;
  if (build === undefined) return { end: 'later', delivered, why: `this release does not know mails of the kind ${kind}` };
  try {
    return await make(build);
  } catch (thrown) {
    report.notMade(thrown, mail);
    return { end: 'later', delivered, why: 'the mail could not be made; the log says why' };
  }
}

/** Whose mail this is; null: everybody has it. Before the first try it may be that of several: then the others get mails of their own. */
async function recipientOf({ pool, outbox, now }: SendDeps, mail: ClaimedMail, { to }: Letter): Promise<string | 'gone' | 'taken' | null> {
  const { id, delivered, recipient } = mail;
  if (recipient !== null) return to.find((address) => markOf(id, address) === recipient) ?? 'gone';
  const each = [...new Map(to.map((address) => [address.toLowerCase(), address])).values()];
  const left = each.filter((address) => !delivered.includes(markOf(id, address)));
  const [first] = left;
  if (first === undefined) return null;
  if (each.length === 1 || (await splitMail(pool, outbox, { mail, to: left, now: now() }))) return first;
  return 'taken';
}

function nobodyLeft({ delivered }: ClaimedMail, { to }: Letter): Attempt {
  return delivered.length > 0 ? { end: 'sent', delivered, why: null } : { end: 'failed', delivered, why: to.length === 0 ? 'the mail has no recipient' : null };
}

async function deliver({ transport, report }: SendDeps, mail: ClaimedMail, message: Message): Promise<Attempt> {
  const { id, delivered, light } = mail;
  try {
    const { accepted, refused, why, tooLarge } = await transport.send(message, id);
    if (accepted.length > 0) return { end: 'sent', delivered: [...delivered, ...accepted.map((address) => markOf(id, address))], why: light ? LIGHT : why };
    if (tooLarge === true && !light) return { end: 'too-large', delivered, why };
    return { end: refused.some(({ permanent }) => !permanent) ? 'later' : 'failed', delivered, why };
  } catch (thrown) {
    report.notHandedOver(thrown, mail);
    return { end: 'later', delivered, why: 'the mail could not be handed over; the log says why' };
  }
}

const LIGHT = 'it went without attachments, because the mail server refused its size';

async function conclude({ pool, outbox, now }: SendDeps, mail: ClaimedMail, { end, delivered, why }: Attempt): Promise<SendResult> {
  const at = now();
  const { kind, attempts } = mail;
  const nextAt = end === 'later' ? nextTry(attempts, at) : null;
  if (nextAt !== null) {
    await noteTry(pool, outbox, { mail, state: 'later', now: at, nextAt, delivered, error: why });
    return { outcome: 'later', kind, attempts, why: why ?? '', nextAt: nextAt.toISOString() };
  }
  const outcome = end === 'sent' ? 'sent' : 'failed';
  await noteTry(pool, outbox, { mail, state: outcome, now: at, nextAt: null, delivered, error: why });
  return { outcome, kind, attempts, why };
}
