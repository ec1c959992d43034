import type { Request } from 'express';
import { frame as ofConsole } from '../../console/messages/frame.ts';
import { type Words as ConsoleWords, wordsIn as consoleWordsIn } from '../../console/messages/messages.ts';
import { type Lang, messages } from '../../contract/messages.ts';
import { company, confirm } from './company.ts';
import { problem, steps } from './frame.ts';
import { grant } from './grant.ts';
import { mapping } from './mapping.ts';
import { own } from './own.ts';
import { status } from './status.ts';
import { store } from './store.ts';
import { trial } from './trial.ts';
import { webhooks } from './webhooks.ts';

/** What the merchants' pages share with the console, with words of their own on problems. */
const frame = {
  en: { ...ofConsole.en, problem: { ...ofConsole.en.problem, ...problem.en } },
  bg: { ...ofConsole.bg, problem: { ...ofConsole.bg.problem, ...problem.bg } },
};

const all = messages({ lang: { en: 'en' as Lang, bg: 'bg' as Lang }, frame, steps, grant, store, company, confirm, webhooks, mapping, trial, status, own });

/** All that the merchants' pages say. */
export type Words = (typeof all)[Lang];

export function wordsIn(lang: Lang): Words {
  return all[lang];
}

/** For the console's pages of problems, which merchants see, too: with words for them. */
export function problemWords({ lang, frame: ofMerchants }: Words): ConsoleWords {
  return { ...consoleWordsIn(lang), frame: ofMerchants };
}

/** Bulgarian, unless their browser prefers English. */
export function wordsOf(req: Request): Words {
  return wordsIn(req.acceptsLanguages('bg', 'en') === 'en' ? 'en' : 'bg');
}
