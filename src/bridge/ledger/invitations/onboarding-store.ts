import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Mailboxes, type MailboxKey, mailboxMark, sayOfMailbox } from '../../../platform/mail/mailboxes.ts';
import { endCodes, type MailCodes } from '../../../platform/mail/mailed-codes.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, type RowShape, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { type OpenedParts, type StoredProgress, sealedPart, sealedParts, withParts } from './sealed-parts.ts';

/** What was said of mails about the store of a merchant’s way. */
export const wayMailboxes: Mailboxes = { schema: 'bridge', owner: 'onboarding', isKnown: false };

/** What opens the files, the answers and the mailbox of a store. */
export const wayCodes: MailCodes = { schema: 'bridge', owner: 'onboarding' };

const stored = z.object({
  ...sealedParts,
  who: z.string(),
  lang: z.enum(['en', 'bg']).nullable(),
  shopId: z.string().nullable(),
  destinationId: z.string().nullable(),
  platform: z.string().nullable(),
  app: z.string().nullable(),
  connectionId: z.string().nullable(),
  company: z.string().nullable(),
  done: z.array(z.string()),
  sealed: z.string().nullable(),
  version: z.int(),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  isExpired: z.boolean(),
});

/**
 * One merchant's way to a connected store, as it is kept. `app`: which they approve, if the person who invited them named one. `progress`: by step, what was typed and found. `sealed`: the keys of the store. `email`: where they were
 * invited, or as they confirmed it; `mailTo`: where they want mails, as they typed it unchecked. `company`: of which a shop may be made, by `merchantOf`; null: none is confirmed. Instants in ISO 8601.
 */
export type StoredOnboarding = OpenedParts<z.output<typeof stored>>;

const rows = rowsOf('onboardings', stored);
const rowsIn = (db: Queryable): RowShape<StoredOnboarding> => withParts(db, rows);

const COLUMNS = `o.id, o.who, o.email, o.mail_to as "mailTo", o.lang, o.shop_id as "shopId", o.destination_id as "destinationId", o.platform, o.app, o.company,
  o.connection_id as "connectionId", o.done, o.progress, o.sealed, o.version, ${isoText('o.created_at')} as "createdAt", ${isoText('o.expires_at')} as "expiresAt",
  ${isoText('o.revoked_at')} as "revokedAt", ${isoText('o.started_at')} as "startedAt", o.expires_at <= now() as "isExpired"`;

export type NewOnboarding = Pick<StoredOnboarding, 'who' | 'email' | 'lang' | 'shopId' | 'destinationId'> &
  Partial<Pick<StoredOnboarding, 'mailTo' | 'app' | 'company'>> & { days: number };

/** Mails may go to the mailbox to which they are invited. */
export async function insertOnboarding(db: Queryable, given: NewOnboarding): Promise<StoredOnboarding> {
  const { who, email, mailTo = null, lang, shopId, destinationId, app = null, company = null, days } = given;
  const id = randomUUID();
  const mailboxes = [sealedPart(db, { id, column: 'email', plain: email }), sealedPart(db, { id, column: 'mail_to', plain: mailTo })];
  const made = await readOne(db, rowsIn(db), {
    text: `insert into onboardings as o (id, who, lang, shop_id, destination_id, expires_at, app, company, email, mail_to)
      values ($1, $2, $3, $4, $5, now() + $6 * interval '1 day', $7, $8, $9, $10) returning ${COLUMNS}`,
    values: [id, who, lang, shopId, destinationId, days, app, company, ...mailboxes],
  });
  return confirmEmail(db, made);
}

async function confirmEmail<Of extends { id: string; email: string | null }>(db: Queryable, way: Of): Promise<Of> {
  if (way.email !== null) await sayOfMailbox(db, wayMailboxes, { ownerId: way.id, mailbox: mailboxMark(db, way.email), says: 'confirmed' });
  return way;
}

export function findOnboarding(db: Queryable, id: string): Promise<StoredOnboarding | null> {
  return readRow(db, rowsIn(db), { text: `select ${COLUMNS} from onboardings o where o.id = $1`, values: [id] });
}

const STATE = `case when o.revoked_at is not null then 'revoked' when o.started_at is not null then 'started' when o.expires_at <= now() then 'expired' else 'open' end`;

/** `connection`: those by which it was connected; absent: all. `beyond`: those that are older than the one of this id, or where `isNewer` newer. */
export type OnboardingsWanted = { connection?: string; state?: string | null; beyond?: { id: string; isNewer: boolean } | null; limit?: number };

/** The newest first; where `isNewer` the nearest to that one. */
export function listOnboardings(
  db: Queryable,
  { connection, state = null, beyond = null, limit = 1_000 }: OnboardingsWanted = {},
): Promise<StoredOnboarding[]> {
  const [is, way] = beyond?.isNewer ? ['>', 'asc'] : ['<', 'desc'];
  return readRows(db, rowsIn(db), {
    text: `select ${COLUMNS} from onboardings o where ($1::text is null or o.connection_id = $1)
        and ($2::uuid is null or (o.created_at, o.id) ${is} ((select b.created_at from onboardings b where b.id = $2), $2)) and ($4::text is null or ${STATE} = $4)
      order by o.created_at ${way}, o.id ${way} limit $3`,
    values: [connection ?? null, beyond?.id ?? null, limit, state],
  });
}

const keptRows = rowsOf('onboardings', z.object({ id: z.string(), createdAt: z.string() }));

/** Ways with keys of a store that is not connected yet. */
export function waysWithKeys(db: Queryable): Promise<z.output<typeof keptRows.schema>[]> {
  return readRows(db, keptRows, {
    text: `select o.id, ${isoText('o.created_at')} as "createdAt" from onboardings o where o.sealed is not null
        or exists (select from hand_overs h where h.onboarding = o.id and h.sealed is not null) order by o.created_at, o.id`,
  });
}

/** What a step says: `progress` is kept under its name. What is absent stays. */
export type StepSaid = Partial<
  Pick<StoredOnboarding, 'lang' | 'email' | 'mailTo' | 'shopId' | 'destinationId' | 'platform' | 'connectionId' | 'company' | 'sealed' | 'startedAt'>
> & {
  step?: string;
  progress?: unknown;
  /** The step is done (true), or open again (false). */
  done?: boolean;
};

const COLUMN_OF = {
  lang: 'lang',
  email: 'email',
  mailTo: 'mail_to',
  shopId: 'shop_id',
  destinationId: 'destination_id',
  platform: 'platform',
  connectionId: 'connection_id',
  company: 'company',
  sealed: 'sealed',
  startedAt: 'started_at',
} as const;

const progressRow = rowsOf('onboardings', z.object(sealedParts));

type Version = Pick<StoredOnboarding, 'id' | 'version'>;

/** Mails may go to the mailbox that is said to be theirs. Null: somebody else changed it since it was read at `version`. */
export async function saveOnboarding(db: Queryable, { id, version }: Version, said: StepSaid): Promise<StoredOnboarding | null> {
  const values: unknown[] = [id, version];
  const sets = Object.entries(COLUMN_OF).flatMap(([key, column]) => {
    const value = said[key as keyof typeof COLUMN_OF];
    const stored = (column === 'email' || column === 'mail_to') && value !== undefined ? sealedPart(db, { id, column, plain: value }) : value;
    return stored === undefined ? [] : [`${column} = $${values.push(stored)}`];
  });
  const { step, progress, done } = said;
  if (step !== undefined && progress !== undefined) {
    const before = await progressAt(db, { id, version });
    if (before === null) return null;
    sets.push(`progress = $${values.push(sealedPart(db, { id, column: 'progress', plain: JSON.stringify({ ...before, [step]: progress }) }))}`);
  }
  if (step !== undefined && done !== undefined) {
    const without = `array_remove(done, $${values.push(step)}::text)`;
    sets.push(`done = ${done ? `array_append(${without}, $${values.length}::text)` : without}`);
  }
  const saved = await readRow(db, rowsIn(db), {
    text: `update onboardings o set ${['version = version + 1', ...sets].join(', ')} where o.id = $1 and o.version = $2 returning ${COLUMNS}`,
    values,
  });
  return saved === null || said.email === undefined ? saved : confirmEmail(db, saved);
}

/** Whoever changes it meanwhile raises the version, so that what is made of it is not written. */
async function progressAt(db: Queryable, { id, version }: Version): Promise<StoredProgress | null> {
  const row = await readRow(db, withParts(db, progressRow, { waits: true }), {
    text: 'select o.id, null as email, null as "mailTo", o.progress from onboardings o where o.id = $1 and o.version = $2',
    values: [id, version],
  });
  return row?.progress ?? null;
}

/** The store records: the ways to it are done. Anyone who read one before must read it again. */
export async function endWays(db: Queryable, connectionId: string): Promise<void> {
  await db.query(
    `update onboardings set started_at = now(), done = array_append(array_remove(done, 'trial'), 'trial'), version = version + 1
      where connection_id = $1 and started_at is null and revoked_at is null`,
    [connectionId],
  );
}

/** Keys that its store gave are forgotten with it; anyone who read it before keeps none for it. False: it is revoked already. Its codes open nothing, and still count. */
export async function revokeOnboarding(db: Queryable, id: string): Promise<boolean> {
  for (const its of ['hand_overs', 'grant_requests']) await db.query(`delete from ${its} where onboarding = $1`, [id]);
  await endCodes(db, wayCodes, id);
  const { rowCount } = await db.query('update onboardings set revoked_at = now(), sealed = null, version = version + 1 where id = $1 and revoked_at is null', [
    id,
  ]);
  return rowCount === 1;
}

const link = z.object({ onboarding: z.string(), scope: z.string(), expiresAt: z.string().nullable(), isLive: z.boolean(), isRevoked: z.boolean() });

/** What a link opens: `all`, `status`, `step:NAME`, `confirm:MAILBOX` or `mails:MAILBOX`. */
type StoredLink = z.output<typeof link>;

const linkRows = rowsOf('onboarding_links', link);

/** `token`: SHA-256 of what the address says. `days` null: without an end. */
export type NewOnboardingLink = { token: Buffer; onboarding: string; scope: string; days: number | null };

export async function insertOnboardingLink(db: Queryable, { token, onboarding, scope, days }: NewOnboardingLink): Promise<void> {
  await db.query(`insert into onboarding_links (token, onboarding, scope, expires_at) values ($1, $2, $3, now() + $4 * interval '1 day')`, [
    token,
    onboarding,
    scope,
    days,
  ]);
}

/** The same, if the way never had one of this scope; false: it had, whatever became of it. */
export function insertFirstLink(pool: Pool, link: NewOnboardingLink): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    // Of two at once, one waits for the other.
    await tx.query('select from onboardings where id = $1 for update', [link.onboarding]);
    const { rowCount } = await tx.query('select from onboarding_links where onboarding = $1 and scope = $2 and expires_at is null limit 1', [
      link.onboarding,
      link.scope,
    ]);
    if (rowCount === 0) await insertOnboardingLink(tx, link);
    return rowCount === 0;
  });
}

export function findOnboardingLink(db: Queryable, token: Buffer): Promise<StoredLink | null> {
  return readRow(db, linkRows, {
    text: `select l.onboarding, l.scope, ${isoText('l.expires_at')} as "expiresAt", l.revoked_at is not null as "isRevoked",
      l.revoked_at is null and (l.expires_at is null or l.expires_at > now()) as "isLive" from onboarding_links l where l.token = $1`,
    values: [token],
  });
}

/** Ends every live link of this scope; returns how many. */
export async function revokeOnboardingLinks(db: Queryable, { onboarding, scope }: { onboarding: string; scope: string }): Promise<number> {
  const { rowCount } = await db.query(
    'update onboarding_links set revoked_at = now() where onboarding = $1 and (scope = $2 or starts_with(scope, $3)) and revoked_at is null',
    [onboarding, scope, `${scope}:`],
  );
  return rowCount ?? 0;
}

/** No mails about the store go to this mailbox any more, or some may again. False: it is so already, or was changed within a minute. */
export function refuseMails(pool: Pool, { ownerId, mailbox, isRefused }: MailboxKey & { isRefused: boolean }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const isSaid = await sayOfMailbox(tx, wayMailboxes, { ownerId, mailbox, says: isRefused ? 'refused' : 'resumed' });
    if (isSaid) await writeBridgeActs(tx, [{ who: `merchant:${ownerId}`, act: isRefused ? 'mails.refused' : 'mails.resumed', subject: ownerId }]);
    return isSaid;
  });
}

const refusedRows = rowsOf('mailboxes', z.object({ ...sealedParts, shopId: z.string().nullable(), mailbox: z.instanceof(Buffer), since: z.string() }));

/** Ways whose mailbox said that the store is not theirs, as long as they have that mailbox. */
export async function refusedMailboxes(db: Queryable): Promise<{ onboarding: string; shopId: string | null; since: string }[]> {
  const rows = await readRows(db, withParts(db, refusedRows), {
    text: `select o.id, o.email, o.mail_to as "mailTo", null as progress, o.shop_id as "shopId", m.mailbox, ${isoText('m.refused_at')} as since
      from mailboxes m join onboardings o on o.id = m.onboarding_id where m.refused_at is not null and o.revoked_at is null order by m.refused_at limit 1000`,
  });
  return rows.flatMap(({ id: onboarding, email, mailTo, shopId, mailbox, since }) =>
    mailboxMark(db, email ?? mailTo ?? '').equals(mailbox) ? [{ onboarding, shopId, since }] : [],
  );
}
