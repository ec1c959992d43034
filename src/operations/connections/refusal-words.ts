import type { Lang } from '../../contract/said.ts';
import { codeWords } from '../words/code-words.ts';

/** Why a webhook was refused, and what to do. */
export function refusalWords(code: string, lang: Lang): string {
  const { means, todo } = codeWords(code, lang);
  return `${means} ${todo}`;
}
