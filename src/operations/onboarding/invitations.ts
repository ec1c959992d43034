import { addInvitation, endInvitation, endLinks, replaceLink } from '../../bridge/ledger/change-invitation.ts';
import { type LiveLink, liveLinks } from '../../bridge/ledger/invitation-store.ts';
import { findOnboarding, insertFirstLink, listOnboardings, type StoredOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import { emailAddress } from '../../contract/email-address.ts';
import type { Lang } from '../../contract/said.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import type { Actor, Said } from '../../platform/trail/trail.ts';
import { grantableApp } from '../apps/grantable-apps.ts';
import type { FindApps } from '../apps/known-app.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';
import { knownMerchant } from '../service/numbers.ts';
import { type GivenShopDeps, givenShop } from './given-shop.ts';
import { newOnboardingLink } from './onboarding.ts';
import { companyOfShop, othersOf } from './others-of-company.ts';
import { companyOf, saveCompany } from './own-shop.ts';

type Deps = { pool: Pool };

/** The way to the start is open for so long. */
const DAYS = 14;

/**
 * `email`: where the merchant is mailed what only he can do; null: nowhere. `shopId`: of the compliance service; null: he makes one. `company`: the number of the
 * company of which he makes it; null: it is confirmed when he names it. `app`: which he approves at his store; null: none is named. `lang` null: as his browser says.
 */
type Inviting = { email: string | null; shopId: string | null; company: string | null; app: string | null; lang: Lang | null; by: Actor };

/** Lets one merchant connect one store; `token` is what his link says, and is shown once. `others`: who has that company already, as `othersOf` names them. */
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

/** The token of a link to the page of how the store does, without an end; shown once. */
export function statusLink(deps: Deps, onboarding: { id: string }): Promise<string> {
  return newOnboardingLink(deps, onboarding, { scope: { kind: 'status' }, days: null });
}

/** The same for whoever has none yet, however often he asks; null: he was given one. */
export async function firstStatusLink({ pool }: Deps, { id }: { id: string }): Promise<string | null> {
  const token = newToken();
  const isFirst = await insertFirstLink(pool, { token: hashOf(token), onboarding: id, scope: 'status', days: null });
  return isFirst ? token : null;
}

/** open: his link leads on. expired: he needs a new one. started: recording began. */
export type InvitationState = 'open' | 'expired' | 'revoked' | 'started';

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

/** The newest first. */
export async function listInvitations({ pool }: Deps): Promise<Invitation[]> {
  const [stored, links] = await Promise.all([listOnboardings(pool), liveLinks(pool, null)]);
  return Promise.all(stored.map((one) => toInvitation(pool, one, links)));
}

export async function knownInvitation({ pool }: Deps, id: string): Promise<Invitation> {
  const stored = isUuid(id) ? await findOnboarding(pool, id) : null;
  if (stored !== null) return toInvitation(pool, stored, await liveLinks(pool, stored.id));
  throw new Refusal(
    'missing',
    { en: 'there is no such invitation', bg: 'няма такава покана' },
    { advice: { en: '`orderbridge invitations list` shows them', bg: '`orderbridge invitations list` ги показва' } },
  );
}

async function toInvitation(pool: Pool, stored: StoredOnboarding, links: readonly LiveLink[]): Promise<Invitation> {
  const { id, who, email, mailTo, lang, shopId, platform, app, connectionId, company, done, createdAt, expiresAt } = stored;
  const own = links.filter(({ onboarding }) => onboarding === id);
  const kept = { id, who, email, mailTo, lang, shopId, platform, app, connectionId, company, done, createdAt, expiresAt };
  return { ...kept, state: stateOf(stored), waits: await waitingOf(pool, stored), links: own };
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

/** A new link instead of all before: for 14 days to the way; once recording began, without an end to the page of how the store does. Its token is shown once. */
export async function renewInvitation(deps: Deps, { id, ...said }: Said & { id: string }): Promise<{ token: string; invitation: Invitation }> {
  const invitation = await notRevoked(deps, id);
  const token = newToken();
  const way = invitation.state === 'started' ? ({ scope: 'status', days: null } as const) : ({ scope: 'all', days: DAYS } as const);
  await replaceLink(deps.pool, invitation, { ...way, token: hashOf(token), ...said });
  return { token, invitation };
}

/** The links of these scopes end: `all`, `status`, `step:NAME`, or `step` for those to any. Returns how many did. */
export async function endLinksOf(deps: Deps, { id, ...ending }: Said & { id: string; scopes: readonly string[] }): Promise<number> {
  return endLinks(deps.pool, await knownInvitation(deps, id), ending);
}

/** Every link of it ends; what it connected stays. */
export async function revokeInvitation(deps: Deps, { id, ...said }: Said & { id: string }): Promise<void> {
  await endInvitation(deps.pool, await notRevoked(deps, id), said);
}

async function notRevoked(deps: Deps, id: string): Promise<Invitation> {
  const invitation = await knownInvitation(deps, id);
  if (invitation.state !== 'revoked') return invitation;
  throw new Refusal(
    'conflict',
    { en: 'this invitation was revoked', bg: 'тази покана е отменена' },
    { advice: { en: '`orderbridge invite` makes another', bg: '`orderbridge invite` прави друга' } },
  );
}
