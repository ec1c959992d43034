import { Readable } from 'node:stream';
import { monthsOf } from '../../../operations/months/month-board.ts';
import { type MonthFormat, monthSummary, monthVersions, versionContent, versionOf } from '../../../operations/months/versions.ts';
import { knownShop } from '../../../operations/service/shops.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { oneLine, terminalWidth } from '../../../platform/terminal/text-table.ts';
import {
  type ArticleDifference,
  type AuditDiff,
  type Difference,
  diffAuditFiles,
  type OrderDifference,
  type ReturnDifference,
} from '../../../service/audit/format/diff-audit-files.ts';
import { verifyAuditFile } from '../../../service/audit/format/verify-audit-file.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { ListedMonth } from '../../../service/audit/month/list-months.ts';
import type { MonthKey } from '../../../service/audit/month/month-state.ts';
import type { StoredVersion } from '../../../service/audit/month/read-versions.ts';
import type { MonthSummary, Outstanding } from '../../../service/audit/summary/month-summary.ts';
import { renderSummary } from '../../../service/audit/summary/render-summary.ts';
import { summaryText } from '../../../service/audit/summary/summary-text.ts';
import { readableFile, reading, tellingProgress } from '../../input/read-file.ts';
import { printContent } from '../../output/print-content.ts';
import { withProgressBar } from '../../output/progress-bar.ts';
import { auditReportText, byLevel, noVersionWords, versionsText } from '../../text/audit-text.ts';
import { moneyOf } from '../../text/money.ts';
import { plural } from '../../text/plural.ts';

export type Shape = 'text' | 'xml' | 'csv' | 'bookkeepingCsv' | 'html' | 'json';
export type AuditShowOptions = { shop: string; month: string; version?: number } & { [shape in Shape]?: true };

export async function show(context: CliContext, deps: AuditDeps, options: AuditShowOptions): Promise<void> {
  const key = { shopId: (await knownShop(deps, options.shop)).id, month: options.month };
  const found = await versionOf(deps, key, options.version ?? null);
  const format = formatOf(options);
  if (found.file === null && (format !== null || options.version !== undefined)) throw new CliError(noVersionWords(key, found.last));
  const { file } = found;
  if (file !== null && format !== null) return printContent(context, Readable.from(await versionContent(deps, file, format)));
  const summary = await monthSummary(deps, key, options.version === undefined ? null : file);
  if (options.html) return printContent(context, Readable.from([renderSummary(summary)]));
  await showSummary(context, deps, { key, summary, file, json: options.json === true });
}

function formatOf({ xml, csv, bookkeepingCsv }: AuditShowOptions): MonthFormat | null {
  if (xml || csv) return xml ? 'xml' : 'csv';
  return bookkeepingCsv ? 'bookkeeping' : null;
}

type Shown = { key: MonthKey; summary: MonthSummary; file: StoredVersion | null; json: boolean };

async function showSummary(context: CliContext, deps: AuditDeps, { key, summary, file, json }: Shown): Promise<void> {
  const { state, versions } = await monthVersions(deps, key);
  if (json) return printJson(context, { ...summary, monthState: state, versions });
  printLines(context, [...summaryText(summary).trimEnd().split('\n'), ...versionsText(versions, terminalWidth(context.stdout))]);
  const last = versions.at(-1)?.version;
  if (file !== null && last !== file.version) note(context, `This is version ${file.version}; the last one is ${last}.`);
}

export async function verify(context: CliContext, file: string, json: boolean): Promise<void> {
  const given = await readableFile(context, file);
  const report = await withProgressBar(context, 'MB', (onProgress) => reading(file, verifyAuditFile(tellingProgress(given, onProgress))));
  if (json) printJson(context, { file, ...report });
  else printLines(context, auditReportText(file, report));
  const { errors } = byLevel(report.findings);
  if (errors.length > 0) throw new CliError(`${file} has ${plural(errors.length, 'error')}; don’t file it before they are gone`);
}

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

export type AuditMonthsOptions = { shop: string; json?: true };

export async function list(context: CliContext, deps: AuditDeps, { shop, json }: AuditMonthsOptions): Promise<void> {
  const months = await monthsOf(deps, shop);
  if (json) return printJson(context, months);
  if (months.length === 0) return printLines(context, ['The shop has no order yet.']);
  const isIncomplete = months.some(({ outstanding, filedWithout }) => (outstanding ?? filedWithout) !== undefined);
  const rows = months.map(({ month, situation, lacks, orders, version, filedVersion, deadline, outstanding, filedWithout }) => [
    month,
    situationWords({ situation, lacks }),
    String(orders),
    versionsWords(version),
    filedVersion === null ? null : String(filedVersion),
    deadline,
    ...(isIncomplete ? [leftWords(outstanding ?? filedWithout)] : []),
  ]);
  const head = ['month', 'state', 'orders', 'versions', 'filed', 'due by', ...(isIncomplete ? (['paid, not recorded'] as const) : [])] as const;
  printTable(context, { header: head, rows, wrap: 'paid, not recorded', keep: ['month', 'state', 'due by'] });
}

type Situation = { situation: ListedMonth['situation']; lacks: number | undefined };

function situationWords({ situation, lacks }: Situation): string {
  if (situation === 'nothing') return 'nothing to file';
  if (situation === 'returns-only') return 'returns only';
  return lacks === undefined ? situation : `${situation}, lacks ${plural(lacks, 'change')}`;
}

function leftWords(left: Outstanding | undefined): string | null {
  return left === undefined ? null : `${left.orders} (${moneyOf(left)})`;
}

function versionsWords(last: number | null): string | null {
  return last === null || last === 1 ? last && String(last) : `1–${last}`;
}
