import { oneLine } from '../../platform/terminal/text-table.ts';
import type { AuditDiff } from '../../service/audit/format/diff-audit-files.ts';
import type { ArticleDifference, OrderDifference } from '../../service/audit/format/diff-orders.ts';
import type { ReturnDifference } from '../../service/audit/format/diff-returns.ts';
import type { Difference } from '../../service/audit/format/differences.ts';
import type { CliWords } from '../words/en.ts';

type Say = CliWords['auditFile']['diff'];

/** A comparison for people: header and sums first, then what differs, then what only one of the files has. */
export function auditDiffText({ equal, header, sums, orders, returns, same }: AuditDiff, say: Say): string[] {
  if (equal) return [say.same(same.orders, same.returns)];
  const { titles } = say;
  const field = (one: Difference) => fieldText(one, say);
  const order = (one: OrderDifference) => orderName(one, say);
  const returned = (one: ReturnDifference) => returnName(one, say);
  return [
    say.agree(same.orders, same.returns),
    ...section(titles.header, header.map(field)),
    ...section(titles.sums, sums.map(field)),
    ...section(
      titles.orders,
      orders.filter(({ only }) => only === null).flatMap((one) => orderText(one, say)),
    ),
    ...section(titles.ordersOnly.first, onlyIn('first', orders).map(order)),
    ...section(titles.ordersOnly.second, onlyIn('second', orders).map(order)),
    ...section(
      titles.returns,
      returns.filter(({ only }) => only === null).flatMap((one) => [returned(one), ...one.fields.map((of) => `  ${field(of)}`)]),
    ),
    ...section(titles.returnsOnly.first, onlyIn('first', returns).map(returned)),
    ...section(titles.returnsOnly.second, onlyIn('second', returns).map(returned)),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function onlyIn<Row extends { only: 'first' | 'second' | null }>(which: 'first' | 'second', rows: readonly Row[]): Row[] {
  return rows.filter(({ only }) => only === which);
}

function orderText(order: OrderDifference, say: Say): string[] {
  return [orderName(order, say), ...order.fields.map((field) => `  ${fieldText(field, say)}`), ...order.articles.flatMap((one) => articleText(one, say))];
}

function articleText({ only, name, fields }: ArticleDifference, say: Say): string[] {
  const title = oneLine(`  ${say.article(name)}`);
  return only === null ? fields.map((field) => `  ${title}: ${fieldText(field, say)}`) : [`  ${title}: ${say.onlyIn(only)}`];
}

function orderName({ number, documentNumber, total }: OrderDifference, say: Say): string {
  return oneLine(say.order(number, documentNumber ?? '-', total ?? '-'));
}

function returnName({ number, amount, returnedOn }: ReturnDifference, say: Say): string {
  return oneLine(say.return(number, amount ?? '-', returnedOn ?? '-'));
}

function fieldText({ field, first, second }: Difference, { nothing }: Say): string {
  return oneLine(`${field}: ${first ?? nothing} → ${second ?? nothing}`);
}
