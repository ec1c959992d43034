import { acceptProposal, declineProposal, type Proposal, proposalOf, proposeAnswer } from '../../../operations/review/proposals.ts';
import { mustBeSeen, Stale } from '../../../web/forms.ts';
import { html } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply } from '../../base/page.ts';
import { chosenWords, typedIn } from './choice-form.ts';
import { issueOf, nowSet, showIssue } from './issue-page.ts';
import { answersOf, asSeen } from './proposal-view.ts';

/** `POST /console/review/GROUP/propose`: what somebody thinks the answer is; `POST /console/proposals/ID`: it is taken, or declined. */
export const proposalPages: readonly Page[] = [
  { path: '/review/:group/propose', right: 'orders.see', post: { right: 'settings.propose', act: propose } },
  { path: '/proposals/:id', right: 'orders.see', post: { right: 'settings.change', act: decideProposal } },
];

async function propose(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const { proposal: say, stale } = words.review;
  const issue = await issueOf(context);
  if (issue === null) throw new Stale(say.propose, stale.gone);
  const typed = typedIn(form, issue.chosen, words);
  mustBeSeen(form, issue.chosen, { sent: typed.map(({ chosen }) => chosenWords(chosen, words)).join('; '), now: nowSet(issue, words) });
  if (typed.some(({ problem, nameProblem }) => problem !== undefined || nameProblem !== undefined)) return showIssue(context, { issue, check: null, typed });
  await proposeAnswer(deps, { group: issue.group, chosen: typed.map(({ chosen }) => chosen), note: form.text('note'), by });
  return { goTo: `/console/review/${issue.group.id}`, done: 'answer-proposed' };
}

async function decideProposal(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by, req } = context;
  const { review, frame } = words;
  const proposal = await proposalOf(deps, String(req.params['id']));
  if (proposal === null) return { status: 404, title: frame.problem.missingTitle, place: 'review', body: html`<p>${frame.problem.missing}</p>` };
  mustBeSeen(form, asSeen(proposal), { sent: answersOf(proposal, words), now: review.proposal.states[proposal.is] });
  const issue = `/console/review/${proposal.group}`;
  if (form.text('verb') === 'accept') {
    const { bulkAction } = await acceptProposal(deps, { id: proposal.id, by });
    return { goTo: `${issue}?action=${bulkAction}` };
  }
  const reason = form.text('reason');
  if (reason === '') return noReason(context, proposal);
  await declineProposal(deps, { id: proposal.id, by, reason });
  return { goTo: proposal.is === 'answered' ? '/console/review' : issue, done: 'answer-declined' };
}

function noReason({ words: { review, frame } }: PageContext, { group }: Proposal): PageReply {
  return {
    ...{ status: 422, title: review.proposal.decline, place: 'review' },
    body: html`<p role="alert">${review.proposal.reasonMissing}</p><p><a href="/console/review/${group}">${frame.problem.back}</a></p>`,
  };
}
