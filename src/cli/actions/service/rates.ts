import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Core } from '../../../app/core.ts';
import { fetchNewestSheet, importSheets } from '../../../operations/service/rates.ts';
import { errorWords } from '../../../platform/error-words.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { FetchedDays } from '../../../service/rates/fetch-missed-days.ts';
import type { FilledIn } from '../../../service/rates/fill-in-missing.ts';
import { listRates, type RatesWanted } from '../../../service/rates/list-rates.ts';
import { rateWords } from '../../../service/rates/rate-words.ts';
import { cliActor } from '../../actor.ts';
import { Mistyped } from '../../input/mistyped.ts';
import { en } from '../../words/en.ts';

export type ListOptions = { currency?: string; from?: string; to?: string; json?: true };
export type ImportOptions = { replace?: true; complete?: true };

export async function list(context: CliContext, { pool }: Core, options: ListOptions): Promise<void> {
  const rates = await listRates(pool, readWanted(options));
  if (options.json) return printJson(context, rates);
  if (rates.length === 0) return printLines(context, [en.service.rates.none]);
  const rows = rates.map((rate) => [rate.publishedOn, rate.currency, rateWords(rate), rate.source]);
  printTable(context, { header: ['day', 'currency', 'rate', 'source'], rows });
}

function readWanted({ currency, from, to }: ListOptions): RatesWanted {
  for (const [option, day] of Object.entries({ '--from': from, '--to': to })) {
    if (day !== undefined && !isDay(day)) throw new Mistyped(`${option} must be a day such as 2026-11-20`);
  }
  const code = currency?.toUpperCase();
  if (code !== undefined && !/^[A-Z]{3}$/.test(code)) throw new Mistyped('--currency must be a code of three letters, such as USD');
  return { ...(code !== undefined && { currency: code }), ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
}

export async function importFile(context: CliContext, core: Core, { file, replace, complete }: ImportOptions & { file: string }): Promise<void> {
  const path = resolve(context.cwd, file);
  const content = await readFile(path).catch((thrown: unknown) => {
    throw new Mistyped(`${path} can't be read: ${errorWords(thrown)}`);
  });
  const { rates: say } = en.service;
  const imported = await importSheets(core, { content, replace: replace === true, complete: complete === true, by: cliActor() });
  if (!imported.ok) throw refused(say.notImported(path), imported.problems, imported.different ? say.replace : '');
  const { sheets, added, unchanged, replaced, waiting } = imported;
  const days = sheets.length === 1 ? (sheets[0] ?? '') : say.days(sheets.length, sheets[0] ?? '', sheets.at(-1) ?? '');
  printLines(context, [say.imported({ rates: say.rates(added), days, replaced, unchanged })]);
  reportFilledIn(context, waiting);
}

function refused(what: string, problems: readonly string[], advice = ''): CliError {
  return new CliError([what, ...problems.map((problem) => `  ${problem}`), ...(advice ? [advice] : [])].join('\n'));
}

export async function fetchNow(context: CliContext, core: Core): Promise<void> {
  const { bnbRatesUrl: url, bnbRatesDayUrl: dayUrl } = core.config;
  const { fetched, days, filledIn, again } = await fetchNewestSheet(core, { url, dayUrl, signal: context.signal, by: cliActor() });
  const { rates: say } = en.service;
  printLines(context, [say.newest(fetched.sheet, say.rates(fetched.added), fetched.unchanged)]);
  if (again) note(context, say.late);
  reportDays(context, days);
  reportFilledIn(context, filledIn);
}

function reportDays(context: CliContext, days: FetchedDays | null): void {
  if (days === null) return;
  const { rates: say } = en.service;
  if (days.fetched.length > 0) printLines(context, [say.missed(days.fetched.join(', '))]);
  if (days.missed.length > 0) note(context, say.notFetched(days.missed.join(', '), days.why ?? ''));
}

function reportFilledIn(context: CliContext, { filled, missing }: FilledIn): void {
  const { rates: say } = en.service;
  if (filled > 0) printLines(context, [say.filled(filled)]);
  if (missing > 0) note(context, say.waiting(missing));
}
