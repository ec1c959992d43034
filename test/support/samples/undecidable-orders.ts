type Fields = Record<string, unknown>;

/** A paid order of two cups of 12.90 at 20 %, as an app’s shop sends it. */
export function cups(id: number, fields: Fields = {}): Fields {
  return {
    ...{ id, name: `#${id}`, created_at: '2026-11-20T11:32:05+02:00', processed_at: '2026-11-20T11:32:04+02:00', updated_at: '2026-11-20T11:32:15+02:00' },
    ...{ cancelled_at: null, currency: 'EUR', taxes_included: true, financial_status: 'paid', test: false, total_price: '25.80', total_outstanding: '0.00' },
    ...{ total_tip_received: '0.00', payment_gateway_names: ['shopify_payments'], line_items: [cup(id)], shipping_lines: [], refunds: [], ...fields },
  };
}

function cup(id: number, fields: Fields = {}): Fields {
  const line = { id: id * 10, name: 'Чаша', quantity: 2, current_quantity: 2, price: '12.90', discount_allocations: [], duties: [] };
  return { ...line, tax_lines: [tax('4.30', 0.2)], ...fields };
}

function tax(price: string, rate: number): Fields {
  return { title: 'ДДС', price, rate, channel_liable: false };
}

/** The same order once all of its money went back. */
export function cupsRefunded(id: number, fields: Fields = {}): Fields {
  return cups(id, { ...fields, financial_status: 'refunded', updated_at: '2026-11-21T11:00:00+02:00', refunds: [refund(id, '25.80', [refundedCup(id)])] });
}

function refundedCup(id: number): Fields {
  return { line_item_id: id * 10, quantity: 2, subtotal: 25.8, subtotal_set: money('25.80'), total_tax: 4.3, total_tax_set: money('4.30'), line_item: cup(id) };
}

function refund(id: number, amount: string, lines: Fields[]): Fields {
  const at = '2026-11-21T10:58:00+02:00';
  const transaction = { id: id * 100, order_id: id, kind: 'refund', gateway: 'shopify_payments', status: 'success', amount, currency: 'EUR', created_at: at };
  const head = { id: id * 1000, order_id: id, created_at: at, processed_at: at, duties: [], refund_line_items: lines, refund_shipping_lines: [] };
  return { ...head, order_adjustments: [], transactions: [{ ...transaction, processed_at: at }] };
}

function money(amount: string): Fields {
  return { shop_money: { amount, currency_code: 'EUR' }, presentment_money: { amount, currency_code: 'EUR' } };
}

/** Orders that can’t be decided, by the code with which they wait for a person. */
export const undecidable: Record<string, Fields> = {
  'payment.split': { payment_gateway_names: ['shopify_payments', 'paypal'] },
  'seller.other': { merchant_of_record_app_id: '5' },
  'vat.unclear': { line_items: [cup(1003, { tax_lines: [tax('4.30', 0.2), tax('1.00', 0.05)] })] },
  'order.inexpressible': { total_cash_rounding_payment_adjustment_set: money('0.02') },
  'total.mismatch': { total_price: '24.80' },
};
