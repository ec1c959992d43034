import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { outboxRuns } from '../../../src/bridge/delivery/outbox-jobs.ts';
import { merchantMails } from '../../../src/bridge/ledger/alerts/merchant-incidents.ts';
import { forgetBuyersOf, toldOrders } from '../../../src/bridge/ledger/outbox-job-store.ts';
import { eachStep, type JobKind, whole } from '../../../src/platform/jobs/job-kind.ts';
import { createMailer } from '../../../src/platform/mail/create-mailer.ts';
import { queueMail } from '../../../src/platform/mail/outbox.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { insertStore } from '../ledger/recorded-order.ts';
import { effectKind, kindOf } from '../worlds/jobs.ts';

export const REAL_KINDS = ['forget-buyer', 'merchant-mails'] as const;
export type RealKind = (typeof REAL_KINDS)[number];

/** Kinds of the program. What reaches the service, or the mail server, is a row of the table `effects`. `aheadMs`: of the clock of mails. */
export function killedKind(kind: string, pool: Pool, { aheadMs = 0, ...changes }: Partial<JobKind> & { aheadMs?: number }): JobKind {
  const reaches = (what: string) => pool.query('insert into effects values ($1)', [what]);
  switch (kind) {
    case 'forget-buyer':
      return kindOf({ kind, batch: 64, run: forgetting(pool, reaches), ...changes });
    case 'merchant-mails':
      return kindOf({ kind, everyMs: 20, run: mailing(pool, reaches, aheadMs), ...changes });
    default:
      return effectKind(pool, changes);
  }
}

type Reaches = (what: string) => Promise<unknown>;

function forgetting(pool: Pool, reaches: Reaches): JobKind['run'] {
  return outboxRuns({
    orders: (...which) => toldOrders(pool, ...which),
    isWanted: async () => true,
    supports: async () => true,
    async tell(_, { complianceId }) {
      await reaches(complianceId);
      return { kind: 'answered', status: 204, id: null, standingId: null, detail: '', retryAfterMs: null };
    },
    isGone: async () => false,
    onDone: () => undefined,
    onNotDone: () => undefined,
    backoff: { firstMs: 1, mostMs: 1 },
    now: () => performance.now(),
    random: Math.random,
  })['forget-buyer'];
}

function mailing(pool: Pool, reaches: Reaches, aheadMs: number): JobKind['run'] {
  const fault = (err: unknown) => {
    throw err;
  };
  const text = { replyTo: null, senderName: null, subject: 's', html: null, text: 't', attachments: [], images: [] };
  const mailer = createMailer({
    pool,
    outbox: merchantMails,
    transport: {
      async send({ to }, id) {
        await reaches(id);
        return { accepted: to, refused: [], why: null };
      },
    },
    builders: { test: async () => ({ to: ['merchant@shop.example'], write: async ({ address }) => ({ ...text, to: [address] }) }) },
    report: { notMade: fault, notHandedOver: fault },
    now: () => new Date(Date.now() + aheadMs),
  });
  return whole(async (signal) => {
    const ids = await mailer.due(100);
    await eachStep(
      signal,
      ids.map((id) => () => mailer.send(id)),
    );
  });
}

/** Writes so many causes of a kind; returns what must reach others. */
export async function writeCauses(kind: RealKind, pool: Pool, count: number): Promise<string[]> {
  await pool.query('truncate mails, onboardings, orders, connections, destinations cascade');
  const { connectionId, shopId, destinationId } = await insertStore(pool, `c_${randomUUID()}`);
  const ids = Array.from({ length: count }, () => randomUUID()).toSorted();
  if (kind === 'forget-buyer') {
    const orders = `insert into orders (shop_id, platform, store, order_id, connection_id, state, record, compliance_id, record_destination)
      select $2, 'standard', 'corner', id, $3, 'recorded', '{}', id, $4 from unnest($1::text[]) id`;
    await pool.query(orders, [ids, shopId, connectionId, destinationId]);
    await pool.query(forgetBuyersOf('select id as order_ref from orders'));
    return ids;
  }
  const ownerId = randomUUID();
  await pool.query(`insert into onboardings (id, who, expires_at) values ($1, 'test', now())`, [ownerId]);
  // A clock that is behind sends it as well.
  for (const id of ids) await queueMail(pool, merchantMails, { kind: 'test', ref: {}, ownerId, dedupKey: id, now: new Date(0) });
  const mails = rowsOf('mails', z.object({ id: z.string() }));
  return (await readRows(pool, mails, { text: 'select id from mails order by id' })).map(({ id }) => id);
}

/** Whether nothing of a kind is left to do. */
export async function isOver(kind: RealKind, pool: Pool): Promise<boolean> {
  const left = kind === 'forget-buyer' ? `select from jobs where kind = 'forget-buyer'` : 'select from mails where sent_at is null';
  return (await pool.query(left)).rowCount === 0;
}
