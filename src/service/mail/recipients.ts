import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { hashOf } from '../../platform/token-hash.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { queueMail } from './shop-mails.ts';

/** The mail that asks a recipient whether they want a shop's months. */
export const RECIPIENT_MAIL = 'recipient';

/** A recipient of a shop's months, by the mark of their address. */
type Recipient = { shopId: string; mailbox: Buffer };

/** By which a mailbox is known without its address: the bridge has the same. */
export function markOf(address: string): Buffer {
  return hashOf(address.trim().toLowerCase());
}

/** `asked`: of them the one that is asked elsewhere whether it wants mails about this shop. */
type TypedRecipients = { shopId: string; addresses: readonly string[]; asked: string | null };

/**
 * Somebody typed these addresses of whom nobody knows whether they read them: until they confirm it, each gets one mail that asks, once the shop has recorded
 * something. One that was asked long ago is asked anew.
 */
export async function keepTypedRecipients(db: Queryable, { shopId, addresses, asked }: TypedRecipients): Promise<void> {
  await db.query(
    `insert into compliance.recipients as r (shop_id, mailbox, is_typed, asked_at)
       select distinct s.id, mailbox, true, case when mailbox = $3 then now() end from compliance.shops s cross join unnest($2::bytea[]) mailbox where s.id = $1
     on conflict (shop_id, mailbox) do update set asked_at = null where r.confirmed_at is null and r.asked_at < now() - interval '30 days'`,
    [shopId, addresses.map(markOf), asked === null ? null : markOf(asked)],
  );
}

/** A recipient who was typed confirmed elsewhere that they want mails about this shop. */
export async function releaseRecipient(db: Queryable, { shopId, mailbox }: Recipient): Promise<void> {
  await db.query('update compliance.recipients set confirmed_at = now() where shop_id = $1 and mailbox = $2 and is_typed and confirmed_at is null', [
    shopId,
    mailbox,
  ]);
}

const due = rowsOf('compliance.recipients', z.object({ shopId: z.string(), mark: z.string() }));

// A mailbox gets one of these mails at a time, whoever typed it for whatever shop, until it was answered or a month has passed.
const ASK = `update compliance.recipients r set asked_at = $1 from (
    select distinct on (mailbox) shop_id, mailbox from compliance.recipients h where h.is_typed and coalesce(h.asked_at, h.confirmed_at, h.refused_at) is null
      and exists (select from compliance.orders o where o.shop_id = h.shop_id)
      and not exists (select from compliance.recipients o where o.mailbox = h.mailbox and coalesce(o.confirmed_at, o.refused_at) is null and o.asked_at > $1::timestamptz - interval '30 days')
    order by mailbox, shop_id limit 100) due
  where (r.shop_id, r.mailbox) = (due.shop_id, due.mailbox) returning r.shop_id as "shopId", encode(r.mailbox, 'hex') as mark`;

/** Queues the mails that ask recipients. */
export function askRecipients(pool: Pool, now: Date): Promise<void> {
  return inTransaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('ask recipients', 0))`);
    for (const ref of await readRows(tx, due, { text: ASK, values: [now] })) {
      await queueMail(tx, {
        kind: RECIPIENT_MAIL,
        ref,
        shopId: ref.shopId,
        dedupKey: `${RECIPIENT_MAIL}/${ref.shopId}/${ref.mark}/${now.toISOString()}`,
        now,
      });
    }
  });
}

/** SQL: may mails of the shop go there? */
export const IS_OPEN = '(refused_at is null and (not is_typed or confirmed_at is not null))';

const says = rowsOf('compliance.recipients', z.object({ isOpen: z.boolean(), isRefused: z.boolean() }));

/** `isOpen`: mails of the shop may go there. `isRefused`: not, because they said that it is not their shop. */
export type RecipientSays = z.output<typeof says.schema>;

export async function recipientSays(db: Queryable, { shopId, mailbox }: Recipient): Promise<RecipientSays> {
  const text = `select ${IS_OPEN} as "isOpen", refused_at is not null as "isRefused"
    from compliance.recipients where shop_id = $1 and mailbox = $2`;
  return (await readRow(db, says, { text, values: [shopId, mailbox] })) ?? { isOpen: true, isRefused: false };
}

/** Those to whom mails may go. */
export async function openRecipients(db: Queryable, { shopId, addresses }: { shopId: string; addresses: readonly string[] }): Promise<string[]> {
  const open = await Promise.all(addresses.map(async (address) => (await recipientSays(db, { shopId, mailbox: markOf(address) })).isOpen));
  return addresses.filter((_, at) => open[at]);
}

/** The one of these addresses that has this mark; undefined: the shop names it no more. */
export function addressOfMark(addresses: readonly string[], mailbox: string): string | undefined {
  return addresses.find((address) => markOf(address).toString('hex') === mailbox);
}

type Saying = Recipient & { says: 'confirmed' | 'refused' | 'resumed'; by: Actor };

/** What a recipient says. Mails stop or go on, and nothing else changes. False: it is so already, or they said otherwise within a minute. */
export function sayOfShop(pool: Pool, { shopId, mailbox, says: what, by }: Saying): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const values = [shopId, mailbox];
    await tx.query('insert into compliance.recipients (shop_id, mailbox) select id, $2 from compliance.shops where id = $1 on conflict do nothing', values);
    const [set, when] =
      what === 'confirmed'
        ? ['confirmed_at = now()', 'is_typed and confirmed_at is null and refused_at is null']
        : [
            `refused_at = ${what === 'refused' ? 'now()' : 'null, confirmed_at = now()'}, changed_at = now()`,
            `refused_at is ${what === 'refused' ? 'null' : 'not null'} and changed_at < now() - interval '1 minute'`,
          ];
    const { rowCount } = await tx.query(`update compliance.recipients set ${set} where shop_id = $1 and mailbox = $2 and ${when}`, values);
    if (rowCount === 1) await writeServiceActs(tx, [{ who: by, act: `recipient.${what}`, subject: shopId }]);
    return rowCount === 1;
  });
}

const refusedRows = rowsOf(
  'compliance.recipients',
  z.object({ shopId: z.string(), name: z.string(), mailbox: z.string(), addresses: z.array(z.string()), since: z.string() }),
);

/** Shops of which a recipient that they name still said that it is not theirs. */
export async function refusedShops(db: Queryable): Promise<{ shopId: string; name: string; since: string }[]> {
  const rows = await readRows(db, refusedRows, {
    text: `select r.shop_id as "shopId", s.details ->> 'name' as name, encode(r.mailbox, 'hex') as mailbox, ${isoText('r.refused_at')} as since,
        s.details -> 'auditRecipientEmails' || jsonb_build_array(s.details -> 'customerEmail') as addresses
      from compliance.recipients r join compliance.shops s on s.id = r.shop_id where r.refused_at is not null order by r.refused_at limit 1000`,
  });
  return rows.flatMap(({ addresses, mailbox, ...shop }) => (addressOfMark(addresses, mailbox) === undefined ? [] : [shop]));
}
