import { frame as ofConsole } from '../../console/words/en/frame.ts';
import { company } from './en/company.ts';
import { confirm } from './en/confirm.ts';
import { steps } from './en/frame.ts';
import { grant } from './en/grant.ts';
import { mapping } from './en/mapping.ts';
import { problem } from './en/problem.ts';
import { status } from './en/status.ts';
import { store } from './en/store.ts';
import { trial } from './en/trial.ts';
import { webhooks } from './en/webhooks.ts';

const frame = { ...ofConsole, problem: { ...ofConsole.problem, ...problem } };

/** The words of the merchants' pages in English: what `bg.ts` must say, too. `frame`: those that they share with the console. */
export const en = { lang: 'en' as 'en' | 'bg', frame, steps, grant, store, company, confirm, webhooks, mapping, trial, status };
