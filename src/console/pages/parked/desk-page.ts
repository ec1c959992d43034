import { checkOne } from '../../../operations/desk/check-one.ts';
import { decideOne, type OneVerb, verbsOfOne } from '../../../operations/desk/decide-one.ts';
import { type Desk, orderOnDesk } from '../../../operations/desk/open-desk.ts';
import { releaseRest } from '../../../operations/desk/release-rest.ts';
import { may } from '../../../operations/people/rights.ts';
import { html } from '../../../web/html.ts';
import type { Form, GoTo, Page, Reply, Shown, PageContext } from '../../base/page.ts';
import { mustBeSeen, Stale } from '../../frame/stale.ts';
import type { Words } from '../../words/words.ts';
import { chosenWords, typedIn } from './choice-form.ts';
import { isCheckable } from './desk-view.ts';
import { checkOf, deskOf, nowSet, showDesk } from './show-desk.ts';

/** `/console/parked/GROUP`: one question, and its answers. `?run=`: of the order that went first. */
export const deskPage: Page = {
  path: '/parked/:group',
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
      if (desk === null) throw new Stale(verb === 'check' ? context.words.parked.check : verb, context.words.parked.stale.gone);
      if (verb === 'check' && isCheckable(desk.group.code)) return check(context, form, desk);
      if (verb === 'rest') return rest(context, form, desk);
      const one = (verbsOfOne[desk.group.code] ?? []).find((known) => known === verb);
      return one === undefined ? { goTo: `/console/parked/${desk.group.id}` } : decide(context, form, { desk, verb: one });
    },
  },
};

function answered({ parked }: Words): Shown {
  return {
    ...{ status: 404, title: parked.answeredTitle, place: 'parked' },
    body: html`<p>${parked.answered}</p><p><a href="/console/parked">${parked.back}</a></p>`,
  };
}

async function check(context: PageContext, form: Form, desk: Desk): Promise<Reply> {
  const { deps, words, by, person } = context;
  const typed = may(person.role, 'settings.change') ? typedIn(form, desk.chosen, words) : [];
  const said = typed.map(({ chosen }) => chosenWords(chosen, words)).join('; ');
  mustBeSeen(form, desk.chosen, { sent: said === '' ? words.parked.check : said, now: nowSet(desk, words) });
  const again = form.text('again');
  if (typed.some(({ problem, nameProblem }) => problem !== undefined || nameProblem !== undefined)) {
    return showDesk(context, { desk, check: await checkOf(context, again), typed });
  }
  const { group } = desk;
  const { run } = await checkOne(deps, { group, chosen: typed.map(({ chosen }) => chosen), was: desk.chosen, again: again === '' ? null : again, by });
  return { goTo: `/console/parked/${group.id}?run=${run}` };
}

async function rest({ deps, words, by }: PageContext, form: Form, desk: Desk): Promise<GoTo> {
  mustBeSeen(form, desk.chosen, { sent: words.parked.rest(desk.group.orders), now: nowSet(desk, words) });
  const { run } = await releaseRest(deps, { group: desk.group, check: form.text('check'), by });
  return { goTo: `/console/runs/${run}` };
}

const dones: Readonly<Record<OneVerb, string>> = { other: 'told-other', same: 'told-same', keep: 'kept-sale', remove: 'removed-sale' };

async function decide({ deps, words, by }: PageContext, form: Form, { desk, verb }: { desk: Desk; verb: OneVerb }): Promise<Reply> {
  const { parked } = words;
  const id = Number(form.text('order'));
  const order = Number.isSafeInteger(id) ? await orderOnDesk(deps, desk.group, id) : null;
  if (order === null) throw new Stale(parked.apart[verb], parked.stale.gone);
  mustBeSeen(form, [order.id, order.detail], { sent: parked.apart[verb], now: order.detail ?? '' });
  const why = form.text('why');
  const back = `/console/parked/${desk.group.id}`;
  if (why === '' && (verb === 'keep' || verb === 'remove')) {
    return {
      status: 422,
      title: parked.apart[verb],
      place: 'parked',
      body: html`<p role="alert">${parked.apart.whyMissing}</p><p><a href="${back}">${words.frame.problem.back}</a></p>`,
    };
  }
  await decideOne(deps, { id, verb, by, why });
  const isLast = desk.group.orders === 1;
  return { goTo: isLast ? '/console/parked' : back, done: dones[verb] };
}
