import type { Request } from 'express';
import { type Words as ConsoleWords, wordsIn as consoleWordsIn } from '../../console/words/words.ts';
import type { Lang } from '../../contract/said.ts';
import { bg } from './bg.ts';
import { en } from './en.ts';

/** All that the merchants' pages say. */
export type Words = typeof en;

const both: Readonly<Record<Lang, Words>> = { en, bg };

export function wordsIn(lang: Lang): Words {
  return both[lang];
}

/** For the console's pages of problems, which merchants see, too: with words for them. */
export function problemWords({ lang, frame }: Words): ConsoleWords {
  return { ...consoleWordsIn(lang), frame };
}

/** Bulgarian, unless his browser prefers English. */
export function wordsOf(req: Request): Words {
  return wordsIn(req.acceptsLanguages('bg', 'en') === 'en' ? 'en' : 'bg');
}
