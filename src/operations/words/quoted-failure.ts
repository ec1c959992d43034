import type { Said } from '../../contract/said.ts';
import { codeWords } from './code-words.ts';

/** The words of a failure, "code: detail": in Bulgarian what its code means comes before them, and they stay as they are. */
export function quotedFailure(words: string): Said {
  const code = /^[a-z]+(?:\.[a-z-]+)+(?=: )/.exec(words)?.[0];
  if (code === undefined) return { en: words, bg: `„${words}“` };
  return { en: words, bg: `${codeWords(code, 'bg').means.replace(/\.$/, '')} (${words})` };
}
