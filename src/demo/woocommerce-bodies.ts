import type { DemoTime } from './demo-time.ts';

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

export type WooReturn = { id: number; amount: string; lines: readonly { item: WooItem; pieces: number; net: string; vat: string }[] };

/** How an order's webhook mentions a refund: its amount alone. */
export function wooRefundMention({ id, amount }: WooReturn): Fields {
  return { id, reason: '', total: `-${amount}` };
}

/** The same refund in the store's REST API, with its lines. */
export function wooRefund({ gmt }: DemoTime, minute: number, { id, amount, lines }: WooReturn): Fields {
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
