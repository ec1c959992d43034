import { failureWords } from '../../bridge/order/failure.ts';
import { failureInBulgarian } from '../../bridge/order/failures-in-bulgarian.ts';
import type { Lang } from '../../contract/said.ts';

/** What a code of a failure means, and what to do about it. */
export function codeWords(code: string, lang: Lang): { means: string; todo: string } {
  return lang === 'bg' ? failureInBulgarian(code) : failureWords(code);
}
