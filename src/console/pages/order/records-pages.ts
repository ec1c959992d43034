import { knownBuyer } from '../../../bridge/order/facts/facts.ts';
import type { OrderDetail } from '../../../operations/order-detail/order-detail.ts';
import { type DoubledRecord, deleteDoubled, doubledRecords } from '../../../operations/orders/doubled-records.ts';
import { seeBuyer } from '../../../operations/orders/show-order.ts';
import { button, choices, field, formTo, mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, lines } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { copyable, money, tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { numberOf } from '../orders/order-label.ts';
import { noOrder, orderDetailOf } from './order-page.ts';
import { clock } from './story-view.ts';
import { asSeen, stateWords } from './verbs.ts';

/** `GET, POST /console/orders/ID/records`: the records of an order that is recorded twice, one of which is deleted. */
export const recordsPage: Page = {
  path: '/orders/:id/records',
  right: 'orders.decide',
  async get(context) {
    const orderDetail = await orderDetailOf(context);
    if (orderDetail === null) return noOrder(context);
    return recordsView(context, { orderDetail, records: await recordsOf(context, orderDetail), problem: null });
  },
  post: { right: 'orders.decide', act: deleteOne },
};

function recordsOf({ deps: { pool, records } }: PageContext, { report }: OrderDetail): Promise<DoubledRecord[]> {
  return doubledRecords({ ...records, pool }, `id:${report.id}`);
}

type Showing = { orderDetail: OrderDetail; records: readonly DoubledRecord[]; problem: { why: string } | null };

function recordsView({ words }: PageContext, { orderDetail, records, problem }: Showing): ShownPage {
  const { records: say } = words.order;
  const { id } = orderDetail.report;
  const which = choices({
    ...{ name: 'record', legend: say.which, ways: records.map((one) => way(one, words)), required: true },
    problem: problem === null ? null : say.choose,
  });
  const body = html`${which}\n${field({ name: 'note', label: say.why, value: problem?.why ?? '' })}`;
  return {
    status: problem === null ? 200 : 422,
    title: say.title(numberOf(orderDetail.report)),
    place: 'orders',
    body: html`<p><a href="/console/orders/${id}">${words.order.buyer.back}</a></p>
<p>${say.intro}</p>
${formTo(`/console/orders/${id}/records`, { seen: stateOf(orderDetail, records), body, buttons: [button(say.do, { class: 'danger' })] })}`,
  };
}

function way({ complianceId, at, isCurrent, is, number, money: paid }: DoubledRecord, words: Words): readonly [string, Html, Html] {
  const { records: say } = words.order;
  const there = { there: tag(say.there, 'ok'), gone: tag(say.gone, 'quiet'), unreadable: tag(say.unreadable, 'attention') }[is];
  const more = html`<br>
${number}, ${money(`${paid.total} ${paid.currency}`, words)}, ${clock(at, words)} ${there}${isCurrent ? html` <span class="soft">${say.current}</span>` : ''}`;
  return [complianceId, copyable(complianceId), more];
}

/** What the form was made from: the order, and what the service has. */
function stateOf(orderDetail: OrderDetail, records: readonly DoubledRecord[]): unknown {
  return [asSeen(orderDetail), records.map(({ complianceId, is, isCurrent }) => [complianceId, is, isCurrent])];
}

async function deleteOne(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const orderDetail = await orderDetailOf(context);
  if (orderDetail === null) return noOrder(context);
  const { id, review } = orderDetail.report;
  const records = review?.code === 'record.doubled' ? await recordsOf(context, orderDetail) : [];
  const ids = records.map(({ complianceId, is }) => `${complianceId}: ${words.order.records[is]}`);
  mustBeSeen(form, stateOf(orderDetail, records), { sent: words.order.records.do, now: [stateWords(orderDetail, words), ...ids].join('\n') });
  const [record, why] = [form.text('record'), form.text('note')];
  if (record === '') return recordsView(context, { orderDetail, records, problem: { why } });
  const { pool, connections, notify, client } = deps;
  const acting = { ...deps.records, pool, connections, notify, client, now: () => deps.now().getTime() };
  const { released } = await deleteDoubled(acting, { named: `id:${id}`, record, by, ...(why === '' ? {} : { why }) });
  return { goTo: `/console/orders/${id}`, done: released ? 'record-deleted' : 'record-deleted-more' };
}

/** What holds the buyer's data, each look an act. */
export const buyerPages: readonly Page[] = [{ path: '/orders/:id/buyer', right: 'orders.see', post: { right: 'buyers.see', act: showBuyer } }];

async function showBuyer(context: PageContext): Promise<PageReply> {
  const orderDetail = await orderDetailOf(context);
  if (orderDetail === null) return noOrder(context);
  const { buyer: say } = context.words.order;
  const buyer = await seeBuyer(context.deps, { id: orderDetail.report.id, by: context.by });
  if (buyer.kind === 'unopened') return shown(context, orderDetail, html`<p class="problem">${say.unopened}</p>`);
  const parts = knownBuyer(buyer) ?? {};
  const known = (['firstName', 'lastName', 'email', 'phone'] as const).flatMap((name) =>
    parts[name] === undefined ? [] : [[say.fields[name], parts[name]] as const],
  );
  const facts = lines(known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`));
  return shown(context, orderDetail, known.length === 0 ? html`<p>${say.none}</p>` : html`<dl class="facts">${facts}</dl>`);
}

function shown({ words }: PageContext, { report }: OrderDetail, body: Html): ShownPage {
  const { buyer: say, title } = words.order;
  return {
    title: `${say.title} – ${title(numberOf(report))}`,
    place: 'orders',
    body: html`<p><a href="/console/orders/${report.id}">${say.back}</a></p>
${body}`,
  };
}
