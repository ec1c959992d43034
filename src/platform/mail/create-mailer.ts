import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { DONE, type JobEnd } from '../jobs/job-kind.ts';
import { type Job, jobsOf } from '../jobs/job-store.ts';
import { type Queryable, sealerOf } from '../postgres/postgres.ts';
import { readRow, rowsOf } from '../postgres/read-rows.ts';
import { retry } from '../retry.ts';
import type { MailResult, Message } from './mail-message.ts';
import { type Letter, type MailBuilder, type MailRef, type MailReport, mailboxPlace, markOf, type Outbox, type SendResult, WAITS } from './outbox.ts';

/** Sends the mail of a job. Several processes may do so at once; each mail is tried by one of them. */
export function createMailer(deps: SendDeps): (job: Job) => Promise<JobEnd> {
  return (job) => sendMail(deps, job);
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
  onTried(mail: string, result: SendResult): void;
  now: () => Date;
};

/**
 * Tries to send one mail of the outbox, each recipient's on its own. At least once: if the process or the network breaks between the server's yes and our
 * note of it, it goes out again, with the same Message-ID. One that is refused for its size is retried at once, without attachments.
 */
async function sendMail(deps: SendDeps, job: Job): Promise<JobEnd> {
  const { pool, outbox, onTried } = deps;
  const mail = await readMail(pool, outbox, job);
  // Sent or given up, and the process died before its job was ended; or deleted.
  if (mail === null) return DONE;
  const attempt = await tryMail(deps, mail);
  if (attempt === 'taken') return DONE;
  if (attempt === 'gone') {
    await pool.query(`delete from ${outbox.schema}.mails where id = $1`, [mail.id]);
    onTried(mail.id, { outcome: 'dropped', kind: mail.kind });
    return DONE;
  }
  if (attempt.end !== 'too-large') return conclude(deps, mail, attempt);
  const { rowCount } = await pool.query(`update ${outbox.schema}.mails set light = true where id = $1 and ${OURS}`, oursOf(mail));
  return rowCount === 1 ? sendMail(deps, job) : DONE;
}

/** `later`: the recipient could still get it. `delivered`: of the recipients that are known as hashes, those that have it. */
type Attempt = { end: 'sent' | 'later' | 'failed' | 'too-large'; delivered: readonly string[]; why: string | null };

/** `gone`: nobody is to get it any more. `taken`: another process has claimed it meanwhile. */
async function tryMail(deps: SendDeps, mail: Mail): Promise<Attempt | 'gone' | 'taken'> {
  const found = await made(deps, mail, (build) => build(openedRef(deps, mail)));
  if (found === null) return 'gone';
  if ('end' in found) return found;
  const address = await recipientOf(deps, mail, found);
  if (address === 'gone' || address === 'taken') return address;
  if (address === null) return nobodyLeft(mail, found);
  const message = await made(deps, mail, () => found.write({ address, light: mail.light }));
  if (message === null) return 'gone';
  return 'end' in message ? message : deliver(deps, mail, { ...message, to: [address] });
}

function openedRef({ pool, outbox: { schema } }: SendDeps, { id, ref: { mailbox, ...ref } }: Mail): MailRef {
  return mailbox === undefined ? ref : { ...ref, mailbox: sealerOf(pool).open(String(mailbox), mailboxPlace(schema, id)) };
}

// A row that a newer release wrote, or content that can't be read now, waits as if the mail server were down.
async function made<Made>({ builders, report }: SendDeps, mail: Mail, make: (build: MailBuilder) => Promise<Made>): Promise<Made | Attempt> {
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
async function recipientOf({ pool, outbox }: SendDeps, mail: Mail, { to }: Letter): Promise<string | 'gone' | 'taken' | null> {
  const { id, delivered, recipient } = mail;
  if (recipient !== null) return to.find((address) => markOf(pool, id, address) === recipient) ?? 'gone';
  const each = [...new Map(to.map((address) => [markOf(pool, id, address), address])).values()];
  const left = each.filter((address) => !delivered.includes(markOf(pool, id, address)));
  const [first] = left;
  if (first === undefined) return null;
  if (each.length === 1 || (await splitMail(pool, outbox, { mail, to: left }))) return first;
  return 'taken';
}

function nobodyLeft({ delivered }: Mail, { to }: Letter): Attempt {
  return delivered.length > 0 ? { end: 'sent', delivered, why: null } : { end: 'failed', delivered, why: to.length === 0 ? 'the mail has no recipient' : null };
}

async function deliver({ pool, transport, report }: SendDeps, mail: Mail, message: Message): Promise<Attempt> {
  const { id, delivered, light } = mail;
  try {
    const { accepted, refused, why, tooLarge } = await transport.send(message, id);
    if (accepted.length > 0)
      return { end: 'sent', delivered: [...delivered, ...accepted.map((address) => markOf(pool, id, address))], why: light ? LIGHT : why };
    if (tooLarge === true && !light) return { end: 'too-large', delivered, why };
    return { end: refused.some(({ permanent }) => !permanent) ? 'later' : 'failed', delivered, why };
  } catch (thrown) {
    report.notHandedOver(thrown, mail);
    return { end: 'later', delivered, why: 'the mail could not be handed over; the log says why' };
  }
}

const LIGHT = 'it went without attachments, because the mail server refused its size';

/** After so long a mail that could not be sent is given up, but not before so many tries: nobody may have tried while the server was down. */
const GIVE_UP_MS = 3 * 86_400_000;
const FEWEST_TRIES = 5;
/** A database that was cut off for so long may have the mail sent twice. */
const NOTED = { retries: 6, minTimeout: 500, factor: 2, maxTimeout: 10_000 };

async function conclude({ pool, outbox, onTried, now }: SendDeps, mail: Mail, { end, delivered, why }: Attempt): Promise<JobEnd> {
  const { id, kind, job } = mail;
  // The run that was refused its size tried twice.
  const attempts = job.attempts + Number(mail.light);
  const outcome = end === 'later' && (job.ageMs < GIVE_UP_MS || attempts < FEWEST_TRIES) ? 'later' : end === 'sent' ? 'sent' : 'failed';
  if (outcome !== 'later') {
    const text = `update ${outbox.schema}.mails set ${outcome}_at = $4, attempts = $5, delivered = $6, last_error = $7, ref = ref - 'mailbox' where id = $1 and ${OURS} and ${WAITS}`;
    const values = [...oursOf(mail), now(), attempts, delivered, why];
    await retry(() => pool.query(text, values), NOTED);
  }
  onTried(id, { outcome, kind, attempts, why });
  return outcome === 'later' ? { is: 'failed', why: why ?? '', afterMs: null } : DONE;
}

const readMails = rowsOf(
  'mails',
  z.object({
    id: z.string(),
    kind: z.string(),
    ref: z.record(z.string(), z.union([z.string(), z.number()])),
    delivered: z.array(z.string()),
    recipient: z.string().nullable(),
    light: z.boolean(),
  }),
);

/** A mail that this process sends. `delivered`: the marks of all addresses that have it by now. */
type Mail = z.output<typeof readMails.schema> & { job: Job };

async function readMail(db: Queryable, { schema }: Outbox, job: Job): Promise<Mail | null> {
  const text = `select id, kind, ref, delivered, recipient, light from ${schema}.mails where id = $1 and ${WAITS}`;
  const mail = await readRow(db, readMails, { text, values: [job.key] });
  return mail === null ? null : { ...mail, job };
}

/** Of a statement about a mail, whose first values are those of `oursOf`: nobody has taken its job over since. */
const OURS = 'exists (select from jobs j where j.id = $2 and j.lease = $3)';

function oursOf({ id, job }: Mail): [id: string, job: number, lease: string] {
  return [id, job.id, job.lease];
}

/**
 * Makes one mail of each recipient: this row is that of the first from now on, the others get rows and jobs of their own. False if another process has taken
 * the mail meanwhile.
 */
async function splitMail(db: Queryable, { schema, owner, job }: Outbox, { mail, to }: { mail: Mail; to: readonly string[] }): Promise<boolean> {
  const [first = '', ...others] = to;
  const rows = others.map((address) => {
    const id = randomUUIDv7();
    return { id, recipient: markOf(db, id, address) };
  });
  const { rowCount } = await db.query(
    `with mine as (update ${schema}.mails set recipient = $4 where id = $1 and ${OURS} and recipient is null and ${WAITS} returning *),
       others as (insert into ${schema}.mails (id, kind, ref, dedup_key, ${owner}_id, created_at, recipient)
         select o.id, mine.kind, mine.ref, mine.dedup_key || '#' || o.id, mine.${owner}_id, mine.created_at, o.recipient
         from mine cross join jsonb_to_recordset($5::jsonb) as o(id uuid, recipient text) returning id),
       due as (${jobsOf(job, 'select id::text as key from others')})
     select from mine`,
    [...oursOf(mail), markOf(db, mail.id, first), JSON.stringify(rows)],
  );
  return rowCount === 1;
}
