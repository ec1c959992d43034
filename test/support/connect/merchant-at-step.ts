import { insertOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import {
  type LinkScope,
  newOnboardingLink,
  type Onboarding,
  type OnboardingStep,
  STEPS,
  saveStep,
  toOnboarding,
} from '../../../src/operations/onboarding/onboarding.ts';
import type { Bridge, Connected } from '../worlds/bridge.ts';

/** A merchant who is on their way with this store: the steps before `to` are done. Returns the way to their pages, and how to make another link. */
export async function merchantAtStep({ pool }: Pick<Bridge, 'pool'>, { connection }: Pick<Connected, 'connection'>, to: OnboardingStep) {
  const { shopId, destinationId, platform } = connection;
  const given = { who: 'cli:test', email: null, lang: null, shopId, destinationId, days: 14 };
  let onboarding: Onboarding = toOnboarding(await insertOnboarding(pool, given));
  onboarding = await saveStep({ pool }, onboarding, { platform, connectionId: connection.id });
  for (const step of STEPS.slice(0, STEPS.indexOf(to))) onboarding = await saveStep({ pool }, onboarding, { step, done: true });
  const { id } = onboarding;
  const link = async (scope: LinkScope) => `/connect/${await newOnboardingLink({ pool }, { id }, { scope, days: 14 })}`;
  return { id, base: await link({ kind: 'all' }), link };
}

type Answer = { status: number; text: string; location: string | null };

/** A browser of a merchant: pages and forms as it sends them. */
export function merchantOf(url: string, lang: 'bg' | 'en' = 'bg') {
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { 'accept-language': lang, 'sec-fetch-site': 'same-origin', ...init.headers };
    const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
  };
  return {
    get: (path: string) => ask(path),
    post: (path: string, fields: Readonly<Record<string, string | readonly string[]>>) => {
      const pairs = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, String(value)]));
      return ask(path, { method: 'POST', body: new URLSearchParams(pairs) });
    },
  };
}
