import { may } from '../../../operations/people/rights.ts';
import { checkOne, releaseRest } from '../../../operations/review/check-one.ts';
import { decideOne, type Issue, type OneVerb, openIssue, orderOfIssue, verbsOfOne } from '../../../operations/review/open-issue.ts';
import { acceptProposal, declineProposal, type Proposal, proposalFor, proposalOf, proposeAnswer } from '../../../operations/review/proposals.ts';
import { type ShownBulkAction, showBulkAction } from '../../../operations/review/show-bulk-action.ts';
import { html } from '../../../web/html.ts';
import type { Form, GoTo, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { mustBeSeen, Stale } from '../../frame/stale.ts';
import type { Words } from '../../messages/messages.ts';
import { chosenWords, type Typed, typedIn } from './choice-form.ts';
import { heading } from './issue-text.ts';
import { isCheckable, issueView } from './issue-view.ts';
import { answersOf, asSeen } from './proposal-view.ts';

/** `/console/review/GROUP`: one issue, and its answers. `?bulkAction=`: of the order that went first. */
export const issuePage: Page = {
  path: '/review/:group',
  right: 'orders.see',
  async get(context) {
    const issue = await issueOf(context);
    const check = await checkOf(context, String(context.req.query['action'] ?? ''));
    if (issue === null) return check === null ? answered(context.words) : { goTo: `/console/bulk-actions/${check.id}` };
    return showIssue(context, { issue, check, typed: null });
  },
  post: {
    right: 'orders.decide',
    async act(context, form) {
      const issue = await issueOf(context);
      const verb = form.text('verb');
      if (issue === null) throw new Stale(verb === 'check' ? context.words.review.check : verb, context.words.review.stale.gone);
      if (verb === 'check' && isCheckable(issue.group.code)) return check(context, form, issue);
      if (verb === 'rest') return rest(context, form, issue);
      const one = (verbsOfOne[issue.group.code] ?? []).find((known) => known === verb);
      return one === undefined ? { goTo: `/console/review/${issue.group.id}` } : decide(context, form, { issue, verb: one });
    },
  },
};

function answered({ review }: Words): Shown {
  return {
    ...{ status: 404, title: review.answeredTitle, place: 'review' },
    body: html`<p>${review.answered}</p><p><a href="/console/review">${review.back}</a></p>`,
  };
}

async function check(context: PageContext, form: Form, issue: Issue): Promise<Reply> {
  const { deps, words, by, person } = context;
  const typed = may(person.role, 'settings.change') ? typedIn(form, issue.chosen, words) : [];
  const said = typed.map(({ chosen }) => chosenWords(chosen, words)).join('; ');
  mustBeSeen(form, issue.chosen, { sent: said === '' ? words.review.check : said, now: nowSet(issue, words) });
  const again = form.text('again');
  if (typed.some(({ problem, nameProblem }) => problem !== undefined || nameProblem !== undefined)) {
    return showIssue(context, { issue, check: await checkOf(context, again), typed });
  }
  const { group } = issue;
  const { bulkAction } = await checkOne(deps, { group, chosen: typed.map(({ chosen }) => chosen), was: issue.chosen, again: again === '' ? null : again, by });
  return { goTo: `/console/review/${group.id}?action=${bulkAction}` };
}

async function rest({ deps, words, by }: PageContext, form: Form, issue: Issue): Promise<GoTo> {
  mustBeSeen(form, issue.chosen, { sent: words.review.rest(issue.group.orders), now: nowSet(issue, words) });
  const { bulkAction } = await releaseRest(deps, { group: issue.group, check: form.text('check'), by });
  return { goTo: `/console/bulk-actions/${bulkAction}` };
}

const dones: Readonly<Record<OneVerb, string>> = { other: 'split', same: 'merged', keep: 'kept-sale', remove: 'removed-sale' };

async function decide({ deps, words, by }: PageContext, form: Form, { issue, verb }: { issue: Issue; verb: OneVerb }): Promise<Reply> {
  const { review } = words;
  const id = Number(form.text('order'));
  const order = Number.isSafeInteger(id) ? await orderOfIssue(deps, issue.group, id) : null;
  if (order === null) throw new Stale(review.apart[verb], review.stale.gone);
  mustBeSeen(form, [order.id, order.detail], { sent: review.apart[verb], now: order.detail ?? '' });
  const why = form.text('why');
  const back = `/console/review/${issue.group.id}`;
  if (why === '' && (verb === 'keep' || verb === 'remove')) {
    return {
      status: 422,
      title: review.apart[verb],
      place: 'review',
      body: html`<p role="alert">${review.apart.whyMissing}</p><p><a href="${back}">${words.frame.problem.back}</a></p>`,
    };
  }
  await decideOne(deps, { id, verb, by, why });
  const isLast = issue.group.orders === 1;
  return { goTo: isLast ? '/console/review' : back, done: dones[verb] };
}

const REFRESH_SECONDS = 3;

function issueOf({ deps, req, person }: PageContext): Promise<Issue | null> {
  return openIssue(deps, { id: String(req.params['group']), shops: person.shops });
}

/** Null: no order of this group went first. */
async function checkOf({ deps, req, person }: PageContext, id: string): Promise<ShownBulkAction | null> {
  const bulkAction = id === '' ? null : await showBulkAction(deps, { id, shops: person.shops });
  return bulkAction?.about?.of === 'check' && bulkAction.about.group === req.params['group'] ? bulkAction : null;
}

/** `typed`: what was sent and not taken; null: what is set now is shown. */
type Showing = { issue: Issue; check: ShownBulkAction | null; typed: readonly Typed[] | null };

async function showIssue({ deps, words, person }: PageContext, { issue, check: bulkAction, typed }: Showing): Promise<Shown> {
  const proposal = await proposalFor(deps, issue.group);
  return {
    title: heading(issue.group, words, person),
    place: 'review',
    body: issueView({ issue, check: bulkAction, typed, person, proposal }, words),
    ...(typed === null ? {} : { status: 422 }),
    ...(bulkAction !== null && bulkAction.underWay > 0 ? { refreshPlainly: REFRESH_SECONDS } : {}),
  };
}

/** What is set by now, for a form that is out of date. */
function nowSet({ chosen, group }: Issue, words: Words): string {
  return chosen.length === 0 ? String(group.orders) : chosen.map((one) => chosenWords(one, words)).join('; ');
}

/** `POST /console/review/GROUP/propose`: what somebody thinks the answer is; `POST /console/proposals/ID`: it is taken, or declined. */
export const proposalPages: readonly Page[] = [
  { path: '/review/:group/propose', right: 'orders.see', post: { right: 'settings.propose', act: propose } },
  { path: '/proposals/:id', right: 'orders.see', post: { right: 'settings.change', act: decideProposal } },
];

async function propose(context: PageContext, form: Form): Promise<Reply> {
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

async function decideProposal(context: PageContext, form: Form): Promise<Reply> {
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
  const word = form.text('word');
  if (word === '') return noWord(context, proposal);
  await declineProposal(deps, { id: proposal.id, by, word });
  return { goTo: proposal.is === 'answered' ? '/console/review' : issue, done: 'answer-declined' };
}

function noWord({ words: { review, frame } }: PageContext, { group }: Proposal): Reply {
  return {
    ...{ status: 422, title: review.proposal.decline, place: 'review' },
    body: html`<p role="alert">${review.proposal.wordMissing}</p><p><a href="/console/review/${group}">${frame.problem.back}</a></p>`,
  };
}
