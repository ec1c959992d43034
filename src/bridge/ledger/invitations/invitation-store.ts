import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { normalAddress } from '../../../platform/mail/mailboxes.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import {
  insertOnboarding,
  insertOnboardingLink,
  type NewOnboarding,
  revokeOnboarding,
  revokeOnboardingLinks,
  type StoredOnboarding,
  saveOnboarding,
} from './onboarding-store.ts';
import { type StoredProgress, sealedParts, withParts } from './sealed-parts.ts';

/** The way to the start is open for so many days from now on. One that was over without a shop has lost its company. False: it is revoked, or has ended well. */
export async function prolongOnboarding(db: Queryable, { id, days }: { id: string; days: number }): Promise<boolean> {
  const { rowCount } = await db.query(
    `update onboardings set expires_at = now() + $2 * interval '1 day', version = version + 1,
        company = case when shop_id is null and expires_at <= now() then null else company end
      where id = $1 and revoked_at is null and started_at is null`,
    [id, days],
  );
  return rowCount === 1;
}

const idRows = rowsOf('onboardings', z.object({ id: z.string() }));

/** The other ways by which a store was connected, and whose links open it still. */
async function earlierWays(db: Queryable, { connectionId, except }: { connectionId: string; except: string | null }): Promise<string[]> {
  const text = 'select id from onboardings where connection_id = $1 and id is distinct from $2 and revoked_at is null order by id';
  return (await readRows(db, idRows, { text, values: [connectionId, except] })).map(({ id }) => id);
}

const linkRows = rowsOf('onboarding_links', z.object({ onboarding: z.string(), scope: z.string(), madeAt: z.string(), expiresAt: z.string().nullable() }));

/** A link that opens something; what its address says is not kept. `expiresAt` null: without an end. */
export type LiveLink = z.output<typeof linkRows.schema>;

/** Of these merchants' ways, those that are of a mailbox aside, the newest first. */
export function liveLinks(db: Queryable, onboardings: readonly string[]): Promise<LiveLink[]> {
  return readRows(db, linkRows, {
    text: `select l.onboarding, l.scope, ${isoText('l.made_at')} as "madeAt", ${isoText('l.expires_at')} as "expiresAt"
      from onboarding_links l join onboardings o on o.id = l.onboarding
      where l.revoked_at is null and not starts_with(l.scope, 'confirm:') and not starts_with(l.scope, 'mails:') and (l.expires_at is null or l.expires_at > now()) and o.revoked_at is null and l.onboarding = any($1)
        and (o.started_at is not null or o.expires_at > now())
      order by l.made_at desc limit 5000`,
    values: [onboardings],
  });
}

const shop = z.object({ shopId: z.string(), destinationId: z.string() });
const ofStore = z.object({ closedAt: z.string(), lang: z.enum(['en', 'bg']).nullable() });
const beforeRows = rowsOf('connections', z.object({ ...sealedParts, ...shop.shape, ...ofStore.shape }));
const shopRows = rowsOf('onboardings', z.object({ ...sealedParts, ...shop.shape }));

const named = z.object({ company: z.object({ typed: z.object({ name: z.string() }) }) });

/** What a merchant called their shop; null: they gave it no name. */
function nameIn(progress: StoredProgress): string | null {
  return named.safeParse(progress).data?.company.typed.name ?? null;
}

/** A shop to which a store was connected until `closedAt`. `email`, `mailTo`, `lang`: of its merchant then, whose links open it still; null: there is none, or they had none. */
export type ShopBefore = EarlierShop & z.output<typeof ofStore> & { email: string | null; mailTo: string | null };

/** The shops to which a store was connected, by the platform's own id of it, the last one first. Those with a live connection have their store. */
export async function shopsOfStore(db: Queryable, { platform, identity }: { platform: string; identity: string }): Promise<ShopBefore[]> {
  const rows = await readRows(db, withParts(db, beforeRows), {
    text: `select * from (
        select distinct on (c.shop_id) c.shop_id as "shopId", c.destination_id as "destinationId", ${isoText('c.closed_at')} as "closedAt",
          coalesce(w.id::text, '') as id, w.email, w.mail_to as "mailTo", w.lang, w.progress
        from connections c left join lateral (
          select o.* from onboardings o where o.connection_id = c.id and o.revoked_at is null order by o.created_at desc limit 1) w on true
        where c.platform = $1 and c.store_identity = $2 and c.closed_at is not null
          and not exists (select from connections l where l.shop_id = c.shop_id and l.closed_at is null)
        order by c.shop_id, c.closed_at desc) shops
      order by "closedAt" desc limit 10`,
    values: [platform, identity],
  });
  return rows.map(({ id, progress, ...before }) => ({ ...before, way: id === '' ? null : id, name: nameIn(progress) }));
}

/** A shop to which a merchant came before, and on which way. `name`: that they gave it; null: they gave none. */
type EarlierShop = z.output<typeof shop> & { way: string | null; name: string | null };

/**
 * The shops of other ways to which a person invited the same mailbox. What strangers typed of themselves proves nothing: theirs are left out. Those with a
 * live connection have their store.
 */
export async function shopsOfMailbox(db: Queryable, { email, except, program }: { email: string; except: string; program: string }): Promise<EarlierShop[]> {
  const rows = await readRows(db, withParts(db, shopRows), {
    text: `select o.id, o.email, o.mail_to as "mailTo", o.progress, o.shop_id as "shopId", o.destination_id as "destinationId"
      from onboardings o where o.email is not null and o.id <> $1 and o.who <> $2 and o.revoked_at is null and o.shop_id is not null
        and o.destination_id is not null
        and not exists (select from connections c where c.shop_id = o.shop_id and c.destination_id = o.destination_id and c.closed_at is null)
      order by o.shop_id, o.created_at desc`,
    values: [except, program],
  });
  const own = rows.filter((row) => row.email !== null && normalAddress(row.email) === normalAddress(email));
  const newest = own.filter(({ shopId }, at) => own[at - 1]?.shopId !== shopId);
  return newest.slice(0, 100).map(({ id: way, shopId, destinationId, progress }) => ({ way, shopId, destinationId, name: nameIn(progress) }));
}

/** `token`: SHA-256 of what the link says. */
type NewInvitation = NewOnboarding & { token: Buffer };

/** One merchant's way, with the link that opens it. With a shop, whose sales these are was said by who invites. */
export function addInvitation(pool: Pool, { token, ...given }: NewInvitation): Promise<StoredOnboarding> {
  return inTransaction(pool, async (tx) => {
    const made = await insertOnboarding(tx, given);
    if (given.shopId !== null) await saveOnboarding(tx, made, { step: 'company', done: true });
    await insertOnboardingLink(tx, { token, onboarding: made.id, scope: 'all', days: given.days });
    const { company = null } = given;
    const after = { shopId: given.shopId, ...(company !== null && { company }), mail: given.email === null ? 'none' : 'given' };
    await writeBridgeActs(tx, [{ who: given.who, act: 'invitation.made', subject: made.id, after }]);
    return made;
  });
}

type Which = Pick<StoredOnboarding, 'id' | 'connectionId'>;

function subjectOf({ id, connectionId }: Which): { subject: string; connectionId?: string } {
  return { subject: id, ...(connectionId === null ? {} : { connectionId }) };
}

type NewWay = { token: Buffer; scope: 'all' | 'status'; days: number | null };

/** Another link instead of all before it. One to the whole way opens it for so many days from now on. False: `links` are no longer the live ones, and nothing is written. */
export function replaceLink(
  pool: Pool,
  { links, ...which }: Which & { links: readonly LiveLink[] },
  { token, scope, days, ...said }: NewWay & Authorship,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    // Of two presses at once, one makes a link.
    await tx.query('select from onboardings where id = $1 for no key update', [which.id]);
    if (!isDeepStrictEqual(await liveLinks(tx, [which.id]), links)) return false;
    if (scope === 'all' && days !== null) await prolongOnboarding(tx, { id: which.id, days });
    for (const ended of ['all', 'status', 'step', 'confirm']) await revokeOnboardingLinks(tx, { onboarding: which.id, scope: ended });
    await insertOnboardingLink(tx, { token, onboarding: which.id, scope, days });
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'invitation.renewed', ...subjectOf(which) }]);
    return true;
  });
}

/** The links of these scopes end (`step`: those to any one step); returns how many did. */
export function endLinks(pool: Pool, which: Which, { scopes, ...said }: { scopes: readonly string[] } & Authorship): Promise<number> {
  return inTransaction(pool, async (tx) => {
    let ended = 0;
    for (const scope of scopes) ended += await revokeOnboardingLinks(tx, { onboarding: which.id, scope });
    if (ended > 0) await writeBridgeActs(tx, [{ ...authorOf(said), act: 'link.ended', after: { scopes, ended }, ...subjectOf(which) }]);
    return ended;
  });
}

/** The way has its store; the ways of merchants who had this store before end. Null: somebody else changed it since it was read at `version`. */
export function connectOnboarding(
  pool: Pool,
  onboarding: Pick<StoredOnboarding, 'id' | 'version'>,
  { connectionId, ...said }: { connectionId: string } & Authorship,
): Promise<StoredOnboarding | null> {
  return inTransaction(pool, async (tx) => {
    const saved = await saveOnboarding(tx, onboarding, { connectionId, sealed: null });
    if (saved !== null) await endEarlierWays(tx, { connectionId, except: saved.id, ...said });
    return saved;
  });
}

/** The ways of merchants who had this store before end, all but this one: what their links would open may be another’s now. Returns how many did. */
export async function endEarlierWays(
  tx: Queryable,
  { connectionId, except, ...said }: { connectionId: string; except: string | null } & Authorship,
): Promise<number> {
  const ways = await earlierWays(tx, { connectionId, except });
  for (const id of ways) await revoke(tx, { id, connectionId }, said);
  return ways.length;
}

/** All of its links end. */
export async function endInvitation(pool: Pool, which: Which, said: Authorship): Promise<void> {
  await inTransaction(pool, (tx) => revoke(tx, which, said));
}

async function revoke(tx: Queryable, which: Which, said: Authorship): Promise<void> {
  if (await revokeOnboarding(tx, which.id)) await writeBridgeActs(tx, [{ ...authorOf(said), act: 'invitation.revoked', ...subjectOf(which) }]);
}
