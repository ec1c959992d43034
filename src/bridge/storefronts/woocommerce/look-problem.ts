import type { Failure } from '../../order/failure.ts';
import type { StoreAnswer } from '../contract.ts';
import { NoAnswer, type NoAnswerWhy } from '../no-answer.ts';
import type { LookCode, LookProblem } from '../onboarding.ts';
import { wooCode } from './payload.ts';

const codes = {
  private: 'address.private',
  'unknown-host': 'address.unknown',
  refused: 'unreachable',
  slow: 'slow',
  certificate: 'certificate',
  'no-tls': 'https.missing',
  'cut-off': 'cut-off',
} as const satisfies Record<NoAnswerWhy, LookCode>;

/** Why nothing was answered. What is not called, is not called because keys could be read on the way. */
export function noAnswer(failure: Failure): LookProblem {
  if (failure.code === 'storefront.refused') return { code: 'https.missing' };
  return { code: failure instanceof NoAnswer ? codes[failure.why] : 'unreachable' };
}

/** Why an answer is no page of the shop and no word of its API; null: it may be one. */
export function statusProblem({ status, body, isChallenge, retryAfterMs }: StoreAnswer): LookProblem | null {
  if (isChallenge === true) return { code: 'challenge' };
  if (status === 401 || status === 403) return { code: wooCode(body) !== null ? 'rest.closed' : status === 401 ? 'locked' : 'firewall' };
  if (status === 406 || status === 429) return { code: 'firewall' };
  if (status === 503 || (status === 500 && retryAfterMs !== undefined)) return { code: 'maintenance' };
  return status >= 500 ? { code: 'broken', data: { status: String(status) } } : null;
}
