import type { StoreAnswer } from '../contract.ts';
import type { LookProblem } from '../onboarding.ts';
import { wooCode } from './payload.ts';

/** Why an answer is no page of the shop and no word of its API; null: it may be one. */
export function statusProblem({ status, body, isChallenge, retryAfterMs }: StoreAnswer): LookProblem | null {
  if (isChallenge === true) return { code: 'challenge' };
  if (status === 401 || status === 403) return { code: wooCode(body) !== null ? 'rest.closed' : status === 401 ? 'locked' : 'firewall' };
  if (status === 406 || status === 429) return { code: 'firewall' };
  if (status === 503 || (status === 500 && retryAfterMs !== undefined)) return { code: 'maintenance' };
  return status >= 500 ? { code: 'broken', data: { status: String(status) } } : null;
}
