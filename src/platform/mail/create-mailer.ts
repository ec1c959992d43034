import { createHash, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../postgres/read-rows.ts';
import type { MailResult, Message } from './mail-message.ts';
import type { Letter, MailBuilder, MailReport, Outbox, SendResult } from './outbox.ts';

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

/** The part of a mail transport that is needed here. */
export type MailSender = { send(message: Message, id: string): Promise<MailResult> };

type SendDeps = {
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
async function sendMail(deps: SendDeps, id: string): Promise<SendResult> {
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

const dueRows = rowsOf('mails', z.object({ id: z.string() }));

/** Ids of mails that are due, the longest waiting first. */
async function dueMails(db: Queryable, { schema }: Outbox, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await readRows(db, dueRows, { text: `select id from ${schema}.mails where next_at <= $1 order by next_at, id limit $2`, values: [now, limit] });
  return rows.map(({ id }) => id);
}

/** The lease of one try, longer than a try may take. If its process dies, the mail is due again after it. */
const LEASE_MS = 10 * 60_000;

const claimedMail = z.object({
  id: z.string(),
  kind: z.string(),
  ref: z.record(z.string(), z.union([z.string(), z.number()])),
  attempts: z.int(),
  delivered: z.array(z.string()),
  recipient: z.string().nullable(),
  light: z.boolean(),
});

const claimedMails = rowsOf('mails', claimedMail);

/** A mail that this process has claimed to send. */
type ClaimedMail = z.output<typeof claimedMail>;

/** Null if it is not due: sent, failed, deleted, or claimed by another process. Until it is known how the try ended, it has no error. */
export async function claimMail(db: Queryable, { schema }: Outbox, { id, now }: { id: string; now: Date }): Promise<ClaimedMail | null> {
  return readRow(db, claimedMails, {
    text: `update ${schema}.mails set next_at = $3, attempts = attempts + 1, last_error = null where id = $1 and next_at <= $2
     returning id, kind, ref, attempts, delivered, recipient, light`,
    values: [id, now, new Date(now.getTime() + LEASE_MS)],
  });
}

/** How a try of a claimed mail ended. `delivered`: all addresses that have it by now; `error` names no address. */
type TriedMail = {
  mail: ClaimedMail;
  state: 'sent' | 'later' | 'failed';
  now: Date;
  nextAt: Date | null;
  delivered: readonly string[];
  error: string | null;
};

/** Records how a try ended, unless another process has tried since. */
async function noteTry(db: Queryable, { schema }: Outbox, { mail, state, now, nextAt, delivered, error }: TriedMail): Promise<void> {
  await db.query(
    `update ${schema}.mails set next_at = $3, delivered = $4, last_error = $5, sent_at = case when $6 = 'sent' then $7::timestamptz end,
       failed_at = case when $6 = 'failed' then $7::timestamptz end
     where id = $1 and attempts = $2 and sent_at is null and failed_at is null`,
    [mail.id, mail.attempts, nextAt, delivered, error, state, now],
  );
}

/** Deletes a mail whose subject is deleted. */
async function dropMail(db: Queryable, { schema }: Outbox, { id }: ClaimedMail): Promise<void> {
  await db.query(`delete from ${schema}.mails where id = $1`, [id]);
}

/** Notes that the mail server refused the mail for its size: from now on it goes without attachments, and at once. */
async function noteLight(db: Queryable, { schema }: Outbox, { mail, now, error }: { mail: ClaimedMail; now: Date; error: string | null }): Promise<void> {
  await db.query(`update ${schema}.mails set light = true, next_at = $3, last_error = $4 where id = $1 and attempts = $2 and next_at is not null`, [
    mail.id,
    mail.attempts,
    now,
    error,
  ]);
}

/** Which recipient it is, without keeping their address. */
function markOf(id: string, address: string): string {
  return createHash('sha256').update(`${id}/${address.toLowerCase()}`).digest('hex').slice(0, 32);
}

/**
 * Makes one mail of each recipient: this row is that of the first from now on, the others get rows of their own, due at once. False if another process
 * has claimed the mail meanwhile.
 */
async function splitMail(
  db: Queryable,
  { schema, owner }: Outbox,
  { mail, to, now }: { mail: ClaimedMail; to: readonly string[]; now: Date },
): Promise<boolean> {
  const [first = '', ...others] = to;
  const rows = others.map((address) => {
    const id = randomUUIDv7();
    return { id, recipient: markOf(id, address) };
  });
  const { rowCount } = await db.query(
    `with mine as (update ${schema}.mails set recipient = $3 where id = $1 and attempts = $2 and recipient is null and next_at is not null returning *),
       others as (insert into ${schema}.mails (id, kind, ref, dedup_key, ${owner}_id, created_at, next_at, recipient)
         select o.id, mine.kind, mine.ref, mine.dedup_key || '#' || o.id, mine.${owner}_id, mine.created_at, $5, o.recipient
         from mine cross join jsonb_to_recordset($4::jsonb) as o(id uuid, recipient text))
     select from mine`,
    [mail.id, mail.attempts, markOf(mail.id, first), JSON.stringify(rows), now],
  );
  return rowCount === 1;
}

const MINUTE_MS = 60_000;

/** Minutes to wait after each failed try; together a little more than three days, then a mail counts as failed. */
const WAITS = [1, 5, 15, 30, 60, 120, 240, 480, 720, 720, 720, 720, 720] as const;

/** When a mail is retried after so many tries, the first being 1; null if that was the last. */
function nextTry(attempts: number, now: Date): Date | null {
  const minutes = WAITS[attempts - 1];
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE_MS);
}
