import { frame as ofConsole } from '../../console/words/bg/frame.ts';
import { company } from './bg/company.ts';
import { confirm } from './bg/confirm.ts';
import { steps } from './bg/frame.ts';
import { grant } from './bg/grant.ts';
import { mapping } from './bg/mapping.ts';
import { problem } from './bg/problem.ts';
import { status } from './bg/status.ts';
import { store } from './bg/store.ts';
import { trial } from './bg/trial.ts';
import { webhooks } from './bg/webhooks.ts';
import type { en } from './en.ts';

const frame = { ...ofConsole, problem: { ...ofConsole.problem, ...problem } };

/** The words of the merchants' pages in Bulgarian. */
export const bg: typeof en = { lang: 'bg', frame, steps, grant, store, company, confirm, webhooks, mapping, trial, status };
