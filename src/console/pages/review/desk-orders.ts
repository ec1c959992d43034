import type { AskedOrder } from '../../../bridge/ledger/asked-groups.ts';
import { type OneVerb, verbsOfOne } from '../../../operations/desk/decide-one.ts';
import type { Desk } from '../../../operations/desk/open-desk.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { detailFor } from '../../../operations/sheets/quoted-words.ts';
import { problemWords } from '../../../operations/words/problem-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { noDefault } from '../../frame/no-default.ts';
import { money, seen, table, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** The orders of a question; those that are decided one by one, each with its verbs. */
export function deskOrders({ group, orders }: Desk, words: Words, person: Person): Html {
  const { review } = words;
  const { order, made, total, recorded, why, verb } = review.orderColumns;
  // Of those that a setting answers, the heading says why, and the desk what to do.
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

type Row = { one: AskedOrder; code: string; verbs: readonly OneVerb[]; group: string };

function orderCells({ id, number, orderId, currency, total, made, hasRecord }: AskedOrder, words: Words): Html[] {
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
