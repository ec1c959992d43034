import { failures } from '../../bridge/order/failure.ts';
import type { Lang } from '../../contract/said.ts';
import { codeWords } from '../words/code-words.ts';

/** What a code of a failure means, in a sentence. */
export function codeMeans(code: string, lang: Lang = 'en'): string {
  return codeWords(code, lang).means;
}

/** Of webhooks, which no order is known of yet. */
const OF_WEBHOOKS: readonly string[] = ['payload.unreadable', 'delivery.unrecordable', 'store.other'];

/** The codes with which orders wait for a person, and what each means. */
export function reviewCodes(lang: Lang = 'en'): { code: string; means: string }[] {
  const reviewOf = Object.entries(failures).filter(([code, { disposition }]) => disposition === 'review' && !OF_WEBHOOKS.includes(code));
  return reviewOf.map(([code]) => ({ code, means: codeMeans(code, lang) }));
}
