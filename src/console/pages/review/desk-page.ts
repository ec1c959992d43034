import { checkOne } from '../../../operations/desk/check-one.ts';
import { decideOne, type OneVerb, verbsOfOne } from '../../../operations/desk/decide-one.ts';
import { type Desk, orderOnDesk } from '../../../operations/desk/open-desk.ts';
import { releaseRest } from '../../../operations/desk/release-rest.ts';
import { may } from '../../../operations/people/rights.ts';
import { html } from '../../../web/html.ts';
import type { Form, GoTo, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { mustBeSeen, Stale } from '../../frame/stale.ts';
import type { Words } from '../../words/words.ts';
import { chosenWords, typedIn } from './choice-form.ts';
import { isCheckable } from './desk-view.ts';
import { checkOf, deskOf, nowSet, showDesk } from './show-desk.ts';

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
