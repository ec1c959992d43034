import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { terminalWidth } from '../../platform/terminal/terminal-width.ts';
import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import { rateWords } from '../../service/rates/rate-words.ts';
import type { ReadOrder } from '../../service/reading/read-order-dto.ts';
import { type CliWords, en } from '../words/en.ts';

/** A recorded order for people, without its buyer. */
export function recordedOrderText(order: ReadOrder, context: Pick<CliContext, 'stdout'>): string[] {
  const { orders: say } = en.service;
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
  const sums = say.sums({
    ...{ total: `${money(order.total)} ${currency}`, net: money(order.netTotal) },
    ...{ vat: money(order.totalVat), discounts: money(order.totalDiscount) },
  });
  return [
    ...textFields([...about(order, say), [say.fields.total, sums], [say.fields.declared, declared(order, say)], ...warned(order, say)]),
    '',
    ...textTable(HEADER, lines, { give: ['discount'], width: terminalWidth(context.stdout) }),
  ];
}

type Say = CliWords['service']['orders'];

const HEADER = ['item', 'quantity', 'price', 'discount', 'VAT rate', 'VAT', 'sum'];

function about(order: ReadOrder, { fields, ...say }: Say): [string, string][] {
  const { id, shopId, internalId, internalNumber, internalCreatedAt, paymentType, paymentProcessorName, transactionId, documentNumber, documentDate } = order;
  return [
    [fields.id, id],
    [fields.shop, shopId],
    [fields.order, say.internalId(oneLine(internalNumber), oneLine(internalId))],
    [fields.ordered, localTime(internalCreatedAt)],
    [fields.recorded, localTime(order.createdAt)],
    [fields.payment, [paymentType, paymentProcessorName, transactionId].flatMap((part) => (part === undefined ? [] : [oneLine(part)])).join(', ')],
    [fields.document, say.document(documentNumber, documentDate, order.edition)],
    [fields.month, order.month ?? say.noMonth],
  ];
}

function warned({ warnings }: ReadOrder, { fields }: Say): [string, string][] {
  return warnings.map(({ path, message }) => [fields.warning, oneLine(`${path} ${message}`)]);
}

function declared({ accountingTotal, accountingVat, accountingCurrency, exchange }: ReadOrder, say: Say): string {
  if (accountingTotal === null || accountingVat === null) return say.noRate;
  const rate = exchange === null ? '' : say.rateOf(rateWords(exchange), exchange.source, exchange.publishedOn);
  return `${say.declared(`${accountingTotal.toFixed(2)} ${accountingCurrency}`, accountingVat.toFixed(2))}${rate}`;
}
