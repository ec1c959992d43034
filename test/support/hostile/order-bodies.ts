import { wooLine, wooOrder } from '../samples/woo-order.ts';

/** A paid order; `total` is what must be recorded. */
export type HostileOrder = { id: string; total: string; body: Record<string, unknown> };

const AT = '2026-11-01T10:00:00Z';

/** Ids of orders, by their number: those of the honest merchant, of the others, and those that nobody but an attacker names. */
export const honestId = (n: number) => String(6_000_000_000_000 + n);
export const orderId = (n: number) => String(7_000_000_000_000 + n);
export const forgedId = (n: number) => String(9_000_000_000_000 + n);

/** Each text with which a buyer could be left over holds the id of the order. */
function buyer(id: string): { email: string; first: string; last: string } {
  return { email: `b${id}@buyers.invalid`, first: 'Мария', last: `Buyer${id}` };
}

/** Finds them, the id as its group, and no random id in hex; for JavaScript and PostgreSQL alike. */
export const BUYER = '(?:Buyer|b)([679]0{6}[0-9]{6})';

/** "1.00" to "99.99", by the number. */
function priceOf(id: string): string {
  return (1 + ((Number(id) * 7919) % 9_900) / 100).toFixed(2);
}

export function standardOrder(id: string): HostileOrder {
  const { email, first, last } = buyer(id);
  const total = priceOf(id);
  const order = {
    ...{ id, number: `#${id}`, status: 'paid', createdAt: AT, updatedAt: AT, paidAt: AT, currency: 'EUR', total },
    lines: [{ id: 'a', name: 'Тениска', quantity: 1, amount: total, vatRate: '20' }],
    payment: { method: 'stripe', transactionId: 'pi_1' },
    customer: { email, firstName: first, lastName: last },
    refunds: [],
  };
  return { id, total, body: { type: 'order.paid', timestamp: AT, data: { order } } };
}

export function shopifyOrder(id: string): HostileOrder {
  const { email, first, last } = buyer(id);
  const total = priceOf(id);
  const tax = { price: (Number(total) / 6).toFixed(2), rate: 0.2 };
  const line = { id: 70, name: 'Тениска', quantity: 1, current_quantity: 1, price: total, tax_lines: [tax], discount_allocations: [] };
  const times = { created_at: AT, processed_at: AT, updated_at: AT };
  const money = { currency: 'EUR', taxes_included: true, total_price: total, current_total_price: total, total_outstanding: '0.00' };
  const person = { first_name: first, last_name: last };
  const people = { email, customer: { ...person, email }, billing_address: person };
  const rest = { test: false, financial_status: 'paid', payment_gateway_names: ['stripe'], line_items: [line], shipping_lines: [], refunds: [] };
  // The platform's ids are numbers.
  return { id, total, body: { id: Number(id), name: `#${id}`, ...times, ...money, ...people, ...rest } };
}

export function pluginOrder(id: string): HostileOrder {
  const total = priceOf(id);
  const line = wooLine({ subtotal: total, subtotal_tax: '0.00', total, total_tax: '0.00', taxes: [] });
  return { id, total, body: wooOrder({ id: Number(id), number: id, total, line_items: [line], tax_lines: [], billing: billing(id) }) };
}

/** A book of a T-shirt and a book was given back, and only the store says which. */
export function refundedOrder(id: string): HostileOrder {
  const book = { id: 71, name: 'Book', subtotal: '10.00', subtotal_tax: '0.90', total: '10.00', total_tax: '0.90', taxes: [{ id: 2, total: '0.90' }] };
  const money = { total: '34.90', line_items: [wooLine(), wooLine(book)], refunds: [{ id: 91, total: '-10.90' }] };
  return { id, total: '24.00', body: wooOrder({ id: Number(id), number: id, date_modified_gmt: '2026-11-21T03:00:00', billing: billing(id), ...money }) };
}

function billing(id: string): Record<string, string> {
  const { email, first, last } = buyer(id);
  return { first_name: first, last_name: last, email, phone: '' };
}
