import { type Desk, openDesk } from '../../../operations/desk/open-desk.ts';
import { proposalFor } from '../../../operations/desk/proposals.ts';
import { type ShownRun, showRun } from '../../../operations/desk/show-run.ts';
import type { PageContext, Shown } from '../../base/page.ts';
import type { Words } from '../../words/words.ts';
import { chosenWords, type Typed } from './choice-form.ts';
import { deskView } from './desk-view.ts';
import { heading } from './question.ts';

const REFRESH_SECONDS = 3;

export function deskOf({ deps, req, person }: PageContext): Promise<Desk | null> {
  return openDesk(deps, { id: String(req.params['group']), shops: person.shops });
}

/** Null: no order of this group went first. */
export async function checkOf({ deps, req, person }: PageContext, id: string): Promise<ShownRun | null> {
  const run = id === '' ? null : await showRun(deps, { id, shops: person.shops });
  return run?.about?.of === 'check' && run.about.group === req.params['group'] ? run : null;
}

/** `typed`: what was sent and not taken; null: what is set now is shown. */
type Showing = { desk: Desk; check: ShownRun | null; typed: readonly Typed[] | null };

export async function showDesk({ deps, words, person }: PageContext, { desk, check: run, typed }: Showing): Promise<Shown> {
  const proposal = await proposalFor(deps, desk.group);
  return {
    title: heading(desk.group, words, person),
    place: 'review',
    body: deskView({ desk, check: run, typed, person, proposal }, words),
    ...(typed === null ? {} : { status: 422 }),
    ...(run !== null && run.underWay > 0 ? { refreshPlainly: REFRESH_SECONDS } : {}),
  };
}

/** What is set by now, for a form that is out of date. */
export function nowSet({ chosen, group }: Desk, words: Words): string {
  return chosen.length === 0 ? String(group.orders) : chosen.map((one) => chosenWords(one, words)).join('; ');
}
