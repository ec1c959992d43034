import type { OrderDetail } from '../../../operations/order-detail/order-detail.ts';
import type { Looked } from '../../../operations/orders/confirm-order.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { seen } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { numberOf } from '../orders/order-label.ts';
import { reasonOf } from './sentence.ts';
import { clockText } from './story-view.ts';

/** The verb of the order's state: what a person can do about it now, the first thing first. */
export function verbsView(of: VerbOf): Html {
  const { report } = of.orderDetail;
  const code = report.review?.code ?? null;
  if (code === 'order.other') return apart(of);
  const records = code === 'record.doubled' ? doubled(of) : nothing;
  const removal = of.orderDetail.may.has('kept') ? askRemoval(of) : nothing;
  return html`${records}${removal}${release(of)}${code === 'compliance.conflict' ? apart(of) : nothing}${resolve(of)}${of.orderDetail.isAnew ? again(of) : nothing}`;
}

/** Is there anything to decide? */
export function hasVerbs({ report, may, isAnew }: OrderDetail): boolean {
  return isAnew || report.state === 'review' || report.resolution?.counts === true || may.size > 0;
}

function release(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const { state, resolution } = of.orderDetail.report;
  if (state === 'review') {
    return verbForm(
      of,
      'release',
      html`<div class="verbs"><button data-key="r">${verbs.release}</button> <a class="verb second" href="/console/review${of.orderDetail.group === null ? '' : `/${of.orderDetail.group}`}">${verbs.issue}</a> <span class="hint">${verbs.releaseHint}</span></div>`,
    );
  }
  const isSaid = resolution?.counts === true && (state === 'resolved' || state === 'recorded' || state === 'removed');
  return isSaid ? verbForm(of, 'release', html`<div class="verbs"><button class="second" data-key="r">${verbs.takeBack}</button></div>`) : nothing;
}

function resolve(of: VerbOf): Html {
  const { orderDetail, sent, words } = of;
  const { verbs } = words.order;
  const all = [
    ['recorded', verbs.recordedThere],
    ['not-a-sale', verbs.notASale],
    ['elsewhere', verbs.elsewhere],
    // Of one that asks for it, it is a question of its own.
    ['removed', verbs.removed],
  ] as const;
  const ways = all.filter(([how]) => orderDetail.may.has(how) && !(how === 'removed' && orderDetail.may.has('kept')));
  if (ways.length === 0) return nothing;
  const form = verbForm(
    of,
    'resolve',
    html`<p class="hint">${verbs.resolveHint}</p>
${choice(of, { verb: 'resolve', name: 'how', legend: verbs.how, ways })}
${textField(of, { verb: 'resolve', name: 'recorded', label: verbs.recordedId })}
${textField(of, { verb: 'resolve', name: 'note', label: verbs.note })}
<div class="verbs"><button class="second">${verbs.resolveNow}</button></div>`,
  );
  return html`<details class="card"${attributes({ open: sent?.verb === 'resolve' })}><summary>${verbs.resolve}</summary>
${form}</details>`;
}

/** It was recorded with other settings than today's: said as what it is, a delete and a create. */
function again(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const form = verbForm(
    of,
    'again',
    html`<p>${verbs.againHint}</p>
${textField(of, { verb: 'again', name: 'note', label: verbs.note })}
<div class="verbs"><button class="danger">${verbs.againNow}</button></div>`,
  );
  return html`<details class="card"${attributes({ open: of.sent?.verb === 'again' })}><summary>${verbs.again}</summary>
${form}</details>`;
}

/** A cancelled order whose refund was not seen. */
function askRemoval(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const ways = [
    ['kept', verbs.kept],
    ['removed', verbs.removed],
  ] as const;
  const content = html`${choice(of, { verb: 'removal', name: 'how', legend: verbs.removal, ways })}
${textField(of, { verb: 'removal', name: 'note', label: verbs.note })}
<div class="verbs"><button>${verbs.resolveNow}</button></div>`;
  return html`<section class="banner attention">${verbForm(of, 'removal', content)}</section>`;
}

/** It is recorded twice: the records have a page of their own. */
function doubled({ orderDetail, words }: VerbOf): Html {
  const { records: say } = words.order;
  return html`<section class="banner attention"><p>${say.twice}</p><p class="verbs"><a class="verb" href="/console/orders/${orderDetail.report.id}/records">${say.look}</a></p></section>`;
}

/** An order that came under the id of another one, or whose id another one's record has. */
function apart(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const isOther = of.orderDetail.report.review?.code === 'order.other';
  const content = html`<h2>${verbs.apart}</h2><p class="hint">${verbs.apartHint}</p>
<div class="verbs"><button name="how" value="other">${verbs.other}</button>${isOther ? html` <button name="how" value="same" class="second">${verbs.same}</button>` : nothing}</div>`;
  return html`<section class="banner attention">${verbForm(of, 'apart', content)}</section>`;
}

/** What somebody sent with a verb, and what is wrong with it. */
export type Sent = { verb: string; typed: Readonly<Record<string, string>>; problem: 'note' | 'how' | 'recorded' | 'found' | 'none' };

export type VerbOf = { orderDetail: OrderDetail; sent: Sent | null; words: Words };

/** What a verb is made from: a change of it makes the form stale. */
export function asSeen({ report, revision }: OrderDetail): unknown {
  return [report.state, revision, report.review?.code ?? null, report.complianceId, report.resolution?.at ?? null];
}

/** State and reason, as a stale form shows them. */
export function stateWords(orderDetail: OrderDetail, words: Words): string {
  return words.order.stale.was(words.orders.states[orderDetail.report.state], reasonOf(orderDetail, words));
}

/** A form of one verb, with what it was made from. */
function verbForm({ orderDetail, words }: VerbOf, verb: string, content: Html): Html {
  return html`<form method="post" action="/console/orders/${orderDetail.report.id}/${verb}">
${seen(asSeen(orderDetail))}<input type="hidden" name="was" value="${stateWords(orderDetail, words)}">
${content}</form>
`;
}

type Field = { verb: string; name: 'note' | 'recorded'; label: string };

/** A field of a verb; each has an id of its own. */
function textField({ sent, words }: VerbOf, { verb, name, label }: Field): Html {
  const own = sent !== null && sent.verb === verb ? sent : null;
  const id = `${verb}-${name}`;
  const problem = own?.problem === name ? words.order.problems[name] : null;
  const more = attributes({ 'aria-invalid': problem === null ? null : 'true', 'aria-describedby': problem === null ? null : `${id}-problem` });
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="text" autocomplete="off" value="${own?.typed[name] ?? ''}"${more}>
${problem === null ? nothing : html`<p class="problem" id="${id}-problem" role="alert">${problem}</p>`}</div>`;
}

/** One of several ways, none of them chosen before. */
function choice(
  { sent, words }: VerbOf,
  { verb, name, legend, ways }: { verb: string; name: 'how' | 'found'; legend: string; ways: readonly (readonly [string, string])[] },
): Html {
  const own = sent !== null && sent.verb === verb ? sent : null;
  const way = ([value, label]: readonly [string, string]) =>
    html`<p><label><input type="radio" name="${name}" value="${value}"${attributes({ checked: own?.typed[name] === value })}> ${label}</label></p>\n`;
  return html`<fieldset><legend>${legend}</legend>
${ways.map(way)}${own?.problem === name ? html`<p class="problem" role="alert">${words.order.problems[name]}</p>` : nothing}</fieldset>`;
}

/** The buyer is shown once they are asked for, and that is kept. */
export function buyerVerb(of: VerbOf): Html {
  const { verbs } = of.words.order;
  return verbForm(of, 'buyer', html`<div class="verbs"><button class="second">${verbs.buyer}</button> <span class="hint">${verbs.buyerHint}</span></div>`);
}

type Doubt = { looked: Looked | null; mayAct: boolean };

/** The box of an order of which nobody knows whether it is recorded. `looked`: what looking for its record found. */
export function doubtView(of: VerbOf, { looked, mayAct }: Doubt): Html {
  const { orderDetail, words } = of;
  const { doubt } = words.order;
  const { inDoubt, report } = orderDetail;
  if (inDoubt === null) return nothing;
  const at = clockText(inDoubt.at, words);
  const what = inDoubt.kind === 'create' ? doubt.created(at, numberOf(report)) : doubt.deleted(at, inDoubt.complianceId ?? '');
  return html`<section class="banner attention" id="doubt"><h2>${doubt.title}</h2>
<p>${what}</p>
${report.refusal === null ? nothing : html`<p>${doubt.refused(report.refusal)}</p>\n`}${looked === null ? nothing : html`<p role="status"><strong>${lookedWords(looked, words)}</strong></p>\n`}${mayAct ? forms(of, looked) : nothing}</section>`;
}

function forms(of: VerbOf, looked: Looked | null): Html {
  const { doubt, verbs } = of.words.order;
  const ways = [
    ['yes', doubt.found],
    ['no', doubt.notFound],
  ] as const;
  const known = of.orderDetail.inDoubt?.complianceId ?? (looked?.is === 'found' ? looked.id : '');
  const typed: Record<string, string> = {
    recorded: known,
    ...(looked === null ? {} : { found: looked.is === 'found' ? 'yes' : looked.is === 'none' ? 'no' : '' }),
  };
  const filled: VerbOf = of.sent?.verb === 'confirm' ? of : { ...of, sent: { verb: 'confirm', typed, problem: 'none' } };
  return html`${verbForm(of, 'look', html`<div class="verbs"><button class="second">${doubt.look}</button></div>`)}${verbForm(
    of,
    'confirm',
    html`${choice(filled, { verb: 'confirm', name: 'found', legend: doubt.title, ways })}
${textField(filled, { verb: 'confirm', name: 'recorded', label: verbs.recordedId })}
${textField(filled, { verb: 'confirm', name: 'note', label: verbs.note })}
<div class="verbs"><button>${doubt.say}</button></div>`,
  )}`;
}

function lookedWords(looked: Looked, { order: { doubt } }: Words): string {
  switch (looked.is) {
    case 'found':
      return doubt.looked.found(looked.id);
    case 'several':
      return doubt.looked.several(looked.ids.join(', '));
    case 'none':
      return doubt.looked.none;
    case 'unlisted':
      return doubt.looked.unlisted;
  }
}

/** What may be done about a kept webhook: it is read again; its body holds the buyer. */
export function webhookVerbs({ orderDetail, words }: VerbOf, role: Person['role']): (delivery: string) => Html {
  const { event } = words.order;
  const verb = (delivery: string, path: string, name: string) =>
    html`<form method="post" action="/console/orders/${orderDetail.report.id}/${path}"><input type="hidden" name="delivery" value="${delivery}"><button class="plain">${name}</button></form>`;
  return (delivery) =>
    html`<span class="small">${verb(delivery, 'replay', event.replay)}${may(role, 'buyers.see') ? verb(delivery, 'body', event.body) : nothing}</span>`;
}
