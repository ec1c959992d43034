import type { Problem } from '../../order/failure.ts';
import { microText, ONE, percentText, priceOf, rateOf, taxOf } from './micro-money.ts';
import { isKnownStatus } from './order-status.ts';
import type { Priced, ShopifyOrder } from './payload.ts';
import { isExplained, shippingParts } from './shipping-parts.ts';

/** `counts`: of how many pieces its taxes may be. */
type Named = Priced & { name: string; counts: number[] };

/** Everything in an order that a tax record can't express. */
export function orderProblems(order: ShopifyOrder): Problem[] {
  const items = order.line_items.map((item) => ({ ...item, counts: [item.quantity, item.current_quantity ?? item.quantity] }));
  const whole = order.shipping_lines.filter((line) => shippingParts(line, order) === null);
  const shipping = whole.map((line) => ({ ...line, name: line.title || 'Shipping', counts: [1] }));
  return [...wholeOrder(order), ...[...items, ...shipping].flatMap((line) => lineProblems(line, order))];
}

function wholeOrder(order: ShopifyOrder): Problem[] {
  const problems: Problem[] = [];
  if (!isKnownStatus(order)) problems.push(inexpressible(`Shopify calls the payment “${order.financial_status}”, which is not known here.`));
  if (typeof order.merchant_of_record_app_id === 'string') {
    problems.push({ code: 'seller.other', detail: `App ${order.merchant_of_record_app_id} is the merchant of record.` });
  }
  // The difference belongs to no line and no VAT rate; whether total_price includes it is not documented.
  const rounding = [order.total_cash_rounding_payment_adjustment_set, order.total_cash_rounding_refund_adjustment_set];
  if (rounding.some(Boolean)) problems.push(inexpressible('The cash paid or given back was rounded, so it differs from the sum of the lines.'));
  return problems;
}

function inexpressible(detail: string): Problem {
  return { code: 'order.inexpressible', detail };
}

function lineProblems(line: Named, order: ShopifyOrder): Problem[] {
  const problems: Problem[] = [];
  const why = vatDoubt(line) ?? taxDoubt(line, order);
  if (why !== null) problems.push({ code: 'vat.unclear', detail: `Line “${line.name}” ${why}.` });
  if (line.tax_lines.some(({ channel_liable }) => channel_liable === true)) {
    problems.push({ code: 'seller.other', detail: `The sales channel owes the VAT of line “${line.name}”.` });
  }
  return problems;
}

function vatDoubt(line: Named): string | null {
  const { tax_lines } = line;
  const tax = taxOf(tax_lines);
  if (tax_lines.filter(({ rate }) => rate > 0n).length > 1) return 'bears several taxes';
  if (rateOf(tax_lines) > ONE) return 'bears a tax of more than 100 %';
  if (tax !== 0n && rateOf(tax_lines) === 0n) return 'bears a tax without a rate';
  return tax !== 0n && priceOf(line) === 0n ? 'costs nothing but bears a tax' : null;
}

function taxDoubt(line: Named, order: ShopifyOrder): string | null {
  if (line.counts.some((count) => isExplained(line, count, order))) return null;
  return `bears a tax of ${microText(taxOf(line.tax_lines))}, which ${percentText(rateOf(line.tax_lines))} % of its price is not`;
}
