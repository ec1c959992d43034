import type { ReviewOrder } from '../../../bridge/ledger/review/review-groups.ts';
import { type AnswerPreview, previewAnswer } from '../../../operations/order-detail/order-detail.ts';
import { detailFor } from '../../../operations/order-detail/quoted-words.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { checkOne, releaseRest } from '../../../operations/review/check-one.ts';
import {
  decideOne,
  type Elsewhere,
  type Issue,
  type LinesAndPaid,
  type OneVerb,
  openIssue,
  orderOfIssue,
  verbsOfOne,
} from '../../../operations/review/open-issue.ts';
import { type Proposal, proposalFor } from '../../../operations/review/proposals.ts';
import { type ShownBulkAction, showBulkAction } from '../../../operations/review/show-bulk-action.ts';
import { button, field, formTo, mustBeSeen, noDefault, Stale } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { Form, GoTo, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { live, money, problemText, storeLink, when } from '../../frame/parts.ts';
import type { Done } from '../../messages/done.ts';
import type { Words } from '../../messages/messages.ts';
import { seen } from '../count-charts.ts';
import { sourcesView } from '../order/sources-view.ts';
import { assignedTags, assignForm } from '../orders/assign-form.ts';
import { numberOf } from '../orders/order-label.ts';
import { inAddress } from '../orders/order-list-request.ts';
import { checkResult, paymentWords, wentWell } from './check-result.ts';
import { choiceFields, chosenWords, nameOf, type Typed, typedIn } from './choice-form.ts';
import { heading, issueTextOf } from './issue-text.ts';
import { proposalView, proposeForm } from './proposal-view.ts';
import { risk } from './review-page.ts';

/** `/console/review/GROUP`: one issue, and its answers. `?bulkAction=`: of the order that went first. */
export const issuePage: Page = {
  path: '/review/:group',
  right: 'orders.see',
  async get(context) {
    const issue = await issueOf(context);
    const check = await checkOf(context, String(context.req.query['action'] ?? ''));
    if (issue === null) return check === null ? answered(context.words) : { goTo: `/console/bulk-actions/${check.id}` };
    const isPreview = context.req.query['preview'] === '1' && may(context.person.role, 'orders.decide') && isCheckable(issue.group.code);
    return isPreview ? preview(context, issue) : showIssue(context, { issue, check, typed: null });
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

function answered({ review }: Words): ShownPage {
  return {
    ...{ status: 404, title: review.answeredTitle, place: 'review' },
    body: html`<p>${review.answered}</p><p><a href="/console/review">${review.back}</a></p>`,
  };
}

/** The record of one order as the chosen settings would make it, before anything is saved or sent. */
async function preview(context: PageContext, issue: Issue): Promise<PageReply> {
  const { deps, words, person } = context;
  const sent = { text: inAddress(context), all: () => [] };
  const typed = may(person.role, 'settings.change') ? typedIn(sent, issue.chosen, words) : [];
  // After a first order that was refused, the same one goes again.
  const check = await checkOf(context, sent.text('again'));
  if (hasProblem(typed)) return showIssue(context, { issue, check, typed });
  const previewed = await previewAnswer(deps, { group: issue.group, chosen: typed.map(({ chosen }) => chosen), again: check?.id ?? null });
  return { ...(await showIssue(context, { issue, check, typed, previewed })), status: 200 };
}

function hasProblem(typed: readonly Typed[]): boolean {
  return typed.some(({ problem, nameProblem }) => problem !== undefined || nameProblem !== undefined);
}

async function check(context: PageContext, form: Form, issue: Issue): Promise<PageReply> {
  const { deps, words, by, person } = context;
  const typed = may(person.role, 'settings.change') ? typedIn(form, issue.chosen, words) : [];
  const said = typed.map(({ chosen }) => chosenWords(chosen, words)).join('; ');
  mustBeSeen(form, issue.chosen, { sent: said === '' ? words.review.check : said, now: nowSet(issue, words) });
  const again = form.text('again');
  if (hasProblem(typed)) {
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

const dones: Readonly<Record<OneVerb, Done>> = { other: 'split', same: 'merged', keep: 'kept-sale', ours: 'kept-sale', remove: 'removed-sale' };

async function decide({ deps, words, by }: PageContext, form: Form, { issue, verb }: { issue: Issue; verb: OneVerb }): Promise<PageReply> {
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

export function issueOf({ deps, req, person }: PageContext): Promise<Issue | null> {
  return openIssue(deps, { id: String(req.params['group']), shops: person.shops });
}

/** Null: no order of this group went first. */
async function checkOf({ deps, req, person }: PageContext, id: string): Promise<ShownBulkAction | null> {
  const bulkAction = id === '' ? null : await showBulkAction(deps, { id, shops: person.shops });
  return bulkAction?.about?.of === 'check' && bulkAction.about.group === req.params['group'] ? bulkAction : null;
}

/** `typed`: what was sent and not taken; null: what is set now is shown. */
type Showing = { issue: Issue; check: ShownBulkAction | null; typed: readonly Typed[] | null; previewed?: AnswerPreview | null };

export async function showIssue(context: PageContext, { issue, check: bulkAction, typed, previewed = null }: Showing): Promise<ShownPage> {
  const { deps, words, person } = context;
  const proposal = await proposalFor(deps, issue.group);
  const { id, assigned } = issue.group;
  const assigning = { to: `/console/review/${id}/assign`, now: assigned, latest: assigned.latest, connection: issue.connection };
  const form = may(person.role, 'orders.decide') ? await assignForm(context, assigning) : nothing;
  return {
    title: heading(issue.group, words, person),
    place: 'review',
    body: issueView({ issue, check: bulkAction, typed, person, proposal, previewed, assignForm: form }, words),
    ...(typed === null ? {} : { status: 422 }),
    ...(bulkAction !== null && bulkAction.underWay > 0 ? { refreshPlainly: REFRESH_SECONDS } : {}),
  };
}

/** What is set by now, for a form that is out of date. */
export function nowSet({ chosen, group }: Issue, words: Words): string {
  return chosen.length === 0 ? String(group.orders) : chosen.map((one) => chosenWords(one, words)).join('; ');
}

/** `check`: of the order that went first; null: none did. `typed`: what was sent and not taken; null: what is set now. `proposal`: the last one; null: none. `previewed`: the record as it would be; null: nobody asked. */
type ShownIssue = {
  issue: Issue;
  check: ShownBulkAction | null;
  typed: readonly Typed[] | null;
  person: Person;
  proposal: Proposal | null;
  previewed: AnswerPreview | null;
  assignForm: Html;
};

/** Codes whose orders are decided on their own pages: a person's word about each of them is asked. */
const EACH_BY_ITSELF: ReadonlySet<string> = new Set([
  '',
  'order.other',
  'removal.unproven',
  'payment.divided',
  'resolution.changed',
  'compliance.conflict',
  'record.doubled',
  'seller.other',
]);

function isCheckable(code: string): boolean {
  return !EACH_BY_ITSELF.has(code);
}

/** The issue with its answers, and its orders. */
function issueView(shown: ShownIssue, words: Words): Html {
  const { issue, check, person, proposal } = shown;
  const { group } = issue;
  const mayDecide = may(person.role, 'orders.decide');
  const todo = group.settings.length > 0 && group.code !== 'gift-card.undecided' ? nothing : html`<p>${issueTextOf(group.code, words).todo}</p>`;
  return html`<p><a href="/console/review">${words.review.back}</a></p>
${live('summary', summary(issue, words, person))}${shown.assignForm}
${todo}
${live('proposal', proposal === null ? nothing : proposalView({ proposal, issue, person }, words))}
${live('check', html`${check === null ? nothing : checkResult(check, words, person)}${check !== null && mayDecide && wentWell(check) ? restForm(issue, check, words) : nothing}`)}
${mayDecide && isCheckable(group.code) && !(check !== null && wentWell(check)) ? checkForm(shown, words) : nothing}
${isProposer(person) && group.settings.length > 0 ? proposer(shown, words) : nothing}
${mismatches(issue.mismatches, words)}
${issueOrders(issue, words, person)}`;
}

/** Somebody who may say what the answer is, and not give it. */
function isProposer({ role }: Person): boolean {
  return may(role, 'settings.propose') && !may(role, 'settings.change');
}

function proposer({ issue, typed }: ShownIssue, words: Words): Html {
  const fields = choiceFields(typed ?? issue.chosen.map((chosen) => ({ chosen })), words);
  return proposeForm({ issue, fields, elsewhere: html`${lines(issue.elsewhere.map((one) => elsewhere(one, words)))}` }, words);
}

function summary({ group }: Issue, words: Words, person: Person): Html {
  const { review } = words;
  const oldest = group.oldest === null ? nothing : html`, ${review.oldest} ${when(group.oldest, words)}`;
  const sum = group.total === null ? nothing : html`, ${money(group.total, words)}`;
  return html`<p class="soft">${review.summary(group.orders)} ${storeLink({ id: group.connectionId, name: group.store }, person)}${sum}${oldest}. ${risk(group, words)}</p>
<p>${words.counts.issue.seen}: ${seen(group, words)}${assignedTags(group, words)}</p>`;
}

function checkForm({ issue, check, typed, person, proposal, previewed }: ShownIssue, words: Words): Html {
  const { group, chosen, orders } = issue;
  const { review } = words;
  const mayChoose = may(person.role, 'settings.change');
  const fields = mayChoose ? choiceFields(typed ?? chosen.map((one) => ({ chosen: one })), words) : nothing;
  const refused = check?.issues[0]?.code === 'compliance.refused' ? check.one : null;
  const first = refused?.number ?? orders[0]?.number ?? `id:${orders[0]?.id ?? ''}`;
  const others = refused === null ? group.orders - 1 : group.orders;
  const body = html`${fields}
${lines(issue.elsewhere.map((one) => elsewhere(one, words)))}<p class="soft">${review.checkLead(first, others)}</p>${previewed === null ? nothing : previewView(previewed, words)}`;
  const press = button(mayChoose && chosen.length > 0 ? review.check : review.checkUnset, {
    'data-key': 'r',
    class: mayChoose && proposal?.is === 'open' ? 'second' : null,
  });
  const look = button(review.preview.show, { class: 'second', formmethod: 'get', name: 'preview', value: '1' });
  const hidden = { verb: 'check', again: refused === null ? '' : (check?.id ?? '') };
  return formTo(`/console/review/${group.id}`, { class: 'card issue', hidden, seen: chosen, body, buttons: [press, look] });
}

/** What would be recorded; nothing is kept of it. */
function previewView({ report, sources }: AnswerPreview, words: Words): Html {
  const { preview: say } = words.review;
  const { desired } = report;
  const paid = desired.kind === 'record' ? html`<p>${say.paid(paymentWords(desired.record, words))}</p>\n` : nothing;
  return html`<section class="banner" role="status"><h2>${say.title(numberOf(report))}</h2>
<p class="soft">${say.lead}</p>
${paid}${sourcesView({ report, sources }, words, true)}</section>`;
}

function elsewhere({ chosen, stores }: Elsewhere, words: Words): Html {
  const value = chosen.value === null ? '' : nameOf(chosen.setting, chosen.value, words);
  return html`<p>${words.review.elsewhere(stores)} <strong>${chosen.name === null ? value : `${value}, ${chosen.name}`}</strong></p>`;
}

function restForm({ group, chosen }: Issue, check: ShownBulkAction, words: Words): Html {
  const body = html`<p>${words.review.restLead}</p>`;
  const buttons = [button(words.review.rest(group.orders), { 'data-key': 'r' })];
  return formTo(`/console/review/${group.id}`, { class: 'card issue', hidden: { verb: 'rest', check: check.id }, seen: chosen, body, buttons });
}

/** The orders of an issue; those that are decided one by one, each with its verbs. */
function issueOrders({ group, orders }: Issue, words: Words, person: Person): Html {
  const { review } = words;
  const verbs = may(person.role, 'orders.decide') ? (verbsOfOne[group.code] ?? []) : [];
  const own: Columns<ReviewOrder> = [
    { name: review.orderColumns.why, cell: (one) => whyCell(one, group.code, { words, person }) },
    { name: review.orderColumns.verb, cell: (one) => verbCell({ one, verbs, group: group.id }, words) },
  ];
  // Of those that a setting answers, the heading says why, and the page what to do.
  const columns = group.settings.length > 0 ? orderColumns(words) : [...orderColumns(words), ...own];
  const cut = orders.length < group.orders ? html`<p class="soft">${review.ordersCut(orders.length, group.orders)}</p>` : nothing;
  return html`<h2>${review.ordersTitle}</h2>
${cut}${orders.length === 0 ? html`<p>${review.noOrders}</p>` : table({ caption: review.ordersTitle, columns, rows: orders })}`;
}

type Row = { one: ReviewOrder; verbs: readonly OneVerb[]; group: string };

function orderColumns(words: Words): Columns<ReviewOrder> {
  const { frame, review } = words;
  const { order, made, total, recorded } = review.orderColumns;
  return [
    { name: order, cell: ({ id, number, orderId }) => html`<a href="/console/orders/${id}">${number ?? orderId}</a>` },
    { name: made, cell: (one) => (one.made === null ? frame.none : when(one.made, words)) },
    { name: total, n: true, cell: ({ total: sum, currency }) => (sum === null || currency === null ? frame.none : money(`${sum} ${currency}`, words)) },
    { name: recorded, cell: ({ hasRecord }) => (hasRecord ? review.isRecorded : review.notRecorded) },
  ];
}

function whyCell(one: ReviewOrder, code: string, { words: { frame, lang }, person }: { words: Words; person: Person }): string {
  const detail = detailFor(person, code, one.detail);
  return detail === null ? frame.none : problemText({ code, detail }, lang);
}

function verbCell(row: Row, words: Words): Html {
  return row.verbs.length === 0 ? html`<a href="/console/orders/${row.one.id}">${words.review.openOrder}</a>` : verbForm(row, words);
}

function verbForm({ one, verbs, group }: Row, words: Words): Html {
  const { apart } = words.review;
  const needsWhy = verbs.includes('keep');
  const why = field({ id: `why-${one.id}`, name: 'why', label: apart.why, required: true, more: { maxlength: 1000 } });
  const buttons = verbs.map((verb) => button(apart[verb], { class: 'second', name: 'verb', value: verb }));
  const body = html`${noDefault}${needsWhy ? why : nothing}`;
  return formTo(`/console/review/${group}`, { hidden: { order: String(one.id) }, seen: [one.id, one.detail], body, buttons });
}

/** The lines of orders next to what was paid, with what is missing. */
function mismatches(orders: readonly LinesAndPaid[], words: Words): Html {
  if (orders.length === 0) return nothing;
  return html`<h2>${words.review.mismatch.title}</h2>
${lines(orders.map((order) => mismatch(order, words)))}`;
}

function mismatch({ id, number, lines: sold, sum, paid, gap }: LinesAndPaid, words: Words): Html {
  const { mismatch: said } = words.review;
  const name = number ?? `id:${id}`;
  const columns: Columns<LinesAndPaid['lines'][number]> = [
    { name: said.line, cell: (line) => html`${line.name}${line.quantity === '1' ? nothing : html` × ${line.quantity}`}` },
    { name: said.amount, n: true, cell: ({ amount }) => money(amount, words) },
  ];
  const total = (label: string, amount: string | null) => [html`<strong>${label}</strong>`, html`<strong>${money(amount, words)}</strong>`];
  const sentence = gap === null ? said.equal : said[gap.is](money(gap.amount, words));
  return html`<section class="card mismatch"><h3><a href="/console/orders/${id}">${name}</a></h3>
${table({ caption: name, columns, rows: sold, sums: [total(said.sum, sum), total(said.paid, paid)] })}
<p class="problem">${sentence}</p></section>`;
}
