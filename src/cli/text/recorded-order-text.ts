import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { oneLine, terminalWidth, textFields, textTable } from '../../platform/terminal/text-table.ts';
import { rateWords } from '../../service/rates/exchange-rate.ts';
import type { ReadOrder } from '../../service/reading/read-orders.ts';

/** A recorded order for people, without its buyer. */
export function recordedOrderText(order: ReadOrder, context: Pick<CliContext, 'stdout'>): string[] {
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
    ...textFields([...about(order), ['total', sums], ['declared', declared(order)], ...unread(order), ...warned(order)]),
    '',
    ...textTable(HEADER, lines, { give: ['discount'], width: terminalWidth(context.stdout) }),
  ];
}

const HEADER = ['item', 'quantity', 'price', 'discount', 'VAT rate', 'VAT', 'sum'];

function about(order: ReadOrder): [string, string][] {
  const { id, shopId, internalId, internalNumber, internalCreatedAt, paymentType, paymentProcessorName, transactionId } = order;
  return [
    ['id', id],
    ['shop', shopId],
    ['order', `${oneLine(internalNumber)} (internalId ${oneLine(internalId)})`],
    ['ordered', localTime(internalCreatedAt)],
    ['recorded', localTime(order.createdAt)],
    ['payment', [paymentType, paymentProcessorName, transactionId].flatMap((part) => (part === undefined ? [] : [oneLine(part)])).join(', ')],
    ['document', documentText(order)],
    ['month', order.month ?? 'none: it replaces a sale that a closed month lists'],
  ];
}

/** "0000000007 of 2026-06-14, edition 2" */
export function documentText({ documentNumber, documentDate, edition }: Pick<ReadOrder, 'documentNumber' | 'documentDate' | 'edition'>): string {
  return `${documentNumber} of ${documentDate}${edition > 1 ? `, edition ${edition}` : ''}`;
}

function unread({ unreadable }: ReadOrder): [string, string][] {
  return unreadable === undefined ? [] : [['buyer', 'can’t be decrypted']];
}

function warned({ warnings }: ReadOrder): [string, string][] {
  return warnings.map(({ path, message }) => ['warning', oneLine(`${path} ${message}`)]);
}

function declared({ accountingTotal, accountingVat, accountingCurrency, exchange }: ReadOrder): string {
  if (accountingTotal === null || accountingVat === null) return 'not yet: the exchange rate is missing; see `orderbridge service rates`';
  const rate = exchange === null ? '' : ` (${rateWords(exchange)}, ${exchange.source} of ${exchange.publishedOn})`;
  return `${accountingTotal.toFixed(2)} ${accountingCurrency}, VAT ${accountingVat.toFixed(2)}${rate}`;
}
