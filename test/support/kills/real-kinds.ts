import { randomUUID } from 'node:crypto';
import { outboxRuns } from '../../../src/bridge/delivery/outbox-jobs.ts';
import { bridgeMails } from '../../../src/bridge/ledger/alerts/merchant-incidents.ts';
import { forgetBuyersOf, ordersOfJobs } from '../../../src/bridge/ledger/outbox-job-store.ts';
import { each, type JobKind } from '../../../src/platform/jobs/job-kind.ts';
import { createMailer } from '../../../src/platform/mail/create-mailer.ts';
import { queueMail } from '../../../src/platform/mail/outbox.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { insertStore } from '../ledger/recorded-order.ts';
import { effectKind, kindOf } from '../worlds/jobs.ts';

export const REAL_KINDS = ['forget-buyer', 'bridge-mail'] as const;
/** Of all processes of a test. */
export const SEALING = sealer(Buffer.alloc(32, 1));
export type RealKind = (typeof REAL_KINDS)[number];

/** Kinds of the program. What reaches the service, or the mail server, is a row of the table `effects`. */
export function killedKind(kind: string, pool: Pool, changes: Partial<JobKind>): JobKind {
  const reaches = (what: string) => pool.query('insert into effects values ($1)', [what]);
  switch (kind) {
    case 'forget-buyer':
      return kindOf({ kind, batch: 64, run: forgetting(pool, reaches), ...changes });
    case 'bridge-mail':
      return kindOf({ kind, batch: 1, run: mailing(pool, reaches), ...changes });
    default:
      return effectKind(pool, changes);
  }
}

type Reaches = (what: string) => Promise<unknown>;

function forgetting(pool: Pool, reaches: Reaches): JobKind['run'] {
  return outboxRuns({
    orders: (...which) => ordersOfJobs(pool, ...which),
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

function mailing(pool: Pool, reaches: Reaches): JobKind['run'] {
  const fault = (err: unknown) => {
    throw err;
  };
  const text = { replyTo: null, senderName: null, subject: 's', html: null, text: 't', attachments: [], images: [] };
  const send = createMailer({
    pool,
    outbox: bridgeMails,
    transport: {
      async send({ to }) {
        await reaches(to.join());
        return { accepted: to, refused: [], why: null };
      },
    },
    builders: { test: async ({ id }) => ({ to: readersOf(String(id)), write: async ({ address }) => ({ ...text, to: [address] }) }) },
    report: { notMade: fault, notHandedOver: fault },
    onTried: () => undefined,
    now: () => new Date(),
  });
  return each(send);
}

/** Each mail is split between two. */
const readersOf = (id: string) => ['a', 'b'].map((host) => `${id}@${host}.example`);

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
  for (const id of ids) await queueMail(pool, bridgeMails, { kind: 'test', ref: { id }, ownerId, dedupKey: id, now: new Date() });
  return ids.flatMap(readersOf);
}

/** Whether nothing of a kind is left to do. */
export async function isOver(kind: RealKind, pool: Pool): Promise<boolean> {
  return (
    (await pool.query('select from jobs where kind = $1', [kind])).rowCount === 0 &&
    (await pool.query('select from mails where sent_at is null')).rowCount === 0
  );
}
