import { hasAny } from '../topic-mismatch.ts';
import { orderPayload } from './payload.ts';

/** What a body is by its fields, whatever its topic says: the signature covers the body alone. */
export type BodyKind = 'order' | 'refund' | 'transaction' | 'edit' | 'shop' | 'shop-redaction' | 'redaction' | 'data-request' | 'scopes';

const { id: _ofEverything, ...ofOrders } = orderPayload.shape;

/** Fields by which a body is told, in turn; the first that it has one of decides. */
const marks: readonly [kind: BodyKind, fields: readonly string[]][] = [
  // An order stays one, whatever a later version of the API adds to it: no other body is of lines that were sold.
  ['order', ['line_items']],
  ['data-request', ['data_request', 'orders_requested']],
  ['redaction', ['orders_to_redact']],
  ['edit', ['order_edit']],
  ['shop', ['myshopify_domain', 'domain']],
  ['scopes', ['previous', 'current']],
  ['refund', ['refund_line_items', 'refund_shipping_lines', 'order_adjustments', 'transactions']],
  ['transaction', ['kind']],
  ['order', Object.keys(ofOrders)],
  ['shop-redaction', ['shop_domain']],
];

/** Null: it has the marks of none, as that of a deletion, which is an id alone. */
export function bodyKind(body: unknown): BodyKind | null {
  return marks.find(([, fields]) => hasAny(body, fields))?.[0] ?? null;
}

/** It names a person whose data are to be erased or handed over. */
export function isPrivate(kind: BodyKind): boolean {
  return kind === 'redaction' || kind === 'data-request';
}
