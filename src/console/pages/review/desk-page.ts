import { checkOne, releaseRest } from '../../../operations/desk/check-one.ts';
import { type Desk, decideOne, type OneVerb, openDesk, orderOnDesk, verbsOfOne } from '../../../operations/desk/open-desk.ts';
import { acceptProposal, declineProposal, type Proposal, proposalFor, proposalOf, proposeAnswer } from '../../../operations/desk/proposals.ts';
import { type ShownRun, showRun } from '../../../operations/desk/show-run.ts';
import { may } from '../../../operations/people/rights.ts';
import { html } from '../../../web/html.ts';
import type { Form, GoTo, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { mustBeSeen, Stale } from '../../frame/stale.ts';
import type { Words } from '../../words/words.ts';
import { chosenWords, type Typed, typedIn } from './choice-form.ts';
import { deskView, isCheckable } from './desk-view.ts';
import { answersOf, asSeen } from './proposal-view.ts';
import { heading } from './question.ts';

/** `/console/review/GROUP`: one question, and its answers. `?run=`: of the order that went first. */
export const deskPage: Page = {
  path: '/review/:group',
  right: 'orders.see',
  async get(context) {
    const desk = await deskOf(context);
    const check = await checkOf(context, String(context.req.query['run'] ?? ''));
    if (desk === null) return check === null ? answered(context.words) : { goTo: `/console/runs/${check.id}` };
    return showDesk(context, { desk, check, typed: null });
  },
  post: {
    right: 'orders.decide',
    async act(context, form) {
      const desk = await deskOf(context);
      const verb = form.text('verb');
      if (desk === null) throw new Stale(verb === 'check' ? context.words.review.check : verb, context.words.review.stale.gone);
      if (verb === 'check' && isCheckable(desk.group.code)) return check(context, form, desk);
      if (verb === 'rest') return rest(context, form, desk);
      const one = (verbsOfOne[desk.group.code] ?? []).find((known) => known === verb);
      return one === undefined ? { goTo: `/console/review/${desk.group.id}` } : decide(context, form, { desk, verb: one });
    },
  },
};

function answered({ review }: Words): Shown {
  return {
    ...{ status: 404, title: review.answeredTitle, place: 'review' },
    body: html`<p>${review.answered}</p><p><a href="/console/review">${review.back}</a></p>`,
  };
}

async function check(context: PageContext, form: Form, desk: Desk): Promise<Reply> {
  const { deps, words, by, person } = context;
  const typed = may(person.role, 'settings.change') ? typedIn(form, desk.chosen, words) : [];
  const said = typed.map(({ chosen }) => chosenWords(chosen, words)).join('; ');
  mustBeSeen(form, desk.chosen, { sent: said === '' ? words.review.check : said, now: nowSet(desk, words) });
  const again = form.text('again');
  if (typed.some(({ problem, nameProblem }) => problem !== undefined || nameProblem !== undefined)) {
    return showDesk(context, { desk, check: await checkOf(context, again), typed });
  }
  const { group } = desk;
  const { run } = await checkOne(deps, { group, chosen: typed.map(({ chosen }) => chosen), was: desk.chosen, again: again === '' ? null : again, by });
  return { goTo: `/console/review/${group.id}?run=${run}` };
}

async function rest({ deps, words, by }: PageContext, form: Form, desk: Desk): Promise<GoTo> {
  mustBeSeen(form, desk.chosen, { sent: words.review.rest(desk.group.orders), now: nowSet(desk, words) });
  const { run } = await releaseRest(deps, { group: desk.group, check: form.text('check'), by });
  return { goTo: `/console/runs/${run}` };
}

const dones: Readonly<Record<OneVerb, string>> = { other: 'split', same: 'merged', keep: 'kept-sale', remove: 'removed-sale' };

async function decide({ deps, words, by }: PageContext, form: Form, { desk, verb }: { desk: Desk; verb: OneVerb }): Promise<Reply> {
  const { review } = words;
  const id = Number(form.text('order'));
  const order = Number.isSafeInteger(id) ? await orderOnDesk(deps, desk.group, id) : null;
  if (order === null) throw new Stale(review.apart[verb], review.stale.gone);
  mustBeSeen(form, [order.id, order.detail], { sent: review.apart[verb], now: order.detail ?? '' });
  const why = form.text('why');
  const back = `/console/review/${desk.group.id}`;
  if (why === '' && (verb === 'keep' || verb === 'remove')) {
    return {
      status: 422,
      title: review.apart[verb],
      place: 'review',
      body: html`<p role="alert">${review.apart.whyMissing}</p><p><a href="${back}">${words.frame.problem.back}</a></p>`,
    };
  }
  await decideOne(deps, { id, verb, by, why });
  const isLast = desk.group.orders === 1;
  return { goTo: isLast ? '/console/review' : back, done: dones[verb] };
}

const REFRESH_SECONDS = 3;

function deskOf({ deps, req, person }: PageContext): Promise<Desk | null> {
  return openDesk(deps, { id: String(req.params['group']), shops: person.shops });
}

/** Null: no order of this group went first. */
async function checkOf({ deps, req, person }: PageContext, id: string): Promise<ShownRun | null> {
  const run = id === '' ? null : await showRun(deps, { id, shops: person.shops });
  return run?.about?.of === 'check' && run.about.group === req.params['group'] ? run : null;
}

/** `typed`: what was sent and not taken; null: what is set now is shown. */
type Showing = { desk: Desk; check: ShownRun | null; typed: readonly Typed[] | null };

async function showDesk({ deps, words, person }: PageContext, { desk, check: run, typed }: Showing): Promise<Shown> {
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
function nowSet({ chosen, group }: Desk, words: Words): string {
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
  const desk = await deskOf(context);
  if (desk === null) throw new Stale(say.propose, stale.gone);
  const typed = typedIn(form, desk.chosen, words);
  mustBeSeen(form, desk.chosen, { sent: typed.map(({ chosen }) => chosenWords(chosen, words)).join('; '), now: nowSet(desk, words) });
  if (typed.some(({ problem, nameProblem }) => problem !== undefined || nameProblem !== undefined)) return showDesk(context, { desk, check: null, typed });
  await proposeAnswer(deps, { group: desk.group, chosen: typed.map(({ chosen }) => chosen), note: form.text('note'), by });
  return { goTo: `/console/review/${desk.group.id}`, done: 'answer-proposed' };
}

async function decideProposal(context: PageContext, form: Form): Promise<Reply> {
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
