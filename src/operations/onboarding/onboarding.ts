import {
  findOnboarding,
  findOnboardingLink,
  insertOnboardingLink,
  type StepSaid,
  type StoredLink,
  type StoredOnboarding,
  saveOnboarding,
} from '../../bridge/ledger/onboarding-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';

/** What a merchant goes through, in this order; each has an address of its own. */
export const STEPS = ['store', 'company', 'webhooks', 'mapping', 'trial'] as const;
export type Step = (typeof STEPS)[number];

/** `keys` are kept apart, sealed: see `sealed` of the store. */
export type Onboarding = Omit<StoredOnboarding, 'done'> & { done: readonly Step[] };

/** What a link opens: the whole way, one step of it, or the page of how the store does. */
export type LinkScope = { kind: 'all' } | { kind: 'status' } | { kind: 'step'; step: Step };

export type OpenedLink = { onboarding: Onboarding; scope: LinkScope } | { gone: 'unknown' | 'expired' | 'revoked' };

type Deps = { pool: Pool };

/** What the link with this token opens. The way to the start ends with the invitation; what has started can be looked at as long as its link lives. */
export async function openLink({ pool }: Deps, token: string): Promise<OpenedLink> {
  const link = await findOnboardingLink(pool, hashOf(token));
  if (link === null) return { gone: 'unknown' };
  const stored = await findOnboarding(pool, link.onboarding);
  const scope = scopeOf(link);
  if (stored === null || scope === null) return { gone: 'unknown' };
  if (link.isRevoked || stored.revokedAt !== null) return { gone: 'revoked' };
  const isOver = stored.startedAt === null && stored.isExpired;
  if (!link.isLive || isOver) return { gone: 'expired' };
  return { onboarding: toOnboarding(stored), scope };
}

/** A new link; its token is shown once. `days` null: without an end. */
export async function newOnboardingLink({ pool }: Deps, { id }: Pick<Onboarding, 'id'>, given: { scope: LinkScope; days: number | null }): Promise<string> {
  const token = newToken();
  await insertOnboardingLink(pool, { token: hashOf(token), onboarding: id, scope: scopeText(given.scope), days: given.days });
  return token;
}

/** Saves what a step says. Refuses if another window of the merchant was faster. */
export async function saveStep({ pool }: Deps, onboarding: Pick<Onboarding, 'id' | 'version'>, said: StepSaid & { step?: Step }): Promise<Onboarding> {
  const saved = await saveOnboarding(pool, onboarding, said);
  if (saved !== null) return toOnboarding(saved);
  throw changedMeanwhile();
}

export function changedMeanwhile(): Refusal {
  return new Refusal(
    'conflict',
    { en: 'this was changed in another window meanwhile', bg: 'междувременно това беше променено в друг прозорец' },
    { advice: { en: 'load the page again', bg: 'заредете страницата отново' } },
  );
}

/** The first step that is not done; null: all are. */
export function firstOpen({ done }: Pick<Onboarding, 'done'>): Step | null {
  return STEPS.find((step) => !done.includes(step)) ?? null;
}

/** May the step be seen yet? All before it must be done. */
export function isReachable({ done }: Pick<Onboarding, 'done'>, step: Step): boolean {
  return STEPS.slice(0, STEPS.indexOf(step)).every((before) => done.includes(before));
}

export function toOnboarding(stored: StoredOnboarding): Onboarding {
  return { ...stored, done: STEPS.filter((step) => stored.done.includes(step)) };
}

function scopeText(scope: LinkScope): string {
  return scope.kind === 'step' ? `step:${scope.step}` : scope.kind;
}

function scopeOf({ scope }: Pick<StoredLink, 'scope'>): LinkScope | null {
  if (scope === 'all' || scope === 'status') return { kind: scope };
  const step = STEPS.find((one) => scope === `step:${one}`);
  return step === undefined ? null : { kind: 'step', step };
}
