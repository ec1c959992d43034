import type { Desk, Elsewhere } from '../../../operations/desk/open-desk.ts';
import type { Proposal } from '../../../operations/desk/proposals.ts';
import type { ShownRun } from '../../../operations/desk/show-run.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { live, money, seen, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { checkResult, wentWell } from './check-result.ts';
import { choiceFields, nameOf, type Typed } from './choice-form.ts';
import { deskOrders } from './desk-orders.ts';
import { mismatches } from './mismatches.ts';
import { proposalView, proposeForm } from './proposal-view.ts';
import { questionOf } from './question.ts';
import { risk } from './review-list.ts';

/** `check`: of the order that went first; null: none did. `typed`: what was sent and not taken; null: what is set now. `proposal`: the last one; null: none. */
export type ShownDesk = { desk: Desk; check: ShownRun | null; typed: readonly Typed[] | null; person: Person; proposal: Proposal | null };

/** Codes whose orders are decided on their own pages: a person's word about each of them is asked. */
const EACH_BY_ITSELF: ReadonlySet<string> = new Set([
  '',
  'order.other',
  'removal.unproven',
  'settled.changed',
  'compliance.conflict',
  'record.doubled',
  'seller.other',
]);

export function isCheckable(code: string): boolean {
  return !EACH_BY_ITSELF.has(code);
}

/** The question with its answers, and its orders. */
export function deskView(shown: ShownDesk, words: Words): Html {
  const { desk, check, person, proposal } = shown;
  const { group } = desk;
  const mayDecide = may(person.role, 'orders.decide');
  const todo = group.settings.length > 0 && group.code !== 'gift-card.undecided' ? nothing : html`<p>${questionOf(group.code, words).todo}</p>`;
  return html`<p><a href="/console/review">${words.review.back}</a></p>
${live('summary', summary(desk, words))}
${todo}
${live('proposal', proposal === null ? nothing : proposalView({ proposal, desk, person }, words))}
${live('check', html`${check === null ? nothing : checkResult(check, words, person)}${check !== null && mayDecide && wentWell(check) ? restForm(desk, check, words) : nothing}`)}
${mayDecide && isCheckable(group.code) && !(check !== null && wentWell(check)) ? checkForm(shown, words) : nothing}
${isProposer(person) && group.settings.length > 0 ? proposer(shown, words) : nothing}
${mismatches(desk.mismatches, words)}
${deskOrders(desk, words, person)}`;
}

/** Somebody who may say what the answer is, and not give it. */
function isProposer({ role }: Person): boolean {
  return may(role, 'settings.propose') && !may(role, 'settings.change');
}

function proposer({ desk, typed }: ShownDesk, words: Words): Html {
  const fields = choiceFields(typed ?? desk.chosen.map((chosen) => ({ chosen })), words);
  return proposeForm({ desk, fields, elsewhere: html`${lines(desk.elsewhere.map((one) => elsewhere(one, words)))}` }, words);
}

function summary({ group }: Desk, words: Words): Html {
  const { review } = words;
  const oldest = group.oldest === null ? nothing : html`, ${review.oldest} ${when(group.oldest, words)}`;
  const sum = group.total === null ? nothing : html`, ${money(group.total, words)}`;
  return html`<p class="soft">${review.summary(group.orders, group.store)}${sum}${oldest}. ${risk(group, words)}</p>`;
}

function checkForm({ desk, check, typed, person }: ShownDesk, words: Words): Html {
  const { group, chosen, orders } = desk;
  const { review } = words;
  const mayChoose = may(person.role, 'settings.change');
  const fields = mayChoose ? choiceFields(typed ?? chosen.map((one) => ({ chosen: one })), words) : nothing;
  const refused = check?.asked[0]?.code === 'compliance.refused' ? check.one : null;
  const first = refused?.number ?? orders[0]?.number ?? `id:${orders[0]?.id ?? ''}`;
  const others = refused === null ? group.orders - 1 : group.orders;
  return html`<form method="post" class="card desk" action="/console/review/${group.id}">
<input type="hidden" name="verb" value="check"><input type="hidden" name="again" value="${refused === null ? '' : (check?.id ?? '')}">${seen(chosen)}
${fields}
${lines(desk.elsewhere.map((one) => elsewhere(one, words)))}<p class="soft">${review.checkLead(first, others)}</p>
<div class="verbs"><button data-key="r">${review.check}</button></div></form>`;
}

function elsewhere({ chosen, stores }: Elsewhere, words: Words): Html {
  const value = chosen.value === null ? '' : nameOf(chosen.asked, chosen.value, words);
  return html`<p>${words.review.elsewhere(stores)} <strong>${chosen.name === null ? value : `${value}, ${chosen.name}`}</strong></p>`;
}

function restForm({ group, chosen }: Desk, check: ShownRun, words: Words): Html {
  return html`<form method="post" class="card desk" action="/console/review/${group.id}">
<input type="hidden" name="verb" value="rest"><input type="hidden" name="check" value="${check.id}">${seen(chosen)}
<p>${words.review.restLead}</p>
<div class="verbs"><button data-key="r">${words.review.rest(group.orders)}</button></div></form>`;
}
