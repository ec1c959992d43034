import type { ReviewOrder } from '../../../bridge/ledger/review-groups.ts';
import { detailFor } from '../../../operations/order-detail/quoted-words.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { type Elsewhere, type Issue, type LinesAndPaid, type OneVerb, verbsOfOne } from '../../../operations/review/open-issue.ts';
import type { Proposal } from '../../../operations/review/proposals.ts';
import type { ShownBulkAction } from '../../../operations/review/show-bulk-action.ts';
import { problemWords } from '../../../operations/words/code-words.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { live, money, noDefault, seen, table, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { checkResult, wentWell } from './check-result.ts';
import { choiceFields, nameOf, type Typed } from './choice-form.ts';
import { issueTextOf } from './issue-text.ts';
import { proposalView, proposeForm } from './proposal-view.ts';
import { risk } from './review-page.ts';

/** `check`: of the order that went first; null: none did. `typed`: what was sent and not taken; null: what is set now. `proposal`: the last one; null: none. */
type ShownIssue = { issue: Issue; check: ShownBulkAction | null; typed: readonly Typed[] | null; person: Person; proposal: Proposal | null };

/** Codes whose orders are decided on their own pages: a person's word about each of them is asked. */
const EACH_BY_ITSELF: ReadonlySet<string> = new Set([
  '',
  'order.other',
  'removal.unproven',
  'resolution.changed',
  'compliance.conflict',
  'record.doubled',
  'seller.other',
]);

export function isCheckable(code: string): boolean {
  return !EACH_BY_ITSELF.has(code);
}

/** The issue with its answers, and its orders. */
export function issueView(shown: ShownIssue, words: Words): Html {
  const { issue, check, person, proposal } = shown;
  const { group } = issue;
  const mayDecide = may(person.role, 'orders.decide');
  const todo = group.settings.length > 0 && group.code !== 'gift-card.undecided' ? nothing : html`<p>${issueTextOf(group.code, words).todo}</p>`;
  return html`<p><a href="/console/review">${words.review.back}</a></p>
${live('summary', summary(issue, words))}
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

function summary({ group }: Issue, words: Words): Html {
  const { review } = words;
  const oldest = group.oldest === null ? nothing : html`, ${review.oldest} ${when(group.oldest, words)}`;
  const sum = group.total === null ? nothing : html`, ${money(group.total, words)}`;
  return html`<p class="soft">${review.summary(group.orders, group.store)}${sum}${oldest}. ${risk(group, words)}</p>`;
}

function checkForm({ issue, check, typed, person }: ShownIssue, words: Words): Html {
  const { group, chosen, orders } = issue;
  const { review } = words;
  const mayChoose = may(person.role, 'settings.change');
  const fields = mayChoose ? choiceFields(typed ?? chosen.map((one) => ({ chosen: one })), words) : nothing;
  const refused = check?.issues[0]?.code === 'compliance.refused' ? check.one : null;
  const first = refused?.number ?? orders[0]?.number ?? `id:${orders[0]?.id ?? ''}`;
  const others = refused === null ? group.orders - 1 : group.orders;
  return html`<form method="post" class="card issue" action="/console/review/${group.id}">
<input type="hidden" name="verb" value="check"><input type="hidden" name="again" value="${refused === null ? '' : (check?.id ?? '')}">${seen(chosen)}
${fields}
${lines(issue.elsewhere.map((one) => elsewhere(one, words)))}<p class="soft">${review.checkLead(first, others)}</p>
<div class="verbs"><button data-key="r">${review.check}</button></div></form>`;
}

function elsewhere({ chosen, stores }: Elsewhere, words: Words): Html {
  const value = chosen.value === null ? '' : nameOf(chosen.setting, chosen.value, words);
  return html`<p>${words.review.elsewhere(stores)} <strong>${chosen.name === null ? value : `${value}, ${chosen.name}`}</strong></p>`;
}

function restForm({ group, chosen }: Issue, check: ShownBulkAction, words: Words): Html {
  return html`<form method="post" class="card issue" action="/console/review/${group.id}">
<input type="hidden" name="verb" value="rest"><input type="hidden" name="check" value="${check.id}">${seen(chosen)}
<p>${words.review.restLead}</p>
<div class="verbs"><button data-key="r">${words.review.rest(group.orders)}</button></div></form>`;
}

/** The orders of an issue; those that are decided one by one, each with its verbs. */
function issueOrders({ group, orders }: Issue, words: Words, person: Person): Html {
  const { review } = words;
  const { order, made, total, recorded, why, verb } = review.orderColumns;
  // Of those that a setting answers, the heading says why, and the page what to do.
  const isOne = group.settings.length > 0;
  const columns = [{ name: order }, { name: made }, { name: total, n: true as const }, { name: recorded }, ...(isOne ? [] : [{ name: why }, { name: verb }])];
  const verbs = may(person.role, 'orders.decide') ? (verbsOfOne[group.code] ?? []) : [];
  const rows = orders.map((one) => {
    const row = { one, code: group.code, verbs, group: group.id };
    return [...orderCells(one, words), ...(isOne ? [] : [whyCell(row, words, person), verbCell(row, words)])];
  });
  const cut = orders.length < group.orders ? html`<p class="soft">${review.ordersCut(orders.length, group.orders)}</p>` : nothing;
  return html`<h2>${review.ordersTitle}</h2>
${cut}${rows.length === 0 ? html`<p>${review.noOrders}</p>` : table({ caption: review.ordersTitle, columns, rows })}`;
}

type Row = { one: ReviewOrder; code: string; verbs: readonly OneVerb[]; group: string };

function orderCells({ id, number, orderId, currency, total, made, hasRecord }: ReviewOrder, words: Words): Html[] {
  const { review, frame } = words;
  return [
    html`<a href="/console/orders/${id}">${number ?? orderId}</a>`,
    made === null ? html`${frame.none}` : when(made, words),
    html`${total === null || currency === null ? frame.none : money(`${total} ${currency}`, words)}`,
    html`${hasRecord ? review.isRecorded : review.notRecorded}`,
  ];
}

function whyCell({ one, code }: Row, { frame, lang }: Words, person: Person): Html {
  const detail = detailFor(person, code, one.detail);
  return html`${detail === null ? frame.none : problemWords({ code, detail }, lang)}`;
}

function verbCell(row: Row, words: Words): Html {
  return row.verbs.length === 0 ? html`<a href="/console/orders/${row.one.id}">${words.review.openOrder}</a>` : verbForm(row, words);
}

function verbForm({ one, verbs, group }: Row, words: Words): Html {
  const { apart } = words.review;
  const needsWhy = verbs.includes('keep');
  const why = needsWhy ? html`<label for="why-${one.id}">${apart.why}</label> <input id="why-${one.id}" name="why" maxlength="1000" required> ` : nothing;
  const button = (verb: OneVerb) => html`<button class="second" name="verb" value="${verb}">${apart[verb]}</button>`;
  return html`<form method="post" action="/console/review/${group}">${noDefault}<input type="hidden" name="order" value="${one.id}">${seen([one.id, one.detail])}
${why}<span class="verbs">${lines(verbs.map(button))}</span></form>`;
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
  const rows = [
    ...sold.map((line) => [html`${line.name}${line.quantity === '1' ? nothing : html` × ${line.quantity}`}`, html`${money(line.amount, words)}`]),
    [html`<strong>${said.sum}</strong>`, html`<strong>${money(sum, words)}</strong>`],
    [html`<strong>${said.paid}</strong>`, html`<strong>${money(paid, words)}</strong>`],
  ];
  const sentence = gap === null ? said.equal : said[gap.is](money(gap.amount, words));
  return html`<section class="card mismatch"><h3><a href="/console/orders/${id}">${name}</a></h3>
${table({ caption: name, columns: [{ name: said.line }, { name: said.amount, n: true }], rows })}
<p class="problem">${sentence}</p></section>`;
}
