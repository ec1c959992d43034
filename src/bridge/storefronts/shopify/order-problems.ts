import type { Problem } from '../../order/failure.ts';
import { ONE, priceOf, rateOf, taxOf } from './micro-money.ts';
import { isKnownStatus } from './order-status.ts';
import type { Priced, ShopifyOrder } from './payload.ts';

type Named = Priced & { name: string };

/** Everything in an order that a tax record can't express. */
export function orderProblems(order: ShopifyOrder): Problem[] {
  const shipping = order.shipping_lines.map((line) => ({ ...line, name: line.title || 'Shipping' }));
  return [...wholeOrder(order), ...[...order.line_items, ...shipping].flatMap(lineProblems)];
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

function lineProblems(line: Named): Problem[] {
  const problems: Problem[] = [];
  const why = vatDoubt(line);
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
