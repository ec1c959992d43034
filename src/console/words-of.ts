import type { Request } from 'express';
import { type Words, wordsIn } from './words/words.ts';

/** The words for somebody who is not signed in: in the language that his browser prefers. */
export function wordsOf(req: Request): Words {
  return wordsIn(req.acceptsLanguages('en', 'bg') === 'bg' ? 'bg' : 'en');
}
