import type { Failure } from '../../../order/facts/failure.ts';
import type { StoreProblem } from '../../onboarding.ts';
import { denialOf, NoStoreAnswer, unanswered } from '../../store-failure.ts';
import { LeftToOthers } from '../api/pace.ts';
import { GrantEnded } from '../oauth/token-refusal.ts';
import { Denied, MustExpire, ShopAnswered } from '../status-words.ts';

export const scopeMissing: StoreProblem = { code: 'scope.missing', data: { needed: 'read_orders' } };

const byStatus: Readonly<Record<number, StoreProblem>> = {
  401: { code: 'keys.refused' },
  402: { code: 'shop.frozen' },
  403: scopeMissing,
  404: { code: 'site.other' },
  423: { code: 'shop.locked' },
  429: { code: 'throttled' },
  430: { code: 'throttled' },
};

/** What a status of Shopify means to a merchant. */
export function statusProblem(status: number): StoreProblem {
  return byStatus[status] ?? { code: 'broken', data: { status: String(status) } };
}

/** Why a shop could not be called, or did not let its app in. `byApp`: the merchant granted its access to an app, so that there are no keys to type again. */
export function problemOf(failure: Failure, { byApp = false }: { byApp?: boolean } = {}): StoreProblem {
  if (failure instanceof GrantEnded || failure instanceof MustExpire) return { code: 'grant.ended' };
  if (byApp && failure instanceof ShopAnswered && failure.status === 401) return { code: 'grant.ended' };
  if (failure instanceof ShopAnswered) return statusProblem(failure.status);
  if (failure instanceof LeftToOthers) return statusProblem(429);
  if (failure instanceof Denied) return { code: 'data.denied' };
  if (denialOf(failure) === 'app') return { code: 'app.refused' };
  if (failure instanceof NoStoreAnswer) return unanswered(failure);
  return { code: failure.code === 'storefront.refused' ? 'keys.refused' : 'unreachable' };
}
