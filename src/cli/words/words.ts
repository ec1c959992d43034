import type { CliContext } from '../../platform/terminal/context.ts';
import { bg } from './bg.ts';
import { en } from './en.ts';

/** What a command prints for people; the English words are its shape. */
export type CliWords = typeof en;

export function wordsFor({ lang }: Pick<CliContext, 'lang'>): CliWords {
  return lang === 'bg' ? bg : en;
}
