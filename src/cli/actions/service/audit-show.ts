import { Readable } from 'node:stream';
import { type MonthFormat, monthSummary, monthVersions, versionContent, versionOf } from '../../../operations/months/versions.ts';
import { knownShop } from '../../../operations/service/shops.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import { terminalWidth } from '../../../platform/terminal/text-table.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../../service/audit/month/month-state.ts';
import type { StoredVersion } from '../../../service/audit/month/read-versions.ts';
import type { MonthSummary } from '../../../service/audit/summary/month-summary.ts';
import { renderSummary } from '../../../service/audit/summary/render-summary.ts';
import { summaryText } from '../../../service/audit/summary/summary-text.ts';
import { printContent } from '../../output/print-content.ts';
import { noVersionWords, versionsText } from '../../text/audit-text.ts';

export type Shape = 'text' | 'xml' | 'csv' | 'bookkeepingCsv' | 'html' | 'json';
export type Options = { shop: string; month: string; version?: number } & { [shape in Shape]?: true };

export async function show(context: CliContext, deps: AuditDeps, options: Options): Promise<void> {
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

function formatOf({ xml, csv, bookkeepingCsv }: Options): MonthFormat | null {
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
