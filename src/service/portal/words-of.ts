import type { Request } from 'express';
import { bulgarianWords } from './bulgarian-words.ts';
import { englishWords } from './english-words.ts';
import type { PortalWords } from './portal-words.ts';

/** The words of the language that the address names, or else the browser; Bulgarian for every other. */
export function wordsOf(req: Request): PortalWords {
  const named = req.query['lang'];
  const wanted = named === 'bg' || named === 'en' ? named : req.acceptsLanguages('bg', 'en');
  return wanted === 'en' ? englishWords : bulgarianWords;
}
