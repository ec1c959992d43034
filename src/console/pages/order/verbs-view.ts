import type { OrderSheet } from '../../../operations/sheets/order-sheet.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { seen } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { reasonOf } from './sentence.ts';

/** What somebody sent with a verb, and what is wrong with it. */
export type Sent = { verb: string; typed: Readonly<Record<string, string>>; problem: 'note' | 'how' | 'recorded' | 'found' | 'none' };

export type VerbOf = { sheet: OrderSheet; sent: Sent | null; words: Words };

/** What a verb is made from: a change of it makes the form stale. */
export function asSeen({ report, revision }: OrderSheet): unknown {
  return [report.state, revision, report.review?.code ?? null, report.complianceId, report.settled?.at ?? null];
}

/** State and reason, as a stale form shows them. */
export function stateWords(sheet: OrderSheet, words: Words): string {
  return words.order.stale.was(words.orders.states[sheet.report.state], reasonOf(sheet, words));
}

/** A form of one verb, with what it was made from. */
export function verbForm({ sheet, words }: VerbOf, verb: string, content: Html): Html {
  return html`<form method="post" action="/console/orders/${sheet.report.id}/${verb}">
${seen(asSeen(sheet))}<input type="hidden" name="was" value="${stateWords(sheet, words)}">
${content}</form>
`;
}

type Field = { verb: string; name: 'note' | 'recorded'; label: string };

/** A field of a verb; each has an id of its own. */
export function textField({ sent, words }: VerbOf, { verb, name, label }: Field): Html {
  const own = sent !== null && sent.verb === verb ? sent : null;
  const id = `${verb}-${name}`;
  const problem = own?.problem === name ? words.order.problems[name] : null;
  const more = attributes({ 'aria-invalid': problem === null ? null : 'true', 'aria-describedby': problem === null ? null : `${id}-problem` });
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="text" autocomplete="off" value="${own?.typed[name] ?? ''}"${more}>
${problem === null ? nothing : html`<p class="problem" id="${id}-problem" role="alert">${problem}</p>`}</div>`;
}

/** One of several ways, none of them chosen before. */
export function choice(
  { sent, words }: VerbOf,
  { verb, name, legend, ways }: { verb: string; name: 'how' | 'found'; legend: string; ways: readonly (readonly [string, string])[] },
): Html {
  const own = sent !== null && sent.verb === verb ? sent : null;
  const way = ([value, label]: readonly [string, string]) =>
    html`<p><label><input type="radio" name="${name}" value="${value}"${attributes({ checked: own?.typed[name] === value })}> ${label}</label></p>\n`;
  return html`<fieldset><legend>${legend}</legend>
${ways.map(way)}${own?.problem === name ? html`<p class="problem" role="alert">${words.order.problems[name]}</p>` : nothing}</fieldset>`;
}

/** The buyer is shown once he is asked for, and that is kept. */
export function buyerVerb(of: VerbOf): Html {
  const { verbs } = of.words.order;
  return verbForm(of, 'buyer', html`<div class="verbs"><button class="second">${verbs.buyer}</button> <span class="hint">${verbs.buyerHint}</span></div>`);
}
