import { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import { counted, orderCount } from '../../../contract/plural.ts';
import type { MonthFormat } from '../../../operations/months/versions.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { oneLine, terminalWidth } from '../../../platform/terminal/text-table.ts';
import type { ArticleDifference, AuditDiff, FieldDifference, OrderDifference, ReturnDifference } from '../../../service/audit/format/diff-audit-files.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { StoredVersion } from '../../../service/audit/month/read-versions.ts';
import type { Outstanding } from '../../../service/audit/summary/month-summary.ts';
import type { MonthView } from '../../../service/reading/month-view.ts';
import { ofMonth, wholeNumber } from '../../input/arguments.ts';
import { readableFile, reading, tellingProgress } from '../../input/read-file.ts';
import { printContent } from '../../output/print-content.ts';
import { withProgressBar } from '../../output/progress-bar.ts';
import { auditReportText, byLevel, noVersionWords, outstandingMoney, versionsText } from '../../text/audit-text.ts';
import { withService } from '../../with-core.ts';

const SHAPES: readonly { shape: Shape; flag?: string; words: string }[] = [
  { shape: 'text', words: 'the summary as text, and the versions (as without any of these)' },
  { shape: 'xml', words: 'the XML, byte for byte as it was made' },
  { shape: 'csv', words: 'the CSV' },
  { shape: 'bookkeepingCsv', flag: 'bookkeeping-csv', words: 'the sums by day, VAT rate and payment as CSV, for bookkeeping' },
  { shape: 'html', words: 'the summary as an HTML page' },
  { shape: 'json', words: 'print JSON: the summary’s fields, monthState, and versions with their hashes, sums and findings' },
];

export function auditMonthsCommand(context: CliContext): Command {
  return new Command('list')
    .summary('list the months of a shop')
    .description(
      'Lists the months of a shop, newest first: how many orders the file of each lists, its versions, whether it is filed, and paid orders that are not recorded.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .option(
      '--json',
      'print JSON: an array of {month, state, situation (state, or blocked, empty, returns-only), orders, version (the last one), filedVersion, deadline}, and where there are any lacks (changes that the last version lacks), outstanding (paid orders that are not recorded) and filedWithout (those without which it was filed)',
    )
    .action((options: AuditMonthsOptions) => withService(context, ({ service }) => list(context, service.audit, options)));
}

export function auditShowCommand(context: CliContext): Command {
  const command = ofMonth(new Command('show').summary('show the audit file of a month'))
    .description(
      'Shows the state of a month: what to do, its figures (in Bulgarian, as they are mailed to the shop), every version of its file, and its changes ' +
        'since. Without --version it is the last one, or the one that was filed.',
    )
    .option('--version <n>', 'which version', wholeNumber);
  for (const { shape, flag = shape, words } of SHAPES)
    command.addOption(new Option(`--${flag}`, words).conflicts(SHAPES.map((one) => one.shape).filter((other) => other !== shape)));
  return command.action((options: AuditShowOptions) => withService(context, ({ service }) => show(context, service.audit, options)));
}

export function auditVerifyCommand(context: CliContext): Command {
  return new Command('verify')
    .summary('check an audit file, including one of other software')
    .description(
      'Checks an audit file of any software: its encoding, its XML, the schema, and rules beyond it (docs/reference/audit-file.md lists them). Every finding is ' +
        'shown with its line, the order’s number, the rule, and what to do. Needs no database. Exit code 1 if there are errors, 2 if the file can’t be read.',
    )
    .argument('<file>', 'the XML file')
    .option('--json', 'print JSON: file, header (null: not an audit file), sums, findings ({level, rule, line, order, words, advice}, errors first)')
    .action((file: string, { json }: { json?: true }) => verify(context, file, json === true));
}

export function auditDiffCommand(context: CliContext): Command {
  return new Command('diff')
    .summary('compare two audit files row by row')
    .description(
      'Compares two audit files row by row, such as the one of another plugin and ours for the same month. Orders belong together by their number, then ' +
        'by document number. Encoding, the order of elements, the spelling of numbers (24.960 is 24.96) and the day of creation make no difference. ' +
        'Needs no database. Exit code 1 if the files differ, 2 if one can’t be read.',
    )
    .argument('<file1>', 'the first XML file')
    .argument('<file2>', 'the second XML file')
    .option('--json', 'print JSON: equal, header, sums, orders, returns ({only, …, fields: {field, first, second}}), same (rows that agree)')
    .action((first: string, second: string, { json }: { json?: true }) => diff(context, { first, second, json: json === true }));
}

type Shape = 'text' | 'xml' | 'csv' | 'bookkeepingCsv' | 'html' | 'json';

type AuditShowOptions = { shop: string; month: string; version?: number } & { [shape in Shape]?: true };

async function show(context: CliContext, deps: AuditDeps, options: AuditShowOptions): Promise<void> {
  const { monthView, versionContent, versionOf } = await import('../../../operations/months/versions.ts');
  const { knownShop } = await import('../../../operations/service/shops.ts');
  const { renderSummary } = await import('../../../service/audit/summary/render-summary.ts');
  const key = { shopId: (await knownShop(deps, options.shop)).id, month: options.month };
  const found = await versionOf(deps, key, options.version ?? null);
  const format = formatOf(options);
  if (found.file === null && (format !== null || options.version !== undefined)) throw new CliError(noVersionWords(key, found.last));
  const { file } = found;
  if (file !== null && format !== null) return printContent(context, Readable.from(await versionContent(deps, file, format)));
  const view = await monthView(deps, key, options.version === undefined ? null : file);
  if (options.html) return printContent(context, Readable.from([renderSummary(view.summary)]));
  await showSummary(context, view, { file, json: options.json === true });
}

function formatOf({ xml, csv, bookkeepingCsv }: AuditShowOptions): MonthFormat | null {
  if (xml || csv) return xml ? 'xml' : 'csv';
  return bookkeepingCsv ? 'bookkeeping' : null;
}

async function showSummary(
  context: CliContext,
  { summary, stored, versions: newest }: MonthView,
  { file, json }: { file: StoredVersion | null; json: boolean },
): Promise<void> {
  const { summaryText } = await import('../../../service/audit/summary/summary-text.ts');
  const versions = newest.toReversed();
  if (json) return printJson(context, { ...summary, monthState: stored.state, versions });
  printLines(context, [...summaryText(summary).trimEnd().split('\n'), ...versionsText(versions, terminalWidth(context.stdout))]);
  const last = versions.at(-1)?.version;
  if (file !== null && last !== file.version) note(context, `This is version ${file.version}; the last one is ${last}.`);
}

async function verify(context: CliContext, file: string, json: boolean): Promise<void> {
  const { verifyAuditFile } = await import('../../../service/audit/format/verify-audit-file.ts');
  const given = await readableFile(context, file);
  const report = await withProgressBar(context, 'MB', (onProgress) => reading(file, verifyAuditFile(tellingProgress(given, onProgress))));
  if (json) printJson(context, { file, ...report });
  else printLines(context, auditReportText(file, report));
  const { errors } = byLevel(report.findings);
  if (errors.length > 0) throw new CliError(`${file} has ${counted.en(errors.length, 'error', 'errors')}; correct them before you file it`);
}

/** Exit code if one of them is no audit file, so that there is nothing to compare. */
const EXIT_NOT_COMPARABLE = 2;

async function diff(context: CliContext, { first, second, json }: { first: string; second: string; json: boolean }): Promise<void> {
  const { diffAuditFiles } = await import('../../../service/audit/format/diff-audit-files.ts');
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
  if (equal) return [`The files say the same: ${orderCount.en(same.orders)}, ${counted.en(same.returns, 'return', 'returns')}.`];
  const field = (one: FieldDifference) => fieldText(one);
  const order = (one: OrderDifference) => orderName(one);
  const returned = (one: ReturnDifference) => oneLine(`order ${one.number ?? 'without number'}, ${one.amount ?? '-'} on ${one.returnedOn ?? '-'}`);
  return [
    `${orderCount.en(same.orders)} and ${counted.en(same.returns, 'return', 'returns')} agree.`,
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

function fieldText({ field, first, second }: FieldDifference): string {
  return oneLine(`${field}: ${first ?? 'nothing'} → ${second ?? 'nothing'}`);
}

type AuditMonthsOptions = { shop: string; json?: true };

async function list(context: CliContext, deps: AuditDeps, { shop, json }: AuditMonthsOptions): Promise<void> {
  const { monthsOf } = await import('../../../operations/months/month-board.ts');
  const { monthStatus, monthStatuses } = await import('../../../service/audit/summary/month-status.ts');
  const months = await monthsOf(deps, shop);
  if (json) return printJson(context, months);
  if (months.length === 0) return printLines(context, ['The shop has no order yet.']);
  const isIncomplete = months.some(({ outstanding, filedWithout }) => (outstanding ?? filedWithout) !== undefined);
  const rows = months.map((one) => [
    one.month,
    monthStatuses[monthStatus(one)].name.en,
    String(one.orders),
    one.version === null || one.version === 1 ? one.version && String(one.version) : `1–${one.version}`,
    one.filedVersion === null ? null : String(one.filedVersion),
    one.deadline,
    ...(isIncomplete ? [leftWords(one.outstanding ?? one.filedWithout)] : []),
  ]);
  const head = ['month', 'state', 'orders', 'versions', 'filed', 'due by', ...(isIncomplete ? (['paid, not recorded'] as const) : [])] as const;
  printTable(context, { header: head, rows, wrap: 'paid, not recorded', keep: ['month', 'state', 'due by'] });
}

function leftWords(left: Outstanding | undefined): string | null {
  return left === undefined ? null : `${left.orders} (${outstandingMoney(left)})`;
}
