import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { each, type JobKind } from '../../../src/platform/jobs/job-kind.ts';
import { createMailer } from '../../../src/platform/mail/create-mailer.ts';
import { listMails, type Outbox, queueMail } from '../../../src/platform/mail/outbox.ts';
import type { Pool, Queryable } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { mail } from '../samples/sample-mail.ts';
import { kindOf } from './jobs.ts';

const outbox: Outbox = { schema: 'letters', owner: 'onboarding', job: 'letter' };
export const READERS = ['ana@home.example', 'boris@home.example'];

/** A kind whose jobs send letters, each to two readers; `server`, of no transaction, takes them: it adds their reader to the table `effects`. */
export function letterKind(pool: Queryable, server: Queryable, changes: Partial<JobKind> = {}): JobKind {
  const fault = (err: unknown) => {
    throw err;
  };
  const run = createMailer({
    ...{ pool, outbox, onTried: () => undefined, report: { notMade: fault, notHandedOver: fault }, now: () => new Date() },
    builders: { letter: async () => ({ to: READERS, write: async ({ address }) => mail({ to: [address] }) }) },
    transport: {
      async send({ to }) {
        await server.query('insert into effects select unnest($1::text[])', [to]);
        return { accepted: to, refused: [], why: null };
      },
    },
  });
  return kindOf({ kind: outbox.job, batch: 1, run: each(run), ...changes });
}

/** An outbox with one letter, anew. */
export async function writeLetter(pool: Pool): Promise<void> {
  await pool.query('drop schema if exists letters cascade; create schema letters; create table letters.mails (like bridge.mails including all)');
  await queueMail(pool, outbox, { kind: 'letter', ref: { letterId: 7 }, ownerId: randomUUID(), dedupKey: 'a', now: new Date() });
}

export async function lettersSent(pool: Pool): Promise<boolean> {
  const left = await readRows(pool, rowsOf('jobs', z.object({ key: z.string() })), { text: `select key from jobs where kind = 'letter'` });
  const mails = await listMails(pool, outbox, { limit: 10 });
  return left.length === 0 && mails.length === READERS.length && mails.every(({ state }) => state === 'sent');
}
