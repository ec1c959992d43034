import { frame } from '../../console/words/en/frame.ts';
import { steps } from './en/frame.ts';

/** The words of the merchants' pages in English: what `bg.ts` must say, too. `frame`: those that they share with the console. */
export const en = { lang: 'en' as 'en' | 'bg', frame, steps };
