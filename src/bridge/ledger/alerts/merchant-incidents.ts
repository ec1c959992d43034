import { z } from 'zod';
import { mailboxMark, mailboxState } from '../../../platform/mail/mailboxes.ts';
import { type Outbox, queueMail } from '../../../platform/mail/outbox.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { apiWarningOf, SCOPES_WARNING } from '../../connections/connection.ts';
import type { StoreDenial } from '../../storefronts/store-failure.ts';
import { pruneHandOvers } from '../invitations/hand-over-store.ts';
import { findOnboarding, wayMailboxes } from '../invitations/onboarding-store.ts';
import { sealedParts, withParts } from '../invitations/sealed-parts.ts';
import { jsonText } from '../json-columns.ts';

/** The outbox of mails to merchants, each of one way to a connected store, and to people of the console. */
export const bridgeMails: Outbox = { schema: 'bridge', owner: 'onboarding', job: 'bridge-mail' };

/**
 * key: the store refuses ours. frozen: it is, until its bill at the platform is paid. locked: it is, and its owner must ask the platform. blocked: something
 * before it keeps us out. scope: its app may not read orders any more. webhooks: they do not come, and do not repair by themselves. mapping: orders have a way
 * to pay or a rate without a meaning.
 */
export const MERCHANT_CAUSES = ['key', 'frozen', 'locked', 'blocked', 'scope', 'webhooks', 'mapping'] as const;
export type MerchantCause = (typeof MERCHANT_CAUSES)[number];

const incidentRows = rowsOf('merchant_incidents', z.object({ onboarding: z.string(), connectionId: z.string(), cause: z.enum(MERCHANT_CAUSES) }));

/** Something that only the merchant can put right. */
export type MerchantIncident = z.output<typeof incidentRows.schema>;

/** What is wrong now with stores that record, whose merchants were invited by a mailbox, or typed one. */
function merchantIncidents(db: Queryable): Promise<MerchantIncident[]> {
  return readRows(db, incidentRows, { text: PRESENT, values: [SCOPES_WARNING, ...API_CAUSES.map(apiWarningOf)] });
}

/** What a store refuses us for that its merchant can mend. An app that the platform refuses, and an address where no store is, are the operator’s. */
const API_CAUSES = ['key', 'frozen', 'locked', 'blocked'] as const satisfies readonly (MerchantCause & StoreDenial)[];

// Without its scope an app is refused, too: the same step mends both, and one mail has it.
// The newest way of a store counts, also if its merchant is not to be mailed: nobody of before is told of what is theirs. (Those of before are revoked when
// a store is connected by another one, which may have been begun earlier.) What nothing at the store repairs, such as the configuration of an app, is not theirs.
const PRESENT = `with newest as (
    select distinct on (o.connection_id) o.id, o.connection_id, coalesce(o.email, o.mail_to) as mailbox, o.started_at
    from onboardings o where o.connection_id is not null and o.revoked_at is null order by o.connection_id, o.created_at desc),
  ways as (
    select n.id, n.connection_id, c.warnings from newest n join connections c on c.id = n.connection_id
    where n.mailbox is not null and n.started_at is not null and c.closed_at is null)
  select w.id as onboarding, w.connection_id as "connectionId", cause from ways w cross join lateral (
    select 'scope' as cause where w.warnings ? $1
    union all select 'key' where w.warnings ? $2 and not w.warnings ? $1
    union all select 'frozen' where w.warnings ? $3
    union all select 'locked' where w.warnings ? $4
    union all select 'blocked' where w.warnings ? $5
    union all select 'webhooks' where exists (select from watches x where x.connection_id = w.connection_id
      and jsonb_path_exists(x.problems, '$[*] ? (@.kind != "left-over" && @.repairs != "nothing")'))
    union all select 'mapping' where exists (select from orders o where o.connection_id = w.connection_id and o.state = 'review'
      and o.review_code in ('payment.unmapped', 'vat.unmapped'))) causes`;

/** What ends sooner is reported to nobody; what comes back sooner is the same incident. */
const LASTS_MINUTES = 10;
const CALM_HOURS = 24;
const AGAIN_DAYS = 7;

/** Those of merchants to whom mails may go: in their mailbox it was confirmed, and not said that the store is another's. */
async function withMailbox(tx: Queryable, incidents: readonly MerchantIncident[]): Promise<MerchantIncident[]> {
  const open = new Set<string>();
  for (const id of new Set(incidents.map(({ onboarding }) => onboarding))) {
    const { email = null, mailTo = null } = (await findOnboarding(tx, id)) ?? {};
    const { isOpen } = await mailboxState(tx, wayMailboxes, { ownerId: id, mailbox: mailboxMark(tx, email ?? mailTo ?? '') });
    if (isOpen) open.add(id);
  }
  return incidents.filter(({ onboarding }) => open.has(onboarding));
}

/** Puts a mail of each incident into the outbox that has lasted, once, and again after a week. Any number of processes may do so. Returns those. */
export function mailMerchants(pool: Pool, now: Date): Promise<MerchantIncident[]> {
  return inTransaction(pool, async (tx) => {
    const present = await withMailbox(tx, await merchantIncidents(tx));
    await tx.query(`delete from merchant_incidents where seen_at < $1::timestamptz - interval '${CALM_HOURS} hours'`, [now]);
    if (present.length === 0) return [];
    await tx.query(NOTE, [jsonText(present), now]);
    const due = await readRows(tx, incidentRows, { text: DUE, values: [jsonText(present), now] });
    for (const { onboarding, connectionId, cause } of due) {
      const dedupKey = `${connectionId} ${cause} ${now.toISOString()}`;
      await queueMail(tx, bridgeMails, { kind: MERCHANT_MAIL, ref: { onboarding, connectionId, cause }, ownerId: onboarding, dedupKey, now });
    }
    return due;
  });
}

/** The kind of mail by which a merchant is told what only they can do. */
export const MERCHANT_MAIL = 'merchant';
/** By which the mailbox of before is told that it is none any more. */
export const MAILBOX_MAIL = 'mailbox-changed';

const GIVEN = `json_to_recordset($1::json) as k (onboarding uuid, "connectionId" text, cause text)`;
// In one order, so that no two processes wait for each other.
const NOTE = `insert into merchant_incidents (connection_id, cause, began_at, seen_at) select "connectionId", cause, $2, $2 from ${GIVEN} order by 1, 2
  on conflict (connection_id, cause) do update set seen_at = excluded.seen_at`;
const DUE = `update merchant_incidents t set mailed_at = $2 from ${GIVEN} where t.connection_id = k."connectionId" and t.cause = k.cause
    and t.began_at <= $2::timestamptz - interval '${LASTS_MINUTES} minutes'
    and (t.mailed_at is null or t.mailed_at <= $2::timestamptz - interval '${AGAIN_DAYS} days')
  returning k.onboarding, t.connection_id as "connectionId", t.cause`;

// A press that died may have left a connection on trial that is known by what is kept. Anyone who gets a new link gives the keys of their store again.
const LEFT_KEYS = `select o.id, null as email, null as "mailTo", o.progress, o.version from onboardings o
  where o.sealed is not null and (o.revoked_at is not null or o.expires_at < $1 and o.started_at is null and o.connection_id is null and not exists (
    select from connections c where c.shop_id = o.shop_id and c.closed_at is null and c.trial_since is not null))`;
const leftRows = rowsOf('onboardings', z.object({ ...sealedParts, version: z.int() }));
const byAddress = z.object({ store: z.object({ kind: z.literal('address') }) });
const FORGET_KEYS = `update onboardings set sealed = null, version = version + 1, done = case when $3 then array_remove(done, 'store') else done end
  where id = $1 and version = $2`;

async function forgetLeftKeys(db: Queryable, now: Date): Promise<void> {
  for (const { id, version, progress } of await readRows(db, withParts(db, leftRows), { text: LEFT_KEYS, values: [now] })) {
    await db.query(FORGET_KEYS, [id, version, byAddress.safeParse(progress).success]);
  }
}

/**
 * Mails that were sent or given up are of no use after so many days; nor are the keys of stores whose merchants left before they connected them.
 */
export async function pruneMerchants(db: Queryable, { days, now }: { days: number; now: Date }): Promise<void> {
  await forgetLeftKeys(db, now);
  await pruneHandOvers(db, now);
  await db.query(
    `delete from ${bridgeMails.schema}.mails where coalesce(sent_at, failed_at) is not null and created_at < $1::timestamptz - $2 * interval '1 day'`,
    [now, days],
  );
}
