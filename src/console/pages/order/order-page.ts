import type { Notify } from '../../../bridge/delivery/notify.ts';
import { dayName, monthName } from '../../../contract/local-text.ts';
import { type OrderDetail, readOrderDetail } from '../../../operations/order-detail/order-detail.ts';
import { orderDetailFor } from '../../../operations/order-detail/quoted-words.ts';
import { confirmOrder, lookForRecord, type RecordLookup } from '../../../operations/orders/confirm-order.ts';
import { reevaluateOrder } from '../../../operations/orders/reevaluate-order.ts';
import { releaseOrder } from '../../../operations/orders/release-orders.ts';
import { decideRemoval, type ResolutionGiven, resolveOrder } from '../../../operations/orders/resolve-order.ts';
import { mergeOrder, splitOrder } from '../../../operations/orders/split-or-merge.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { isStale, type Stale } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { copyable, findAddress, live, storeLink, when } from '../../frame/parts.ts';
import type { Done } from '../../messages/done.ts';
import type { Words } from '../../messages/messages.ts';
import { staleBanner } from '../../problem-pages.ts';
import { assignOrderPart } from '../orders/assign-form.ts';
import { numberOf, stateTag } from '../orders/order-label.ts';
import { sentence } from './sentence.ts';
import { sourcesView } from './sources-view.ts';
import { storyView } from './story-view.ts';
import { asSeen, buyerVerb, doubtView, hasVerbs, removeRecord, type SentVerb, stateWords, type VerbOf, verbsView } from './verbs.ts';

/** `GET /console/orders/{id}`: one order, by its id in the ledger. */
export const orderPage: Page = {
  path: '/orders/:id',
  right: 'orders.see',
  async get(context) {
    const orderDetail = await orderDetailOf(context);
    return orderDetail === null ? noOrder(context) : showOrder(context, { orderDetail });
  },
};

/** The order that the address names; null: there is none that this person sees. */
export async function orderDetailOf({ req, deps, person }: PageContext): Promise<OrderDetail | null> {
  const id = String(req.params['id'] ?? '');
  if (!/^\d{1,15}$/.test(id)) return null;
  const orderDetail = await readOrderDetail(deps, Number(id), person.shops);
  return orderDetail === null ? null : orderDetailFor(person, orderDetail);
}

export function noOrder({ words }: PageContext): ShownPage {
  return { status: 404, title: words.frame.problem.missingTitle, place: 'orders', body: html`<p>${words.order.missing}</p>` };
}

/** `stale`: what was sent was made from another state. */
type Showing = { orderDetail: OrderDetail; sent?: SentVerb; looked?: RecordLookup; stale?: Pick<Stale, 'sent' | 'now'> };

/** All about an order, and what can be done about it. */
async function showOrder(context: PageContext, { orderDetail, sent, looked, stale }: Showing): Promise<ShownPage> {
  const { words, person } = context;
  const mayAct = may(person.role, 'orders.decide');
  const of: VerbOf = { orderDetail, sent: sent ?? null, words };
  const changed = stale === undefined ? nothing : staleBanner(stale, sent?.typed['note'] ?? '', words);
  const { storeAddress } = orderDetail;
  const inStore = storeAddress === null ? nothing : html` · <a href="${storeAddress}" rel="noreferrer">${words.order.facts.showInStore}</a>`;
  const body = html`${changed}<p class="soft"><a href="/console/orders">${words.orders.title}</a> · ${storeLink(orderDetail.store, person)}${inStore}</p>
${live('head', html`<p class="head">${stateTag(orderDetail.report.state, words)} ${sentence(orderDetail, words)}</p>`)}
<div class="decide">${live('todo', html`${doubtView(of, { looked: looked ?? null, mayAct })}${mayAct && hasVerbs(orderDetail) ? verbsView(of) : nothing}`)}<div>${await assignOrderPart(context, { id: orderDetail.report.id, shopId: orderDetail.store.shopId })}</div></div>
<div class="columns"><section><h2>${words.order.happened}</h2>
${live('story', storyView(orderDetail.happened, words))}
${may(person.role, 'buyers.see') ? buyerVerb(of) : nothing}
${mayAct ? removeRecord(of, sofiaDay(context.deps.now().toISOString())) : nothing}</section>
<section>${live('sources', right(orderDetail, context))}</section></div>`;
  return {
    title: words.order.title(numberOf(orderDetail.report)),
    place: 'orders',
    body,
    ...(stale !== undefined ? { status: 409 } : sent !== undefined ? { status: 422 } : {}),
  };
}

function right(orderDetail: OrderDetail, { words, person }: PageContext): Html {
  return html`<h2>${words.order.sources.title}</h2>
${sourcesView(orderDetail, words)}
<h2>${words.order.facts.title}</h2>
${factsView(orderDetail, words, person)}`;
}

type Acting = { context: PageContext; form: Form; orderDetail: OrderDetail; named: string; note: string; deps: { pool: Pool; notify: Notify } };
/** What was done, or what is wrong with the form. */
type Ended = Done | SentVerb['problem'];
type Act = (acting: Acting) => Promise<Ended | PageReply>;

const PROBLEMS: readonly string[] = ['note', 'how', 'recorded', 'found', 'none'] satisfies SentVerb['problem'][];

/** Each verb about one order; made from what its form was made from. */
export const orderVerbs: readonly Page[] = [
  verb('release', release),
  verb('resolve', resolve),
  verb('removal', removal),
  verb('apart', splitOrMerge),
  verb('confirm', confirm),
  verb('look', look),
  verb('again', again),
];

function verb(name: string, act: Act): Page {
  return { path: `/orders/:id/${name}`, right: 'orders.see', post: { right: 'orders.decide', act: (context, form) => acted(context, form, { name, act }) } };
}

async function acted(context: PageContext, form: Form, { name, act }: { name: string; act: Act }): Promise<PageReply> {
  const orderDetail = await orderDetailOf(context);
  if (orderDetail === null) return noOrder(context);
  const typed = Object.fromEntries(['how', 'found', 'recorded', 'note'].map((field) => [field, form.text(field)]));
  const stale = { sent: form.text('was'), now: stateWords(orderDetail, context.words) };
  if (isStale(form, asSeen(orderDetail))) return showOrder(context, { orderDetail, sent: { verb: name, typed, problem: 'none' }, stale });
  const { pool, notify } = context.deps;
  const { id } = orderDetail.report;
  const said = await act({ context, form, orderDetail, named: `id:${id}`, note: form.text('note'), deps: { pool, notify } });
  if (typeof said !== 'string') return said;
  if (!isProblem(said)) return { goTo: `/console/orders/${id}`, done: said };
  return showOrder(context, { orderDetail, sent: { verb: name, typed, problem: said } });
}

function isProblem(said: Ended): said is SentVerb['problem'] {
  return PROBLEMS.includes(said);
}

async function release({ context, named, deps }: Acting): Promise<Ended> {
  await releaseOrder(deps, named, { by: context.by });
  return 'order-released';
}

async function resolve(acting: Acting): Promise<Ended> {
  const { context, form, named, note, deps } = acting;
  const how = form.text('how');
  if (how === 'removed') return removal(acting);
  const outcome = outcomeOf(how, form.text('recorded'));
  if (outcome === null) return how === 'recorded' ? 'recorded' : 'how';
  if (note === '') return 'note';
  const { records, connections, now } = context.deps;
  await resolveOrder({ ...records, ...deps, connections, now: () => now().getTime() }, { named, outcome, by: context.by, why: note });
  return 'order-resolved';
}

function outcomeOf(how: string, recorded: string): ResolutionGiven | null {
  if (how === 'recorded') return recorded === '' ? null : { how, recorded };
  return how === 'not-a-sale' || how === 'elsewhere' ? { how } : null;
}

async function removal({ context, form, named, note, deps }: Acting): Promise<Ended> {
  const how = form.text('how');
  if (how !== 'kept' && how !== 'removed') return 'how';
  if (note === '') return 'note';
  await decideRemoval(deps, { named, how, by: context.by, why: note });
  return how === 'kept' ? 'order-kept' : 'order-removed';
}

async function splitOrMerge({ context, form, named, deps }: Acting): Promise<Ended | PageReply> {
  const how = form.text('how');
  if (how !== 'other' && how !== 'same') return 'how';
  if (how === 'other') await splitOrder(deps, named, { by: context.by });
  if (how === 'other') return 'order-apart';
  // Nothing is left of this one: the first of its id has it all.
  const { orderId } = await mergeOrder(deps, named, { by: context.by });
  return { goTo: findAddress(orderId), done: 'order-joined' };
}

async function confirm({ context, form, named, note, deps }: Acting): Promise<Ended> {
  const found = form.text('found');
  const recorded = form.text('recorded');
  if (found !== 'yes' && found !== 'no') return 'found';
  if (found === 'yes' && recorded === '') return 'recorded';
  await confirmOrder(
    { ...context.deps.records, ...deps },
    { named, recorded: found === 'yes' ? recorded : null, by: context.by, ...(note === '' ? {} : { why: note }) },
  );
  return 'order-confirmed';
}

async function again({ context, named, note, deps }: Acting): Promise<Ended> {
  if (note === '') return 'note';
  await reevaluateOrder({ ...deps, connections: context.deps.connections }, { named, by: context.by, why: note });
  return 'order-reevaluated';
}

async function look({ context, orderDetail, named, deps }: Acting): Promise<PageReply> {
  return showOrder(context, { orderDetail, looked: await lookForRecord({ ...context.deps.records, ...deps }, named) });
}

/** The record, its document and month, and the order in the store. */
export function factsView(orderDetail: OrderDetail, words: Words, person: Pick<Person, 'role'>): Html {
  const { facts: say } = words.order;
  const { report } = orderDetail;
  const known = [...recordFacts(orderDetail, words), ...storeFacts(orderDetail, words, person)];
  return html`${report.warnings.length === 0 ? nothing : html`<ul class="banner attention">${lines(report.warnings.map((warning) => html`<li>${warning[words.lang]}</li>`))}</ul>\n`}<dl class="facts">
${lines(known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>
${report.personalDataErased ? html`<p class="soft">${say.erased}</p>\n` : nothing}${
  report.personalDataUnopened ? html`<p class="banner attention">${words.order.buyer.unopened}</p>\n` : nothing
}`;
}

type Fact = readonly [string, Html];

function recordFacts({ report, document }: OrderDetail, words: Words): Fact[] {
  const { facts: say } = words.order;
  const { complianceId, receipt } = report;
  return [
    ...(document === null ? [] : documentFacts(document, words)),
    [say.complianceId, complianceId === null ? html`${report.state === 'unconfirmed' ? words.order.sources.unknown : say.none}` : copyable(complianceId)],
    ...(receipt === null ? [] : [[say.receipt, receiptWords(receipt, words)] as const]),
  ];
}

function documentFacts({ number, day, month }: NonNullable<OrderDetail['document']>, { order: { facts: say, sentence }, lang }: Words): Fact[] {
  const listed = month === null ? sentence.noMonth : `${monthName(month.month, lang)}, ${sentence.months[month.state] ?? month.state}`;
  return [
    [say.document, html`${number}, ${dayName(day, lang)}`],
    [say.month, html`${listed}`],
  ];
}

function receiptWords(receipt: NonNullable<OrderDetail['report']['receipt']>, words: Words): Html {
  const said = words.order.facts.receipts[receipt.state];
  const at = when(receipt.state === 'due' ? receipt.since : receipt.at, words);
  return html`${said}${receipt.state === 'refused' && receipt.detail !== '' ? `: ${receipt.detail}` : ''} ${at}`;
}

function storeFacts({ report, store }: OrderDetail, words: Words, person: Pick<Person, 'role'>): Fact[] {
  const { facts: say } = words.order;
  const { olderThere, facts } = report;
  const { snapshot } = facts;
  const gateways = snapshot?.gateways ?? [];
  return [
    [say.store, storeLink(store, person)],
    [say.storeId, copyable(report.orderId)],
    ...(snapshot === null ? [] : [[say.storeStatus, html`<code>${snapshot.status}</code> ${when(snapshot.updatedAt, words)}`] as const]),
    ...(olderThere === null
      ? []
      : [
          [
            say.olderThere,
            html`<code>${olderThere.status}</code> ${when(olderThere.updatedAt, words)}. ${say.olderThereSeen} ${when(olderThere.at, words)}`,
          ] as const,
        ]),
    ...(gateways.length === 0 ? [] : [[say.gateways, html`<code>${gateways.join(', ')}</code>`] as const]),
  ];
}
