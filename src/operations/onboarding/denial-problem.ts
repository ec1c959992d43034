import type { LookProblem } from '../../bridge/storefronts/onboarding.ts';
import type { StoreDenial } from '../../bridge/storefronts/store-failure.ts';

const problems = { frozen: 'shop.frozen', locked: 'shop.locked', blocked: 'firewall', app: 'app.refused' } as const;

/** Why a store refuses, for its merchant. `byApp`: he let an app in, so that there are no keys to type again. */
export function denialProblem(denial: StoreDenial, byApp: boolean): LookProblem {
  if (denial !== 'key') return { code: problems[denial] };
  return { code: byApp ? 'grant.ended' : 'keys.refused' };
}
