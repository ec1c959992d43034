import type { DemoTime } from './demo-time.ts';
import { later, now, recorded, type Story } from './story.ts';

const novel: WooItem = { id: 71, name: 'Под игото', quantity: 2, net: '33.03', vat: '2.97', rate: 9 };
const cup: WooItem = { id: 72, name: 'Чаша „Сова“', quantity: 1, net: '10.00', vat: '2.00', rate: 20 };
const notebooks: WooItem = { id: 73, name: 'Тефтер', quantity: 3, net: '14.97', vat: '2.99', rate: 20 };
const atlas: WooItem = { id: 74, name: 'Атлас на България', quantity: 1, net: '27.52', vat: '2.48', rate: 9 };
const poems: WooItem = { id: 75, name: 'Събрани стихотворения', quantity: 2, net: '36.70', vat: '3.30', rate: 9 };
const album: WooItem = { id: 76, name: 'Фотоалбум', quantity: 1, net: '20.64', vat: '1.86', rate: 9, before: { net: '22.94', vat: '2.06' } };

/** Orders of “Сова”, a bookshop on WooCommerce: books have 9 % VAT, gifts 20 %. */
export function wooStories(time: DemoTime): Story[] {
  const order = (minute: number, basket: WooBasket) => wooOrder(time, minute, basket);
  const created = (minute: number, basket: WooBasket) => now('order.created', order(minute, basket));
  const withRefund = (minute: number, basket: WooBasket, refund: WooReturn) => ({
    webhooks: [created((basket.id % 100) + 1, basket), later('order.updated', { ...order(minute, basket), refunds: [wooRefundReference(refund)] })],
    storeRefunds: [wooRefund(time, minute, refund)],
  });
  const mixed = { id: 2001, total: '53.90', items: [novel, cup], shipping: { net: '4.92', vat: '0.98' } };
  const withoutVat = { ...order(3, { id: 2002, total: '17.96', items: [notebooks] }), prices_include_tax: false };
  const onDelivery = { id: 2004, total: '30.00', items: [atlas], method: 'cod' } as const;
  const transfer = { id: 2007, total: '12.00', items: [cup], method: 'bacs', status: 'on-hold', paid: false } as const;
  const trashed = { id: 2008, total: '12.00', items: [cup] };
  const poem = { id: 2105, amount: '20.00', lines: [{ item: poems, pieces: 1, net: '18.35', vat: '1.65' }] };
  return [
    story(2001, '9 % and 20 % VAT, with shipping', { webhooks: [created(2, mixed), now('order.updated', order(2, mixed))], ends: recorded('53.90') }),
    story(2002, 'prices without VAT: 3 × 4.99', { webhooks: [now('order.created', withoutVat)], ends: recorded('17.96') }),
    story(2003, 'a coupon of 10 %', { webhooks: [created(4, { id: 2003, total: '22.50', items: [album], coupon: 'есен10' })], ends: recorded('22.50') }),
    story(2004, 'cash on delivery, then delivered', {
      webhooks: [created(5, { ...onDelivery, paid: false }), later('order.updated', order(33, { ...onDelivery, status: 'completed' }))],
      ends: recorded('30.00'),
    }),
    story(2005, 'a refund, its lines fetched from the store', {
      ...withRefund(34, { id: 2005, total: '52.00', items: [poems, cup] }, poem),
      ends: recorded('32.00'),
    }),
    story(2006, 'a refund without lines, two VAT rates', {
      ...withRefund(35, { id: 2006, total: '48.00', items: [novel, cup] }, { id: 2106, amount: '5.00', lines: [] }),
      ends: { state: 'review', code: 'refund.unattributed', total: '48.00' },
    }),
    story(2007, 'a bank transfer that has not come', { webhooks: [created(8, transfer)], ends: { state: 'waiting', total: null } }),
    story(2008, 'thrown away, then restored', {
      webhooks: [created(9, trashed), later('order.deleted', { id: 2008 }), later('order.restored', { ...order(9, trashed), date_modified_gmt: time.gmt(36) })],
      ends: recorded('12.00'),
    }),
    story(2009, 'a payment method without a type', {
      webhooks: [created(10, { id: 2009, total: '30.00', items: [atlas], method: 'econt_pay' })],
      ends: { state: 'review', code: 'payment.unmapped', total: null },
    }),
  ];
}

function story(id: number, what: string, rest: Pick<Story, 'webhooks' | 'ends' | 'storeRefunds'>): Story {
  return { platform: 'woocommerce', orderId: String(id), number: String(id), what, ...rest };
}

type Fields = Record<string, unknown>;

/** A line as the stories write it: net amounts and their VAT, in EUR; `before`: the price before a coupon. */
export type WooItem = { id: number; name: string; quantity: number; net: string; vat: string; rate: 9 | 20; before?: { net: string; vat: string } };

export type WooBasket = {
  id: number;
  total: string;
  items: readonly WooItem[];
  shipping?: { net: string; vat: string };
  method?: 'stripe' | 'cod' | 'bacs' | 'econt_pay';
  status?: string;
  /** Is `date_paid` set? */
  paid?: boolean;
  coupon?: string;
};

const titles = { stripe: 'Банкова карта', cod: 'Наложен платеж', bacs: 'Банков превод', econt_pay: 'Гарантирано от Еконт' } as const;
const rateIds = { 20: 1, 9: 2 } as const;
const SHIPPING_ID = 90;

/** WooCommerce's REST body (v3) of a whole order, modified at `minute`. */
export function wooOrder({ gmt }: DemoTime, minute: number, basket: WooBasket): Fields {
  const { id, total, items, shipping, method = 'stripe', status = 'processing', paid = true, coupon } = basket;
  const created = Math.min(minute, id % 100);
  return {
    id,
    number: String(id),
    order_key: `wc_order_demo${id}`,
    status,
    currency: 'EUR',
    version: '10.5.0',
    prices_include_tax: true,
    date_created_gmt: gmt(created),
    date_modified_gmt: gmt(minute),
    date_paid_gmt: paid ? gmt(Math.max(created, minute - 1)) : null,
    total,
    payment_method: method,
    payment_method_title: titles[method],
    transaction_id: method === 'stripe' && paid ? `ch_demo_${id}` : '',
    billing: { first_name: 'Георги', last_name: 'Петров', email: 'chitatel@example.com', phone: '0888000222', city: 'Пловдив', country: 'BG' },
    line_items: items.map(lineItem),
    shipping_lines: shipping === undefined ? [] : [shippingLine(shipping)],
    fee_lines: [],
    coupon_lines: coupon === undefined ? [] : [{ id: 95, code: coupon }],
    tax_lines: [
      { id: 91, rate_id: rateIds[20], rate_code: 'BG-ДДС-1', label: 'ДДС', compound: false, rate_percent: 20 },
      { id: 92, rate_id: rateIds[9], rate_code: 'BG-ДДС-2', label: 'ДДС книги', compound: false, rate_percent: 9 },
    ],
    refunds: [],
  };
}

type WooReturn = { id: number; amount: string; lines: readonly { item: WooItem; pieces: number; net: string; vat: string }[] };

/** How an order's webhook mentions a refund: its amount alone. */
function wooRefundReference({ id, amount }: WooReturn): Fields {
  return { id, reason: '', total: `-${amount}` };
}

/** The same refund in the store's REST API, with its lines. */
function wooRefund({ gmt }: DemoTime, minute: number, { id, amount, lines }: WooReturn): Fields {
  return {
    id,
    date_created_gmt: gmt(minute),
    amount,
    reason: '',
    line_items: lines.map(({ item, pieces, net, vat }, index) => ({
      id: id + 1 + index,
      name: item.name,
      quantity: -pieces,
      subtotal: `-${net}`,
      subtotal_tax: `-${vat}`,
      total: `-${net}`,
      total_tax: `-${vat}`,
      meta_data: [{ id: id + 50 + index, key: '_refunded_item_id', value: String(item.id) }],
    })),
    shipping_lines: [],
    fee_lines: [],
  };
}

function lineItem({ id, name, quantity, net, vat, rate, before = { net, vat } }: WooItem): Fields {
  const taxes = [{ id: rateIds[rate], total: vat, subtotal: before.vat }];
  return { id, name, quantity, subtotal: before.net, subtotal_tax: before.vat, total: net, total_tax: vat, taxes };
}

function shippingLine({ net, vat }: { net: string; vat: string }): Fields {
  return {
    id: SHIPPING_ID,
    method_title: 'Спиди до адрес',
    method_id: 'flat_rate',
    total: net,
    total_tax: vat,
    taxes: [{ id: rateIds[20], total: vat, subtotal: '' }],
  };
}
