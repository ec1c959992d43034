import { monthName } from '../../../contract/local-text.ts';
import type { OrderDetail } from '../../../operations/order-detail/order-detail.ts';
import type { RecordLookup } from '../../../operations/orders/confirm-order.ts';
import { attributes } from '../../../web/attributes.ts';
import { button, choices, field, formTo } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { money } from '../../frame/parts.ts';
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

/** A question of its own comes first: its answer is what to press. */
function isAsked({ orderDetail: { may, report } }: VerbOf): boolean {
  return may.has('kept') || report.review?.code === 'record.doubled' || report.review?.code === 'compliance.conflict';
}

/** Is there anything to decide? */
export function hasVerbs({ report, may, isAnew }: OrderDetail): boolean {
  return isAnew || report.state === 'review' || report.resolution?.counts === true || may.size > 0;
}

function release(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const { state, resolution } = of.orderDetail.report;
  if (state === 'review') {
    const { group } = of.orderDetail;
    const similar = `/console/review${group === null ? '' : `/${group.id}`}`;
    // What a setting answers is retried by itself once it is set.
    if (group?.isSetting === true) return html`<p class="verbs"><a class="verb" data-key="r" href="${similar}">${verbs.issue}</a></p>`;
    const retry = button(verbs.release, { 'data-key': 'r', class: isAsked(of) ? 'second' : null });
    const others = html`<a href="${similar}">${verbs.similar}</a>`;
    return verbForm(of, 'release', { buttons: [retry, html` <span class="hint">${verbs.releaseHint}</span> `, others] });
  }
  return resolution?.counts === true && (state === 'resolved' || state === 'recorded' || state === 'removed') ? undo(of) : nothing;
}

/** What a person said is taken back, as long as nothing new came of the order. */
function undo(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const verb = of.orderDetail.report.state === 'removed' ? verbs.recordAgain : verbs.takeBack;
  return verbForm(of, 'release', { buttons: [button(verb, { class: 'second', 'data-key': 'r' }), html` <span class="hint">${verbs.takeBackHint}</span>`] });
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
  const isOwn = orderDetail.may.has('kept') || orderDetail.report.state === 'recorded';
  const ways = all.filter(([how]) => orderDetail.may.has(how) && !(how === 'removed' && isOwn));
  if (ways.length === 0) return nothing;
  const body = html`<p class="hint">${verbs.resolveHint}</p>
${choice(of, { verb: 'resolve', name: 'how', legend: verbs.how, ways })}
${textField(of, { verb: 'resolve', name: 'recorded', label: verbs.recordedId })}
${textField(of, { verb: 'resolve', name: 'note', label: verbs.note })}`;
  const form = verbForm(of, 'resolve', { body, buttons: [button(verbs.resolveNow, { class: 'second' })] });
  return html`<details class="card"${attributes({ open: sent?.verb === 'resolve' })}><summary>${verbs.resolve}</summary>
${form}</details>`;
}

/** It was recorded with other settings than today's: said as what it is, a delete and a create. */
function again(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const body = html`<p>${verbs.againHint}</p>
${textField(of, { verb: 'again', name: 'note', label: verbs.note })}`;
  const form = verbForm(of, 'again', { body, buttons: [button(verbs.againNow, { class: 'danger' })] });
  return html`<details class="card"${attributes({ open: of.sent?.verb === 'again' })}><summary>${verbs.again}</summary>
${form}</details>`;
}

/** Of a recorded order, what deleting its record changes. `today`: a day in Sofia. */
export function removeRecord(of: VerbOf, today: string): Html {
  const { orderDetail, sent, words } = of;
  const { verbs } = words.order;
  const { report, document, may } = orderDetail;
  if (report.state !== 'recorded' || !may.has('removed')) return nothing;
  const amount = money(report.recordedTotal === null ? null : `${report.recordedTotal} ${report.recordedCurrency}`, words);
  const body = html`<p>${verbs.removeEffect(amount, document?.number ?? null)} ${document === null ? nothing : monthEffect(document, today, words)}</p>
<p>${verbs.removeLater}</p>
${textField(of, { verb: 'removal', name: 'note', label: verbs.note })}`;
  const form = verbForm(of, 'removal', { body, buttons: [button(verbs.removeNow, { class: 'danger', name: 'how', value: 'removed' })] });
  return html`<details class="card"${attributes({ open: sent?.verb === 'removal' })}><summary>${verbs.removeRecord}</summary>
${form}</details>`;
}

function monthEffect({ month }: NonNullable<OrderDetail['document']>, today: string, { order, lang }: Words): string {
  const say = order.verbs.removeMonth;
  if (month === null) return say.none;
  const isClosed = month.state === 'filed' || month.due < today;
  return say[isClosed ? 'closed' : month.state === 'open' ? 'open' : 'generated'](monthName(month.month, lang));
}

/** A cancelled order whose refund was not seen, or one that other software may have recorded. */
function askRemoval(of: VerbOf): Html {
  const { verbs } = of.words.order;
  const isDivided = of.orderDetail.report.review?.code === 'payment.divided';
  const ways = isDivided
    ? ([['kept', verbs.ours]] as const)
    : ([
        ['kept', verbs.kept],
        ['removed', verbs.removed],
      ] as const);
  const body = html`${choice(of, { verb: 'removal', name: 'how', legend: isDivided ? verbs.divided : verbs.removal, ways })}
${textField(of, { verb: 'removal', name: 'note', label: verbs.note })}`;
  return html`<section class="banner attention">${verbForm(of, 'removal', { body, buttons: [button(verbs.resolveNow)] })}</section>`;
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
  const body = html`<h2>${verbs.apart}</h2><p class="hint">${verbs.apartHint}</p>`;
  const same = isOther ? [button(verbs.same, { name: 'how', value: 'same', class: 'second' })] : [];
  return html`<section class="banner attention">${verbForm(of, 'apart', { body, buttons: [button(verbs.other, { name: 'how', value: 'other' }), ...same] })}</section>`;
}

/** What somebody sent with a verb, and what is wrong with it. */
export type SentVerb = { verb: string; typed: Readonly<Record<string, string>>; problem: 'note' | 'how' | 'recorded' | 'found' | 'none' };

export type VerbOf = { orderDetail: OrderDetail; sent: SentVerb | null; words: Words };

/** What a verb is made from: a change of it makes the form stale. */
export function asSeen({ report, revision, inDoubt }: OrderDetail): unknown {
  return [report.state, revision, report.review?.code ?? null, report.complianceId, report.resolution?.at ?? null, inDoubt?.at ?? null];
}

/** State and reason, as a stale form shows them. */
export function stateWords(orderDetail: OrderDetail, words: Words): string {
  return words.order.stale.was(words.orders.states[orderDetail.report.state], reasonOf(orderDetail, words));
}

/** A form of one verb, with what it was made from. */
function verbForm({ orderDetail, words }: VerbOf, verb: string, shown: { body?: Html; buttons: readonly Html[] }): Html {
  const was = stateWords(orderDetail, words);
  return formTo(`/console/orders/${orderDetail.report.id}/${verb}`, { seen: asSeen(orderDetail), hidden: { was }, body: nothing, ...shown });
}

/** Of a verb, what was sent with it: its value, and what is wrong with it. */
function sentOf({ sent, words }: VerbOf, verb: string, name: 'note' | 'recorded' | 'how' | 'found'): { value: string; problem: string | null } {
  if (sent === null || sent.verb !== verb) return { value: '', problem: null };
  return { value: sent.typed[name] ?? '', problem: sent.problem === name ? words.order.problems[name] : null };
}

/** A field of a verb; each has an id of its own. */
function textField(of: VerbOf, { verb, name, label }: { verb: string; name: 'note' | 'recorded'; label: string }): Html {
  return field({ id: `${verb}-${name}`, name, label, autocomplete: 'off', ...sentOf(of, verb, name) });
}

type Ways = { verb: string; name: 'how' | 'found'; legend: string; ways: readonly (readonly [string, string])[] };

/** One of several ways, none of them chosen before. */
function choice(of: VerbOf, { verb, name, ...shown }: Ways): Html {
  const { value: chosen, problem } = sentOf(of, verb, name);
  return choices({ id: `${verb}-${name}`, name, ...shown, chosen, problem });
}

/** The buyer is shown once they are asked for, and that is kept. */
export function buyerVerb(of: VerbOf): Html {
  const { verbs } = of.words.order;
  return verbForm(of, 'buyer', { buttons: [button(verbs.buyer, { class: 'second' }), html` <span class="hint">${verbs.buyerHint}</span>`] });
}

/** The box of an order of which nobody knows whether it is recorded. `looked`: what looking for its record found. */
export function doubtView(of: VerbOf, { looked, mayAct }: { looked: RecordLookup | null; mayAct: boolean }): Html {
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

function forms(of: VerbOf, looked: RecordLookup | null): Html {
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
  const body = html`${choice(filled, { verb: 'confirm', name: 'found', legend: doubt.title, ways })}
${textField(filled, { verb: 'confirm', name: 'recorded', label: verbs.recordedId })}
${textField(filled, { verb: 'confirm', name: 'note', label: verbs.note })}`;
  return html`${verbForm(of, 'look', { buttons: [button(doubt.look, { class: 'second' })] })}${verbForm(of, 'confirm', { body, buttons: [button(doubt.say)] })}`;
}

function lookedWords(looked: RecordLookup, { order: { doubt } }: Words): string {
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
