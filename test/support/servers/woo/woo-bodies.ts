/** Orders, refunds and webhooks of the stand-in, as WooCommerce's REST API writes them. Money is net text, dates are UTC without a zone. */
export type WooMetaData = { key: string; value: string };
export type WooLineBody = {
  id: number;
  name: string;
  quantity: number;
  subtotal: string;
  subtotal_tax: string;
  total: string;
  total_tax: string;
  taxes: { id: number; total: string; subtotal: string }[];
  meta_data: WooMetaData[];
};

export type WooOrderBody = {
  id: number;
  number: string;
  order_key: string;
  status: string;
  currency: string;
  date_created_gmt: string;
  date_modified_gmt: string;
  date_paid_gmt: string | null;
  total: string;
  total_tax: string;
  payment_method: string;
  transaction_id: string;
  billing: Record<string, string>;
  line_items: WooLineBody[];
  shipping_lines: WooLineBody[];
  fee_lines: WooLineBody[];
  tax_lines: { rate_id: number; rate_percent: number }[];
  refunds: { id: number; reason: string; total: string }[];
};

export type WooRefundLineBody = { id: number; quantity: number; total: string; total_tax: string; meta_data: WooMetaData[] };

export type WooRefundBody = {
  id: number;
  parent_id: number;
  date_created_gmt: string;
  /** As it is listed by time of change; the API does not show it. */
  date_modified_gmt: string;
  amount: string;
  reason: string;
  line_items: WooRefundLineBody[];
  shipping_lines: WooRefundLineBody[];
  fee_lines: WooRefundLineBody[];
};

const RATE_IDS = { 20: 1, 9: 2, 0: 3 } as const;

export type VatRate = keyof typeof RATE_IDS;

/** A line as a shop sells it: what the customer pays for one piece, cents with VAT. */
export type Sold = { cents: number; quantity?: number; rate?: VatRate; name?: string };

export const taxLines = Object.entries(RATE_IDS).map(([percent, id]) => ({ rate_id: id, rate_percent: Number(percent) }));

export function lineBody(id: number, { cents, quantity = 1, rate = 20, name = 'T-shirt' }: Sold): WooLineBody {
  const money = netAndTax(cents * quantity, rate);
  const taxes = [{ id: RATE_IDS[rate], total: money.total_tax, subtotal: money.total_tax }];
  return { id, name, quantity, subtotal: money.total, subtotal_tax: money.total_tax, ...money, taxes, meta_data: [] };
}

/** What is paid for these lines, in cents. */
export function paidFor(lines: readonly { total: string; total_tax: string }[]): number {
  return lines.reduce((sum, line) => sum + centsOf(line.total) + centsOf(line.total_tax), 0);
}

/** A part of a line given back. */
export function refundLineBody(id: number, line: WooLineBody, { quantity, cents }: { quantity: number; cents: number }): WooRefundLineBody {
  const rate = rateOf(line);
  const { total, total_tax } = netAndTax(cents, rate);
  return {
    ...{ id, quantity: -quantity, total: `-${total}`, total_tax: `-${total_tax}` },
    meta_data: [{ key: '_refunded_item_id', value: String(line.id) }],
  };
}

function rateOf({ taxes }: WooLineBody): VatRate {
  const id = taxes[0]?.id;
  return id === RATE_IDS[20] ? 20 : id === RATE_IDS[9] ? 9 : 0;
}

function netAndTax(cents: number, rate: VatRate): { total: string; total_tax: string } {
  const tax = Math.round((cents * rate) / (100 + rate));
  return { total: textOf(cents - tax), total_tax: textOf(tax) };
}

export function textOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function centsOf(amount: string): number {
  return Math.round(Number(amount) * 100);
}

/** The whole second of an instant (ms since 1970), as WooCommerce writes it. */
export function gmt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
