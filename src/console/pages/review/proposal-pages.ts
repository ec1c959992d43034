import { acceptProposal, declineProposal } from '../../../operations/desk/decide-proposal.ts';
import { type Proposal, proposalOf } from '../../../operations/desk/proposals.ts';
import { proposeAnswer } from '../../../operations/desk/propose-answer.ts';
import { html } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { mustBeSeen, Stale } from '../../frame/stale.ts';
import { chosenWords, typedIn } from './choice-form.ts';
import { answersOf, asSeen } from './proposal-view.ts';
import { deskOf, nowSet, showDesk } from './show-desk.ts';

/** `POST /console/review/GROUP/propose`: what somebody thinks the answer is; `POST /console/proposals/ID`: it is taken, or declined. */
export const proposalPages: readonly Page[] = [
  { path: '/review/:group/propose', right: 'orders.see', post: { right: 'settings.propose', act: propose } },
  { path: '/proposals/:id', right: 'orders.see', post: { right: 'settings.change', act: decide } },
];

async function propose(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by } = context;
  const { proposal: say, stale } = words.review;
  const desk = await deskOf(context);
  if (desk === null) throw new Stale(say.propose, stale.gone);
  const typed = typedIn(form, desk.chosen, words);
  mustBeSeen(form, desk.chosen, { sent: typed.map(({ chosen }) => chosenWords(chosen, words)).join('; '), now: nowSet(desk, words) });
  if (typed.some(({ problem, nameProblem }) => problem !== undefined || nameProblem !== undefined)) return showDesk(context, { desk, check: null, typed });
  await proposeAnswer(deps, { group: desk.group, chosen: typed.map(({ chosen }) => chosen), note: form.text('note'), by });
  return { goTo: `/console/review/${desk.group.id}`, done: 'answer-proposed' };
}

async function decide(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by, req } = context;
  const { review, frame } = words;
  const proposal = await proposalOf(deps, String(req.params['id']));
  if (proposal === null) return { status: 404, title: frame.problem.missingTitle, place: 'review', body: html`<p>${frame.problem.missing}</p>` };
  mustBeSeen(form, asSeen(proposal), { sent: answersOf(proposal, words), now: review.proposal.states[proposal.is] });
  const desk = `/console/review/${proposal.group}`;
  if (form.text('verb') === 'accept') {
    const { run } = await acceptProposal(deps, { id: proposal.id, by });
    return { goTo: `${desk}?run=${run}` };
  }
  const word = form.text('word');
  if (word === '') return noWord(context, proposal);
  await declineProposal(deps, { id: proposal.id, by, word });
  return { goTo: proposal.is === 'answered' ? '/console/review' : desk, done: 'answer-declined' };
}

function noWord({ words: { review, frame } }: PageContext, { group }: Proposal): Reply {
  return {
    ...{ status: 422, title: review.proposal.decline, place: 'review' },
    body: html`<p role="alert">${review.proposal.wordMissing}</p><p><a href="/console/review/${group}">${frame.problem.back}</a></p>`,
  };
}
