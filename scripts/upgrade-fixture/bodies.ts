/** Orders as the stores of the fixture send them. All people are invented. */

type Fields = Record<string, unknown>;
type Sale = { id: string; at: string; total?: string };

const PERSON = { email: 'rositsa@example.invalid', firstName: 'Росица', lastName: 'Примерова' };

/** A paid order of a self-made shop: one line with 20 % VAT. */
export function standardOrder({ id, at, total = '48.00' }: Sale, changes: Fields = {}): Fields {
  return {
    id,
    number: `#${id}`,
    status: 'paid',
    createdAt: at,
    updatedAt: at,
    paidAt: at,
    currency: 'EUR',
    total,
    lines: [{ id: 'a', name: 'Тениска', quantity: 1, amount: total, vatRate: '20' }],
    payment: { method: 'stripe', transactionId: `pi_${id}` },
    customer: PERSON,
    refunds: [],
    ...changes,
  };
}

export function refundedStandardOrder({ id, at, total = '48.00' }: Sale, refundedAt: string): Fields {
  return standardOrder({ id, at, total }, { updatedAt: refundedAt, refunds: [{ id: `r-${id}`, at: refundedAt, amount: total }] });
}

/** One cup, 20.00 net and 4.00 VAT. */
export function wooOrder({ id, at }: Sale, changes: Fields = {}): Fields {
  const moment = at.replace('Z', '');
  return {
    id: Number(id),
    number: id,
    status: 'processing',
    currency: 'EUR',
    date_created_gmt: moment,
    date_modified_gmt: moment,
    date_paid_gmt: moment,
    total: '24.00',
    payment_method: 'stripe',
    transaction_id: `ch_${id}`,
    billing: { first_name: 'Росица', last_name: 'Примерова', email: 'rositsa@example.invalid', phone: '' },
    line_items: [
      {
        ...{ id: 70, name: 'Чаша', quantity: 1, subtotal: '20.00', subtotal_tax: '4.00', total: '20.00', total_tax: '4.00' },
        taxes: [{ id: 1, total: '4.00', subtotal: '4.00' }],
      },
    ],
    shipping_lines: [],
    fee_lines: [],
    tax_lines: [{ rate_id: 1, rate_percent: 20 }],
    refunds: [],
    ...changes,
  };
}

const BOOK = { id: 501, name: 'Книга', title: 'Книга', quantity: 2, current_quantity: 2, price: '10.90', discount_allocations: [], duties: [] };

/** Two books of 10.90 with 9 % VAT in it. */
export function shopifyOrder({ id, at }: Sale): Fields {
  return {
    id: Number(id),
    name: `#${id}`,
    created_at: at,
    processed_at: at,
    updated_at: at,
    cancelled_at: null,
    currency: 'EUR',
    taxes_included: true,
    financial_status: 'paid',
    test: false,
    total_price: '21.80',
    total_tax: '1.80',
    total_outstanding: '0.00',
    payment_gateway_names: ['shopify_payments'],
    line_items: [{ ...BOOK, tax_lines: [{ price: '1.80', rate: 0.09 }] }],
    shipping_lines: [],
    refunds: [],
    email: 'rositsa@example.invalid',
    billing_address: { first_name: 'Росица', last_name: 'Примерова', phone: '' },
  };
}

/** One of the two books came back. */
export function shopifyRefund({ id, at }: Sale): Fields {
  const money = { amount: '10.90', currency_code: 'EUR' };
  return {
    id: Number(id) * 10,
    order_id: Number(id),
    created_at: at,
    processed_at: at,
    refund_line_items: [
      {
        line_item_id: 501,
        quantity: 1,
        subtotal: '10.90',
        subtotal_set: { shop_money: money },
        total_tax: '0.90',
        total_tax_set: { shop_money: { ...money, amount: '0.90' } },
      },
    ],
    refund_shipping_lines: [],
    duties: [],
    order_adjustments: [],
    transactions: [
      { id: Number(id) * 10 + 1, kind: 'refund', status: 'success', gateway: 'shopify_payments', amount: '10.90', currency: 'EUR', created_at: at },
    ],
  };
}
