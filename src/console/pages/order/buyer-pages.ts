import type { OrderDetail } from '../../../operations/order-detail/order-detail.ts';
import { deliveryBody, replayDelivery } from '../../../operations/orders/kept-webhook.ts';
import { seeBuyer } from '../../../operations/orders/show-order.ts';
import { type Html, html, lines } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { numberOf } from '../orders/order-label.ts';
import { noOrder, orderDetailOf } from './order-page.ts';

const MOST_SHOWN = 200_000;

/** What holds the buyer's data, each look an act; and a webhook read again. */
export const buyerPages: readonly Page[] = [
  { path: '/orders/:id/buyer', right: 'orders.see', post: { right: 'buyers.see', act: showBuyer } },
  { path: '/orders/:id/body', right: 'orders.see', post: { right: 'buyers.see', act: showBody } },
  { path: '/orders/:id/replay', right: 'orders.see', post: { right: 'orders.decide', act: replay } },
];

async function showBuyer(context: PageContext): Promise<Reply> {
  const orderDetail = await orderDetailOf(context);
  if (orderDetail === null) return noOrder(context);
  const { buyer: say } = context.words.order;
  const buyer = await seeBuyer(context.deps, { id: orderDetail.report.id, by: context.by });
  const known = (['firstName', 'lastName', 'email', 'phone'] as const).flatMap((name) =>
    buyer?.[name] === undefined ? [] : [[say.fields[name], buyer[name]] as const],
  );
  const facts = lines(known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`));
  return shown(context, orderDetail, known.length === 0 ? html`<p>${say.none}</p>` : html`<dl class="facts">${facts}</dl>`);
}

async function showBody(context: PageContext, form: Form): Promise<Reply> {
  const orderDetail = await orderDetailOf(context);
  const id = form.text('delivery');
  if (orderDetail === null || !isOf(orderDetail, id)) return noOrder(context);
  const body = await deliveryBody(context.deps, { id, by: context.by });
  const text = body.toString('utf8');
  return shown(context, orderDetail, html`<h2>${context.words.order.buyer.body}</h2><pre>${text.slice(0, MOST_SHOWN)}</pre>`);
}

async function replay(context: PageContext, form: Form): Promise<Reply> {
  const orderDetail = await orderDetailOf(context);
  const id = form.text('delivery');
  if (orderDetail === null || !isOf(orderDetail, id)) return noOrder(context);
  const { pool, connections, addDeliveries } = context.deps;
  await replayDelivery({ pool, connections, addDeliveries, by: context.by }, id);
  return { goTo: `/console/orders/${orderDetail.report.id}`, done: 'webhook-replayed' };
}

/** Only webhooks of the order that the person may see. */
function isOf({ happened }: OrderDetail, delivery: string): boolean {
  return happened.some((one) => one.is === 'webhook' && one.delivery.id === delivery);
}

function shown({ words }: PageContext, { report }: OrderDetail, body: Html): Shown {
  const { buyer: say, title } = words.order;
  return {
    title: `${say.title} – ${title(numberOf(report))}`,
    place: 'orders',
    body: html`<p><a href="/console/orders/${report.id}">${say.back}</a></p>
${body}`,
  };
}
