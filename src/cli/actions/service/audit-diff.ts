import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { oneLine } from '../../../platform/terminal/text-table.ts';
import {
  type ArticleDifference,
  type AuditDiff,
  type Difference,
  diffAuditFiles,
  type OrderDifference,
  type ReturnDifference,
} from '../../../service/audit/format/diff-audit-files.ts';
import { readableFile, reading } from '../../input/read-file.ts';
import { plural } from '../../text/plural.ts';

/** Exit code if one of them is no audit file, so that there is nothing to compare. */
const EXIT_NOT_COMPARABLE = 2;

export async function diff(context: CliContext, { first, second, json }: { first: string; second: string; json: boolean }): Promise<void> {
  const [a, b] = [await readableFile(context, first), await readableFile(context, second)];
  const found = await reading(`${first} or ${second}`, diffAuditFiles(a.bytes, b.bytes));
  if ('unreadable' in found) {
    const names = found.unreadable.map((which) => (which === 'first' ? first : second));
    throw new CliError(`not an audit file: ${names.join(', ')}; \`orderbridge service audit verify\` says why`, EXIT_NOT_COMPARABLE);
  }
  if (json) printJson(context, found);
  else printLines(context, auditDiffText(found));
  if (!found.equal) throw new CliError('the files differ');
}

/** A comparison for people: header and sums first, then what differs, then what only one of the files has. */
function auditDiffText({ equal, header, sums, orders, returns, same }: AuditDiff): string[] {
  if (equal) return [`The files say the same: ${plural(same.orders, 'order')}, ${plural(same.returns, 'return')}.`];
  const field = (one: Difference) => fieldText(one);
  const order = (one: OrderDifference) => orderName(one);
  const returned = (one: ReturnDifference) => returnName(one);
  return [
    `${plural(same.orders, 'order')} and ${plural(same.returns, 'return')} agree.`,
    ...section('HEADER', header.map(field)),
    ...section('SUMS', sums.map(field)),
    ...section(
      'ORDERS THAT DIFFER',
      orders.filter(({ only }) => only === null).flatMap((one) => orderText(one)),
    ),
    ...section('ORDERS ONLY IN THE FIRST FILE', onlyIn('first', orders).map(order)),
    ...section('ORDERS ONLY IN THE SECOND FILE', onlyIn('second', orders).map(order)),
    ...section(
      'RETURNS THAT DIFFER',
      returns.filter(({ only }) => only === null).flatMap((one) => [returned(one), ...one.fields.map((of) => `  ${field(of)}`)]),
    ),
    ...section('RETURNS ONLY IN THE FIRST FILE', onlyIn('first', returns).map(returned)),
    ...section('RETURNS ONLY IN THE SECOND FILE', onlyIn('second', returns).map(returned)),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function onlyIn<Row extends { only: 'first' | 'second' | null }>(which: 'first' | 'second', rows: readonly Row[]): Row[] {
  return rows.filter(({ only }) => only === which);
}

function orderText(order: OrderDifference): string[] {
  return [orderName(order), ...order.fields.map((field) => `  ${fieldText(field)}`), ...order.articles.flatMap((one) => articleText(one))];
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

function fieldText({ field, first, second }: Difference): string {
  return oneLine(`${field}: ${first ?? 'nothing'} → ${second ?? 'nothing'}`);
}
