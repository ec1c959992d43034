import type { DemoTime } from './demo-time.ts';
import type { Ending, Story, StoryWebhook } from './story.ts';
import { type WooItem, wooOrder, wooRefund, wooRefundMention } from './woocommerce-bodies.ts';

const novel: WooItem = { id: 71, name: 'Под игото', quantity: 2, net: '33.03', vat: '2.97', rate: 9 };
const cup: WooItem = { id: 72, name: 'Чаша „Сова“', quantity: 1, net: '10.00', vat: '2.00', rate: 20 };
const notebooks: WooItem = { id: 73, name: 'Тефтер', quantity: 3, net: '14.97', vat: '2.99', rate: 20 };
const atlas: WooItem = { id: 74, name: 'Атлас на България', quantity: 1, net: '27.52', vat: '2.48', rate: 9 };
const poems: WooItem = { id: 75, name: 'Събрани стихотворения', quantity: 2, net: '36.70', vat: '3.30', rate: 9 };
const album: WooItem = { id: 76, name: 'Фотоалбум', quantity: 1, net: '20.64', vat: '1.86', rate: 9, before: { net: '22.94', vat: '2.06' } };

/** Orders of “Сова”, a bookshop on WooCommerce: books have 9 % VAT, gifts 20 %. */
export function wooStories(time: DemoTime): Story[] {
  return [
    mixedVat(time),
    taxExclusive(time),
    coupon(time),
    onDelivery(time),
    partlyRefunded(time),
    amountOnly(time),
    bankTransfer(time),
    trashed(time),
    unmapped(time),
  ];
}

function mixedVat(time: DemoTime): Story {
  const order = wooOrder(time, 2, { id: 2001, total: '53.90', items: [novel, cup], shipping: { net: '4.92', vat: '0.98' } });
  return story(2001, '9 % and 20 % VAT, with shipping', { webhooks: [now('order.created', order), now('order.updated', order)], ends: recorded('53.90') });
}

function taxExclusive(time: DemoTime): Story {
  const order = { ...wooOrder(time, 3, { id: 2002, total: '17.96', items: [notebooks] }), prices_include_tax: false };
  return story(2002, 'prices without VAT: 3 × 4.99', { webhooks: [now('order.created', order)], ends: recorded('17.96') });
}

function coupon(time: DemoTime): Story {
  const order = wooOrder(time, 4, { id: 2003, total: '22.50', items: [album], coupon: 'есен10' });
  return story(2003, 'a coupon of 10 %', { webhooks: [now('order.created', order)], ends: recorded('22.50') });
}

function onDelivery(time: DemoTime): Story {
  const basket = { id: 2004, total: '30.00', items: [atlas], method: 'cod' } as const;
  const placed = wooOrder(time, 5, { ...basket, paid: false });
  const delivered = wooOrder(time, 33, { ...basket, status: 'completed' });
  return story(2004, 'cash on delivery, then delivered', {
    webhooks: [now('order.created', placed), later('order.updated', delivered)],
    ends: recorded('30.00'),
  });
}

function partlyRefunded(time: DemoTime): Story {
  const basket = { id: 2005, total: '52.00', items: [poems, cup] };
  const refund = { id: 2105, amount: '20.00', lines: [{ item: poems, pieces: 1, net: '18.35', vat: '1.65' }] };
  const after = { ...wooOrder(time, 34, basket), refunds: [wooRefundMention(refund)] };
  const webhooks = [now('order.created', wooOrder(time, 6, basket)), later('order.updated', after)];
  return { ...story(2005, 'a refund, its lines fetched from the store', { webhooks, ends: recorded('32.00') }), storeRefunds: [wooRefund(time, 34, refund)] };
}

function amountOnly(time: DemoTime): Story {
  const basket = { id: 2006, total: '48.00', items: [novel, cup] };
  const refund = { id: 2106, amount: '5.00', lines: [] };
  const after = { ...wooOrder(time, 35, basket), refunds: [wooRefundMention(refund)] };
  const webhooks = [now('order.created', wooOrder(time, 7, basket)), later('order.updated', after)];
  const ends: Ending = { state: 'review', code: 'refund.unattributed', total: '48.00' };
  return { ...story(2006, 'a refund without lines, two VAT rates', { webhooks, ends }), storeRefunds: [wooRefund(time, 35, refund)] };
}

function bankTransfer(time: DemoTime): Story {
  const order = wooOrder(time, 8, { id: 2007, total: '12.00', items: [cup], method: 'bacs', status: 'on-hold', paid: false });
  return story(2007, 'a bank transfer that has not come', { webhooks: [now('order.created', order)], ends: { state: 'waiting', total: null } });
}

function trashed(time: DemoTime): Story {
  const order = wooOrder(time, 9, { id: 2008, total: '12.00', items: [cup] });
  const restored = { ...order, date_modified_gmt: time.gmt(36) };
  const webhooks = [now('order.created', order), later('order.deleted', { id: 2008 }), later('order.restored', restored)];
  return story(2008, 'thrown away, then restored', { webhooks, ends: recorded('12.00') });
}

function unmapped(time: DemoTime): Story {
  const order = wooOrder(time, 10, { id: 2009, total: '30.00', items: [atlas], method: 'econt_pay' });
  return story(2009, 'a payment method without a type', {
    webhooks: [now('order.created', order)],
    ends: { state: 'review', code: 'payment.unmapped', total: null },
  });
}

function story(id: number, what: string, rest: { webhooks: readonly StoryWebhook[] } & Pick<Story, 'ends'>): Story {
  return { platform: 'woocommerce', orderId: String(id), number: String(id), what, ...rest };
}

function recorded(total: string): Ending {
  return { state: 'recorded', total };
}

function now(topic: string, body: object): StoryWebhook {
  return { act: 1, topic, body };
}

function later(topic: string, body: object): StoryWebhook {
  return { act: 2, topic, body };
}
