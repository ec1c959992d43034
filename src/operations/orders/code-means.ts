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
export function parkingCodes(lang: Lang = 'en'): { code: string; means: string }[] {
  const parking = Object.entries(failures).filter(([code, { disposition }]) => disposition === 'park' && !OF_WEBHOOKS.includes(code));
  return parking.map(([code]) => ({ code, means: codeMeans(code, lang) }));
}
