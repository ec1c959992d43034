import { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import { monthSummary, monthVersions, versionOf } from '../../../operations/months/show-month.ts';
import { type MonthFormat, versionContent } from '../../../operations/months/version-content.ts';
import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import { terminalWidth } from '../../../platform/terminal/terminal-width.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import type { StoredVersion } from '../../../service/audit/month/read-versions.ts';
import type { MonthSummary } from '../../../service/audit/summary/month-summary.ts';
import { renderSummary } from '../../../service/audit/summary/render-summary.ts';
import { summaryText } from '../../../service/audit/summary/summary-text.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { printContent } from '../../output/print-content.ts';
import { noVersionWords, versionsText } from '../../text/audit-versions-text.ts';
import { withService } from '../../with-core.ts';
import { wordsFor } from '../../words/words.ts';

type Shape = 'text' | 'xml' | 'csv' | 'bookkeepingCsv' | 'html' | 'json';
type Options = { shop: string; month: string; version?: number } & { [shape in Shape]?: true };

const SHAPES: readonly { shape: Shape; flag?: string; words: string }[] = [
  { shape: 'text', words: 'the summary as text, and the versions (as without any of these)' },
  { shape: 'xml', words: 'the XML, byte for byte as it was made' },
  { shape: 'csv', words: 'the CSV' },
  { shape: 'bookkeepingCsv', flag: 'bookkeeping-csv', words: 'the sums by day, VAT rate and payment as CSV, for bookkeeping' },
  { shape: 'html', words: 'the summary as an HTML page' },
  { shape: 'json', words: 'print JSON: the summary’s fields, monthState, and versions with their hashes, sums and findings' },
];

/** `orderbridge service audit show` */
export function auditShowCommand(context: CliContext): Command {
  const command = new Command('show')
    .summary('show the audit file of a month')
    .description(
      'Shows the state of a month: what to do, its figures (in Bulgarian, as they are mailed to the shop), every version of its file, and its changes ' +
        'since. Without --version it is the last one, or the one that was filed.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .option('--version <n>', 'which version', wholeNumber);
  for (const { shape, flag = shape, words } of SHAPES)
    command.addOption(new Option(`--${flag}`, words).conflicts(SHAPES.map((one) => one.shape).filter((other) => other !== shape)));
  return command.action((options: Options) => withService(context, ({ service }) => show(context, service.audit, options)));
}

async function show(context: CliContext, deps: AuditDeps, options: Options): Promise<void> {
  const key = { shopId: (await knownShop(deps, options.shop)).id, month: options.month };
  const found = await versionOf(deps, key, options.version ?? null);
  const format = formatOf(options);
  if (found.file === null && (format !== null || options.version !== undefined)) throw new CliError(noVersionWords(key, found.last, wordsFor(context).months));
  const { file } = found;
  if (file !== null && format !== null) return printContent(context, Readable.from(await versionContent(deps, file, format)));
  const summary = await monthSummary(deps, key, options.version === undefined ? null : file);
  if (options.html) return printContent(context, Readable.from([renderSummary(summary)]));
  await showSummary(context, deps, { key, summary, file, json: options.json === true });
}

function formatOf({ xml, csv, bookkeepingCsv }: Options): MonthFormat | null {
  if (xml || csv) return xml ? 'xml' : 'csv';
  return bookkeepingCsv ? 'bookkeeping' : null;
}

type Shown = { key: MonthKey; summary: MonthSummary; file: StoredVersion | null; json: boolean };

async function showSummary(context: CliContext, deps: AuditDeps, { key, summary, file, json }: Shown): Promise<void> {
  const { state, versions } = await monthVersions(deps, key);
  if (json) return printJson(context, { ...summary, monthState: state, versions });
  printLines(context, [
    ...summaryText(summary).trimEnd().split('\n'),
    ...versionsText(versions, { lang: context.lang ?? 'en', width: terminalWidth(context.stdout) }),
  ]);
  const last = versions.at(-1)?.version;
  if (file !== null && last !== file.version) note(context, wordsFor(context).months.versions.notLast(file.version, last));
}
