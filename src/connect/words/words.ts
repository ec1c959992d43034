import type { Request } from 'express';
import type { Lang } from '../../contract/said.ts';
import { bg } from './bg.ts';
import { en } from './en.ts';

/** All that the merchants' pages say. */
export type Words = typeof en;

const both: Readonly<Record<Lang, Words>> = { en, bg };

export function wordsIn(lang: Lang): Words {
  return both[lang];
}

/** Bulgarian, unless his browser prefers English. */
export function wordsOf(req: Request): Words {
  return wordsIn(req.acceptsLanguages('bg', 'en') === 'en' ? 'en' : 'bg');
}
