import type { Failure } from '../order/failure.ts';
import { NoAnswer, type NoAnswerWhy } from './no-answer.ts';
import type { LookCode, LookProblem } from './onboarding.ts';

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
export function unanswered(failure: Failure): LookProblem {
  if (failure.code === 'storefront.refused') return { code: 'https.missing' };
  return { code: failure instanceof NoAnswer ? codes[failure.why] : 'unreachable' };
}
