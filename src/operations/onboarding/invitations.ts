import type { RecordReader } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { waysOfCompany } from '../../bridge/ledger/invitations/company-store.ts';
import { addInvitation, endInvitation, endLinks, type LiveLink, liveLinks, replaceLink } from '../../bridge/ledger/invitations/invitation-store.ts';
import {
  findOnboarding,
  insertFirstLink,
  listOnboardings,
  type OnboardingsWanted,
  type StoredOnboarding,
} from '../../bridge/ledger/invitations/onboarding-store.ts';
import { Failure } from '../../bridge/order/facts/failure.ts';
import { emailAddress } from '../../contract/email-address.ts';
import type { Lang } from '../../contract/messages.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor, Authorship } from '../../platform/audit-log/audit-log.ts';
import { normalAddress } from '../../platform/mail/mailboxes.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import { companiesInUse, merchantOf } from '../../service/shops/check-company.ts';
import { type FindApps, grantableApp } from '../apps/apps.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';
import { knownMerchant } from '../service/numbers.ts';
import { codeMeans } from '../words.ts';
import { ChangedMeanwhile, newOnboardingLink } from './onboarding.ts';
import { companyOf, saveCompany } from './own-company.ts';

type Deps = { pool: Pool };

/** The way to the start is open for so long. */
const DAYS = 14;

/**
 * `email`: where the merchant is mailed what only they can do; null: nowhere. `shopId`: of the compliance service; null: they make one. `company`: the number of the
 * company of which they make it; null: it is confirmed when they name it. `app`: which they approve at their store; null: none is named. `lang` null: as their browser says.
 */
type Inviting = { email: string | null; shopId: string | null; company: string | null; app: string | null; lang: Lang | null; by: Actor };

/** Lets one merchant connect one store; `token` is what their link says, and is shown once. `others`: who has that company already, as `othersOf` names them. */
export async function inviteMerchant(
  deps: Deps & GivenShopDeps & FindApps,
  { email, shopId, company: named, app, lang, by }: Inviting,
): Promise<{ id: string; token: string; others: readonly string[] }> {
  if (email !== null && !emailAddress.safeParse(email).success)
    throw new Refusal('invalid', { en: 'this is not an e-mail address', bg: 'това не е имейл адрес' });
  if (app !== null) await grantableApp(deps, app);
  const shop = shopId === null ? { shopId: null, destinationId: null } : await givenShop(deps, shopId);
  const company = named === null ? await companyOfShop(deps.pool, shop.shopId) : knownMerchant(named);
  const token = newToken();
  const made = await addInvitation(deps.pool, { ...shop, who: by, email, app, lang, company, days: DAYS, token: hashOf(token) });
  if (named !== null) await saveCompany(deps, made.id, () => ({ company: { named, typed: { companyUic: named } } }));
  return { id: made.id, token, others: company === null ? [] : await othersOf(deps.pool, { ...made, company }) };
}

/** The token of a link to the store’s status page, without an end; shown once. */
export function statusLink(deps: Deps, onboarding: { id: string }): Promise<string> {
  return newOnboardingLink(deps, onboarding, { scope: { kind: 'status' }, days: null });
}

/** The same for anyone who has none yet, however often they ask; null: they were given one. */
export async function firstStatusLink({ pool }: Deps, { id }: { id: string }): Promise<string | null> {
  const token = newToken();
  const isFirst = await insertFirstLink(pool, { token: hashOf(token), onboarding: id, scope: 'status', days: null });
  return isFirst ? token : null;
}

/** open: their link leads on. expired: they need a new one. started: recording began. */
type InvitationState = 'open' | 'expired' | 'revoked' | 'started';

type Kept = Pick<
  StoredOnboarding,
  'id' | 'who' | 'email' | 'mailTo' | 'lang' | 'shopId' | 'platform' | 'app' | 'connectionId' | 'company' | 'done' | 'createdAt' | 'expiresAt'
>;

/**
 * `waits`: the company that is to be confirmed, and who else has it; null: none. `links`: those that open something, but for those that confirm a company.
 */
export type Invitation = Kept & { state: InvitationState; waits: Waiting | null; links: readonly LiveLink[] };

/** `company`: by `merchantOf`. `name`: as its merchant typed it. `others`: as `othersOf` names them. */
type Waiting = { company: string; at: string; name: string | null; others: readonly string[] };

/** The newest first; where `isNewer` the nearest to that one. */
export async function listInvitations({ pool }: Deps, wanted: OnboardingsWanted = {}): Promise<Invitation[]> {
  const stored = await listOnboardings(pool, wanted);
  const links = Map.groupBy(
    await liveLinks(
      pool,
      stored.map(({ id }) => id),
    ),
    ({ onboarding }) => onboarding,
  );
  return Promise.all(stored.map((one) => toInvitation(pool, one, links.get(one.id) ?? [])));
}

export async function knownInvitation({ pool }: Deps, id: string): Promise<Invitation> {
  const stored = isUuid(id) ? await findOnboarding(pool, id) : null;
  if (stored !== null) return toInvitation(pool, stored, await liveLinks(pool, [stored.id]));
  throw new Refusal('missing', {
    en: 'there is no such invitation',
    bg: 'няма такава покана',
    advice: '`orderbridge invitations list` shows them',
  });
}

async function toInvitation(pool: Pool, stored: StoredOnboarding, links: readonly LiveLink[]): Promise<Invitation> {
  const { id, who, email, mailTo, lang, shopId, platform, app, connectionId, company, done, createdAt, expiresAt } = stored;
  const kept = { id, who, email, mailTo, lang, shopId, platform, app, connectionId, company, done, createdAt, expiresAt };
  return { ...kept, state: stateOf(stored), waits: await waitingOf(pool, stored), links };
}

async function waitingOf(pool: Pool, stored: StoredOnboarding): Promise<Waiting | null> {
  const { waits, typed } = companyOf(stored);
  if (waits === null || stateOf(stored) !== 'open') return null;
  return { ...waits, name: typed.companyName ?? null, others: await othersOf(pool, { ...stored, ...waits }) };
}

function stateOf({ revokedAt, startedAt, isExpired }: StoredOnboarding): InvitationState {
  if (revokedAt !== null) return 'revoked';
  if (startedAt !== null) return 'started';
  return isExpired ? 'expired' : 'open';
}

/** A new link instead of all before: for 14 days to the way; once recording began, without an end to the store’s status page. Its token is shown once. */
export async function renewInvitation(deps: Deps, { id, ...said }: Authorship & { id: string }): Promise<{ token: string; invitation: Invitation }> {
  const invitation = await notRevoked(deps, id);
  const token = newToken();
  const way = invitation.state === 'started' ? ({ scope: 'status', days: null } as const) : ({ scope: 'all', days: DAYS } as const);
  if (!(await replaceLink(deps.pool, invitation, { ...way, token: hashOf(token), ...said }))) throw new ChangedMeanwhile();
  return { token, invitation };
}

/** The links of these scopes end: `all`, `status`, `step:NAME`, or `step` for those to any. Returns how many did. */
export async function endLinksOf(deps: Deps, { id, ...ending }: Authorship & { id: string; scopes: readonly string[] }): Promise<number> {
  return endLinks(deps.pool, await knownInvitation(deps, id), ending);
}

/** Every link of it ends; what it connected stays. */
export async function revokeInvitation(deps: Deps, { id, ...said }: Authorship & { id: string }): Promise<void> {
  await endInvitation(deps.pool, await notRevoked(deps, id), said);
}

async function notRevoked(deps: Deps, id: string): Promise<Invitation> {
  const invitation = await knownInvitation(deps, id);
  if (invitation.state !== 'revoked') return invitation;
  throw new Refusal('conflict', {
    en: 'this invitation was revoked',
    bg: 'тази покана е отменена',
    advice: '`orderbridge invite` makes another',
  });
}

type GivenShopDeps = {
  compliance: Pick<ComplianceAccess, 'destination' | 'endpoint'>;
  client: Pick<RecordReader, 'knowsShop'>;
  connections: { list(): Promise<Connection[]> };
};

const LONGEST_MS = 10_000;

/** A shop of the configured compliance service that a store can be connected to. A service that does not say which shops it has is believed. */
async function givenShop({ compliance, client, connections }: GivenShopDeps, typed: string): Promise<{ shopId: string; destinationId: string }> {
  const shopId = typed.toLowerCase();
  if (!isUuid(shopId))
    throw new Refusal('invalid', {
      en: 'a shop is named by its id at the compliance service, a UUID',
      bg: 'магазин се посочва с идентификатора на обекта си в услугата за отчитане (UUID)',
    });
  const destinationId = await compliance.destination(null);
  const taken = (await connections.list()).find((one) => one.closedAt === null && one.shopId === shopId && one.destinationId === destinationId);
  if (taken !== undefined)
    throw new Refusal('conflict', {
      en: `the shop ${shopId} is connected already, as ${taken.id}`,
      bg: `обектът ${shopId} вече е свързан като ${taken.id}`,
      advice: { en: 'a shop has one store; disconnect that one first', bg: 'един обект има един магазин; първо изключете онзи' },
    });
  if ((await isKnown({ compliance, client }, shopId)) !== false) return { shopId, destinationId };
  throw new Refusal('missing', {
    en: `the compliance service has no shop ${shopId} for this key`,
    bg: `услугата за отчитане няма обект ${shopId} за този ключ`,
    advice: { en: 'leave it out and the merchant makes one', bg: 'оставете го празно и търговецът ще създаде свой' },
  });
}

async function isKnown({ compliance, client }: Pick<GivenShopDeps, 'compliance' | 'client'>, shopId: string): Promise<boolean | null> {
  try {
    return await client.knowsShop(await compliance.endpoint(null), shopId, AbortSignal.timeout(LONGEST_MS));
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new Refusal('unavailable', {
      en: `the compliance service can’t be asked about the shop: ${thrown.message}`,
      bg: `услугата за отчитане не може да бъде попитана за обекта: ${codeMeans(thrown.code, 'bg')}`,
      advice: { en: 'nothing was changed; try again', bg: 'нищо не беше променено; опитайте отново' },
    });
  }
}
type MadeShopNamed = { id: string; shopId: string | null; by: Actor };

/** A person looked whether the service made a merchant's shop, after its answer was lost: this one; or null: it made none, and may be called again. */
export async function nameMadeShop(deps: GivenShopDeps & { pool: Pool }, { id: named, shopId, by }: MadeShopNamed): Promise<void> {
  const { id } = await knownInvitation(deps, named);
  const stored = await findOnboarding(deps.pool, id);
  const { sent, shop } = stored === null ? { sent: null, shop: null } : companyOf(stored);
  if (sent === null || shop !== null) throw new Refusal('conflict', 'no shop of this merchant is in doubt');
  const given = shopId === null ? null : await givenShop(deps, shopId);
  await saveCompany(deps, id, () =>
    given === null ? { company: { sent: null, sentAt: null, press: null } } : { company: { shop: given.shopId }, said: given, done: true },
  );
  await writeBridgeActs(deps.pool, [{ who: by, act: 'invitation.shop', subject: id, after: { shopId: given?.shopId ?? null } }]);
}

/**
 * Who else has a company, for the operator alone: the mailboxes of other merchants, or the ids of their invitations; `compliance` if nobody was invited, but
 * our service has it.
 */
async function othersOf(pool: Pool, { id, email, company }: { id: string; email: string | null; company: string }): Promise<string[]> {
  const ways = await waysOfCompany(pool, { company, except: id });
  const others = ways.filter((one) => email === null || one.email === null || normalAddress(one.email) !== normalAddress(email));
  if (ways.length > 0) return [...new Set(others.map((one) => one.email ?? one.id))];
  return (await hasService(pool)) && (await companiesInUse(pool, [company])).has(company) ? ['compliance'] : [];
}

/** The company of a shop of our own service; null: it is another one's. */
async function companyOfShop(pool: Pool, shopId: string | null): Promise<string | null> {
  const shop = shopId === null || !(await hasService(pool)) ? null : await readShop(pool, { id: shopId });
  return shop === null ? null : merchantOf(shop.companyUic);
}
