import { addInvitation, endInvitation, endLinks, replaceLink } from '../../bridge/ledger/change-invitation.ts';
import { type LiveLink, liveLinks } from '../../bridge/ledger/invitation-store.ts';
import { findOnboarding, insertFirstLink, listOnboardings, type StoredOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import { emailAddress } from '../../contract/email-address.ts';
import type { Lang } from '../../contract/said.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { type Actor, PROGRAM, type Said } from '../../platform/trail/trail.ts';
import { grantableApp } from '../apps/grantable-apps.ts';
import type { FindApps } from '../apps/known-app.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';
import { type GivenShopDeps, givenShop } from './given-shop.ts';
import { newOnboardingLink } from './onboarding.ts';

type Deps = { pool: Pool };

/** The way to the start is open for so long. */
const DAYS = 14;

/**
 * `email`: where the merchant is mailed what only he can do; null: nowhere. `shopId`: of the compliance service; null: he makes one. `app`: which he approves at
 * his store; null: none is named. `lang` null: as his browser says.
 */
type Inviting = { email: string | null; shopId: string | null; app: string | null; lang: Lang | null; by: Actor };

/** Lets one merchant connect one store; `token` is what his link says, and is shown once. */
export async function inviteMerchant(
  deps: Deps & GivenShopDeps & FindApps,
  { email, shopId, app, lang, by }: Inviting,
): Promise<{ id: string; token: string }> {
  if (email !== null && !emailAddress.safeParse(email).success)
    throw new Refusal('invalid', { en: 'this is not an e-mail address', bg: 'това не е имейл адрес' });
  if (app !== null) await grantableApp(deps, app);
  const shop = shopId === null ? { shopId: null, destinationId: null } : await givenShop(deps, shopId);
  const token = newToken();
  const { id } = await addInvitation(deps.pool, { ...shop, who: by, email, app, lang, days: DAYS, token: hashOf(token) });
  return { id, token };
}

/** Whoever comes to the open door; who he is, nobody has checked. */
export async function beginUninvited({ pool }: Deps): Promise<{ token: string }> {
  const token = newToken();
  await addInvitation(pool, { who: PROGRAM, email: null, lang: null, shopId: null, destinationId: null, days: DAYS, token: hashOf(token) });
  return { token };
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
  'id' | 'who' | 'email' | 'mailTo' | 'lang' | 'shopId' | 'platform' | 'app' | 'connectionId' | 'done' | 'createdAt' | 'expiresAt'
>;

/** `links`: those that open something. */
export type Invitation = Kept & { state: InvitationState; links: readonly LiveLink[] };

/** The newest first. */
export async function listInvitations({ pool }: Deps): Promise<Invitation[]> {
  const [stored, links] = await Promise.all([listOnboardings(pool), liveLinks(pool, null)]);
  return stored.map((one) => toInvitation(one, links));
}

export async function knownInvitation({ pool }: Deps, id: string): Promise<Invitation> {
  const stored = isUuid(id) ? await findOnboarding(pool, id) : null;
  if (stored !== null) return toInvitation(stored, await liveLinks(pool, stored.id));
  throw new Refusal(
    'missing',
    { en: 'there is no such invitation', bg: 'няма такава покана' },
    { advice: { en: '`orderbridge invitations list` shows them', bg: '`orderbridge invitations list` ги показва' } },
  );
}

function toInvitation(stored: StoredOnboarding, links: readonly LiveLink[]): Invitation {
  const { id, who, email, mailTo, lang, shopId, platform, app, connectionId, done, createdAt, expiresAt } = stored;
  const own = links.filter(({ onboarding }) => onboarding === id);
  return { ...{ id, who, email, mailTo, lang, shopId, platform, app, connectionId, done, createdAt, expiresAt }, state: stateOf(stored), links: own };
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
