import type { Lang } from '../../contract/said.ts';
import { bg } from './bg.ts';
import { en } from './en.ts';

/** All that pages say; the English words are its shape. */
export type Words = typeof en;

const both: Readonly<Record<Lang, Words>> = { en, bg };

export function wordsIn(lang: Lang): Words {
  return both[lang];
}
