import { localTime } from '../../platform/terminal/local-time.ts';
import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import { rateWords } from '../../service/rates/rate-words.ts';
import type { ReadOrder } from '../../service/reading/read-order-dto.ts';

/** A recorded order for people, without its buyer. `width`: the columns of the terminal; undefined: it is none. */
export function recordedOrderText(order: ReadOrder, width: number | undefined): string[] {
  const { precision, currency } = order;
  const money = (amount: number) => amount.toFixed(precision);
  const lines = order.lineItems.map((line) => [
    line.name,
    String(line.quantity),
    money(line.price),
    money(line.discount ?? 0),
    `${line.vatRate} % ${line.vatGroup}`,
    money(line.subtotalVat),
    money(line.subtotal),
  ]);
  const sums = `${money(order.total)} ${currency}: net ${money(order.netTotal)}, VAT ${money(order.totalVat)}, discounts ${money(order.totalDiscount)}`;
  return [
    ...textFields([...about(order), ['total', sums], ['declared', declared(order)]]),
    '',
    ...textTable(['item', 'quantity', 'price', 'discount', 'VAT rate', 'VAT', 'sum'], lines, { width, give: ['discount'] }),
  ];
}

function about(order: ReadOrder): [string, string][] {
  const { id, shopId, internalId, internalNumber, internalCreatedAt, paymentType, paymentProcessorName, transactionId, documentNumber, documentDate } = order;
  return [
    ['id', id],
    ['shop', shopId],
    ['order', `${oneLine(internalNumber)} (internalId ${oneLine(internalId)})`],
    ['ordered', localTime(internalCreatedAt)],
    ['recorded', localTime(order.createdAt)],
    ['payment', [paymentType, paymentProcessorName, transactionId].flatMap((part) => (part === undefined ? [] : [oneLine(part)])).join(', ')],
    ['document', `${documentNumber} of ${documentDate}${order.edition > 1 ? `, edition ${order.edition}` : ''}`],
    ['month', order.month ?? 'none: it replaces a sale that a closed month lists'],
  ];
}

function declared({ accountingTotal, accountingVat, accountingCurrency, exchange }: ReadOrder): string {
  if (accountingTotal === null || accountingVat === null) return `not yet: the exchange rate is missing; see \`orderbridge service rates\``;
  const rate = exchange === null ? '' : ` (${rateWords(exchange)}, ${exchange.source} of ${exchange.publishedOn})`;
  return `${accountingTotal.toFixed(2)} ${accountingCurrency}, VAT ${accountingVat.toFixed(2)}${rate}`;
}
