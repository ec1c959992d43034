import { oneLine } from '../../platform/terminal/text-table.ts';
import type { AuditDiff } from '../../service/audit/format/diff-audit-files.ts';
import type { ArticleDifference, OrderDifference } from '../../service/audit/format/diff-orders.ts';
import type { ReturnDifference } from '../../service/audit/format/diff-returns.ts';
import type { Difference } from '../../service/audit/format/differences.ts';

/** A comparison for people: header and sums first, then what differs, then what only one of the files has. */
export function auditDiffText({ equal, header, sums, orders, returns, same }: AuditDiff): string[] {
  if (equal) return [`The files say the same: ${count(same.orders, 'order')}, ${count(same.returns, 'return')}.`];
  return [
    `${count(same.orders, 'order')} and ${count(same.returns, 'return')} agree.`,
    ...section('HEADER', header.map(fieldText)),
    ...section('SUMS', sums.map(fieldText)),
    ...section('ORDERS THAT DIFFER', orders.filter(({ only }) => only === null).flatMap(orderText)),
    ...section('ORDERS ONLY IN THE FIRST FILE', onlyIn('first', orders).map(orderName)),
    ...section('ORDERS ONLY IN THE SECOND FILE', onlyIn('second', orders).map(orderName)),
    ...section(
      'RETURNS THAT DIFFER',
      returns.filter(({ only }) => only === null).flatMap((one) => [returnName(one), ...one.fields.map(indented)]),
    ),
    ...section('RETURNS ONLY IN THE FIRST FILE', onlyIn('first', returns).map(returnName)),
    ...section('RETURNS ONLY IN THE SECOND FILE', onlyIn('second', returns).map(returnName)),
  ];
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function onlyIn<Row extends { only: 'first' | 'second' | null }>(which: 'first' | 'second', rows: readonly Row[]): Row[] {
  return rows.filter(({ only }) => only === which);
}

function orderText(order: OrderDifference): string[] {
  return [orderName(order), ...order.fields.map(indented), ...order.articles.flatMap(articleText)];
}

function articleText({ only, name, fields }: ArticleDifference): string[] {
  const title = oneLine(`  article ${name ?? 'without name'}`);
  return only === null ? fields.map((field) => `  ${title}: ${fieldText(field)}`) : [`  ${title}: only in the ${only} file`];
}

function orderName({ number, documentNumber, total }: OrderDifference): string {
  return oneLine(`order ${number ?? 'without number'}, document ${documentNumber ?? '-'}, ${total ?? '-'}`);
}

function returnName({ number, amount, returnedOn }: ReturnDifference): string {
  return oneLine(`order ${number ?? 'without number'}, ${amount ?? '-'} on ${returnedOn ?? '-'}`);
}

function indented(field: Difference): string {
  return `  ${fieldText(field)}`;
}

function fieldText({ field, first, second }: Difference): string {
  return oneLine(`${field}: ${first ?? 'nothing'} → ${second ?? 'nothing'}`);
}
