import {
  findOnboarding,
  findOnboardingLink,
  insertOnboardingLink,
  refuseMails,
  type StoredOnboarding,
  saveOnboarding,
  wayMailboxes,
} from '../../bridge/ledger/invitations/onboarding-store.ts';
import { carrySaid, type MailboxState, mailboxMark, mailboxState, sayOfMailbox } from '../../platform/mail/mailboxes.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { sayOfShop, shopMailboxes } from '../../service/mail/recipients.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';

/** What a merchant goes through, in this order; each has an address of its own. */
export const STEPS = ['store', 'company', 'webhooks', 'mapping', 'trial'] as const;
export type OnboardingStep = (typeof STEPS)[number];

/** `keys` are kept apart, sealed: see `sealed` of the store. */
export type Onboarding = Omit<StoredOnboarding, 'done'> & { done: readonly OnboardingStep[] };

/** What a link opens: the whole way, one step of it, the store’s status page, or what a mailbox says of mails and a company. */
export type LinkScope = { kind: 'all' } | { kind: 'status' } | { kind: 'step'; step: OnboardingStep } | ConfirmScope;

/** By the mailbox with this mark: it was asked to confirm, or (`isAsked` false) had a mail, and may refuse more. */
export type ConfirmScope = { kind: 'confirm'; mailbox: string; isAsked: boolean };

/** `endsAt` null: the link has no end. */
export type OpenedLink = { onboarding: Onboarding; scope: LinkScope; endsAt: string | null } | { gone: 'unknown' | 'expired' | 'revoked' };

type Deps = { pool: Pool };

/** What the link with this token opens. The way to the start ends with the invitation; what has started can be looked at as long as its link lives. */
export async function openLink({ pool }: Deps, token: string): Promise<OpenedLink> {
  const link = await findOnboardingLink(pool, hashOf(token));
  if (link === null) return { gone: 'unknown' };
  const stored = await findOnboarding(pool, link.onboarding);
  const scope = scopeOf(link);
  if (stored === null || scope === null) return { gone: 'unknown' };
  if (link.isRevoked || stored.revokedAt !== null) return { gone: 'revoked' };
  const isOver = stored.startedAt === null && stored.isExpired && !(scope.kind === 'confirm' && !scope.isAsked);
  if (!link.isLive || isOver) return { gone: 'expired' };
  return { onboarding: toOnboarding(stored), scope, endsAt: link.expiresAt };
}

/** A new link; its token is shown once. `days` null: without an end. */
export async function newOnboardingLink({ pool }: Deps, { id }: Pick<Onboarding, 'id'>, given: { scope: LinkScope; days: number | null }): Promise<string> {
  const token = newToken();
  await insertOnboardingLink(pool, { token: hashOf(token), onboarding: id, scope: scopeText(given.scope), days: given.days });
  return token;
}

type StepChange = Parameters<typeof saveOnboarding>[2] & { step?: OnboardingStep };

/** Saves what a step says of what it saw. Refuses if another window of the merchant was faster, because it may be of something else now. */
export async function saveStep({ pool }: { pool: Queryable }, onboarding: Pick<Onboarding, 'id' | 'version'>, said: StepChange): Promise<Onboarding> {
  if (said.shopId != null) await carryToShop(pool, { id: onboarding.id, shopId: said.shopId });
  const saved = await saveOnboarding(pool, onboarding, said);
  if (saved !== null) return toOnboarding(saved);
  throw new ChangedMeanwhile();
}

/** Somebody was faster: another window of the merchant, or a press of theirs that was doubled. */
export class ChangedMeanwhile extends Refusal {
  constructor() {
    super('conflict', {
      en: 'this was changed in another window meanwhile',
      bg: 'междувременно това беше променено в друг прозорец',
      advice: { en: 'load the page again', bg: 'заредете страницата отново' },
    });
  }
}

const MOST_TRIES = 5;

/** What is kept of it now, whatever this request has read before. */
export async function findNewest({ pool }: { pool: Queryable }, id: string): Promise<Onboarding> {
  const stored = await findOnboarding(pool, id);
  if (stored === null) throw new Error('the onboarding is not in the ledger');
  return toOnboarding(stored);
}

/** Saves what `change` says of the newest state; null: nothing. Anyone who is faster only has it look again. Returns what is kept then. */
export async function saveNewest(deps: { pool: Queryable }, id: string, change: (newest: Onboarding) => StepChange | null): Promise<Onboarding> {
  for (let tries = 1; ; tries += 1) {
    const newest = await findNewest(deps, id);
    const said = change(newest);
    if (said === null) return newest;
    try {
      return await saveStep(deps, newest, said);
    } catch (thrown) {
      if (!(thrown instanceof ChangedMeanwhile) || tries >= MOST_TRIES) throw thrown;
    }
  }
}

/** A step is done, whatever was saved meanwhile, such as by a press that was doubled. */
export async function endStep(deps: Deps, { id }: Pick<Onboarding, 'id'>, step: OnboardingStep): Promise<void> {
  await saveNewest(deps, id, ({ done }) => (done.includes(step) ? null : { step, done: true }));
}

/** The first step that is not done; null: all are. */
export function firstOpen({ done }: Pick<Onboarding, 'done'>): OnboardingStep | null {
  return STEPS.find((step) => !done.includes(step)) ?? null;
}

/** May the step be seen yet? All before it must be done. */
export function isReachable({ done }: Pick<Onboarding, 'done'>, step: OnboardingStep): boolean {
  return STEPS.slice(0, STEPS.indexOf(step)).every((before) => done.includes(before));
}

export function toOnboarding(stored: StoredOnboarding): Onboarding {
  return { ...stored, done: STEPS.filter((step) => stored.done.includes(step)) };
}

export function scopeText(scope: LinkScope): string {
  if (scope.kind === 'confirm') return `${scope.isAsked ? 'confirm' : 'mails'}:${scope.mailbox}`;
  return scope.kind === 'step' ? `step:${scope.step}` : scope.kind;
}

function scopeOf({ scope }: { scope: string }): LinkScope | null {
  if (scope === 'all' || scope === 'status') return { kind: scope };
  const [, kind, mailbox] = /^(confirm|mails):([0-9a-f]+)$/.exec(scope) ?? [];
  if (mailbox !== undefined) return { kind: 'confirm', mailbox, isAsked: kind === 'confirm' };
  const step = STEPS.find((one) => scope === `step:${one}`);
  return step === undefined ? null : { kind: 'step', step };
}

/** Where a merchant's link leads. `base`: where this server is reached, without a trailing slash. */
export function connectAddress(base: string, token: string): string {
  return `${base}/connect/${token}`;
}

type Way = Pick<StoredOnboarding, 'id' | 'shopId'>;

/** Whether mails about the store of a way may go to the mailbox of this mark or address; what it said of its shop’s months counts, too. */
export async function mailboxSays({ pool }: { pool: Queryable }, { id, shopId }: Way, of: Buffer | string): Promise<MailboxState> {
  const mailbox = typeof of === 'string' ? mailboxMark(pool, of) : of;
  const said = await mailboxState(pool, wayMailboxes, { ownerId: id, mailbox });
  const atService = shopId !== null && (await hasService(pool)) ? await mailboxState(pool, shopMailboxes, { ownerId: shopId, mailbox }) : null;
  const isRefused = said.isRefused || atService?.isRefused === true;
  return { ...said, isRefused, isOpen: said.isConfirmed && !isRefused };
}

/** Anyone who reads the mailbox of this mark says that the store is not theirs, or that it is: mails stop or go on. False: a moment ago they said otherwise. */
export async function sayWhose({ pool }: { pool: Pool }, { id, shopId }: Way, said: { mailbox: Buffer; isRefused: boolean }): Promise<boolean> {
  const isSaid = await refuseMails(pool, { ownerId: id, ...said });
  // Mails of its months, too.
  if (shopId !== null && (await hasService(pool)))
    await sayOfShop(pool, { shopId, mailbox: said.mailbox, says: said.isRefused ? 'refused' : 'resumed', by: `merchant:${id}` });
  return isSaid;
}

/** Mails about the store may go to the mailbox of this mark, and those of its shop's months. */
export async function confirmMailbox(db: Queryable, { id, shopId }: Way, mailbox: Buffer): Promise<void> {
  await sayOfMailbox(db, wayMailboxes, { ownerId: id, mailbox, says: 'confirmed' });
  if (shopId !== null) await carryToShop(db, { id, shopId });
}

/** What mailboxes said on a way holds for the shop of our service to which it leads. */
export async function carryToShop(db: Queryable, { id, shopId }: { id: string; shopId: string }): Promise<void> {
  if (await hasService(db)) await carrySaid(db, { ...wayMailboxes, ownerId: id }, { ...shopMailboxes, ownerId: shopId });
}

/** What mailboxes said on a way holds for another way to the same store or shop. */
export function carryToWay(db: Queryable, from: string, to: string): Promise<void> {
  return carrySaid(db, { ...wayMailboxes, ownerId: from }, { ...wayMailboxes, ownerId: to });
}

/** The same; and what this mailbox said of the shop that the way had, which another one may not have. */
export async function carryMailbox({ pool }: { pool: Queryable }, from: Way, { to, address }: { to: string; address: string }): Promise<void> {
  await carryToWay(pool, from.id, to);
  const mailbox = mailboxMark(pool, address);
  if ((await mailboxSays({ pool }, from, mailbox)).isRefused) await sayOfMailbox(pool, wayMailboxes, { ownerId: to, mailbox, says: 'refused' });
}
