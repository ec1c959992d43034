import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Core } from '../../../app/core.ts';
import { counted, form, orderCount } from '../../../contract/plural.ts';
import { errorWords } from '../../../platform/error-words.ts';
import { type CliContext, CliError, cliActor } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { FetchedDays } from '../../../service/rates/fetch-rates.ts';
import type { FilledIn } from '../../../service/rates/missing-rates.ts';
import type { RatesWanted } from '../../../service/rates/stored-rates.ts';
import { withService } from '../../with-core.ts';

export function ratesCommand(context: CliContext): Command {
  const rates = new Command('rates')
    .summary('exchange rates of the central bank')
    .description('Shows, imports and fetches the daily exchange rates of the Bulgarian National Bank, by which prices in other currencies are converted.');
  rates
    .command('list')
    .summary('list stored rates')
    .description('Lists the stored rates: of the newest sheet, or from a day on.')
    .option('--currency <code>', 'only this currency, such as USD')
    .option('--from <day>', 'first day, such as 2026-11-01; without it, the newest sheet up to --to')
    .option('--to <day>', 'last day')
    .option('--json', 'print JSON: an array of {currency, base, multiply, divide, publishedOn, source}; an amount × multiply ÷ divide is in base')
    .action((options: ListOptions) => withService(context, ({ core }) => list(context, core, options)));
  rates
    .command('import')
    .summary('import an XML sheet of the bank')
    .description('Imports an XML file downloaded from the bank, of one day or of a period, all of it or nothing; orders that wait for a rate then get it.')
    .argument('<file>', 'the XML file')
    .option('--replace', 'overwrite values already stored; orders that already have a rate keep it')
    .option('--complete', 'the file lists every sheet from its first day to its last: for a day without one, the previous sheet counts')
    .action((file: string, options: ImportOptions) => withService(context, ({ core }) => importFile(context, core, { file, ...options })));
  rates
    .command('fetch')
    .summary('fetch the newest sheet now')
    .description(
      'Fetches the newest sheet from BNB_RATES_URL, and from BNB_RATES_DAY_URL those of missed days that orders wait for, as the service does every day; ' +
        'orders that wait for a rate then get it.',
    )
    .action(() => withService(context, ({ core }) => fetchNow(context, core)));
  return rates;
}

type ListOptions = { currency?: string; from?: string; to?: string; json?: true };

type ImportOptions = { replace?: true; complete?: true };

async function list(context: CliContext, { pool }: Core, options: ListOptions): Promise<void> {
  const { rateWords } = await import('../../../service/rates/exchange-rate.ts');
  const { listRates } = await import('../../../service/rates/stored-rates.ts');
  const rates = await listRates(pool, readWanted(options));
  if (options.json) return printJson(context, rates);
  if (rates.length === 0) return printLines(context, ['No rates are stored for that. `orderbridge service rates fetch` fetches the newest sheet.']);
  const rows = rates.map((rate) => [rate.publishedOn, rate.currency, rateWords(rate), rate.source]);
  printTable(context, { header: ['day', 'currency', 'rate', 'source'], rows });
}

function readWanted({ currency, from, to }: ListOptions): RatesWanted {
  for (const [option, day] of Object.entries({ '--from': from, '--to': to })) {
    if (day !== undefined && !(/^\d{4}-\d{2}-\d{2}$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true))
      throw new CliError(`${option} must be a day such as 2026-11-20`);
  }
  const code = currency?.toUpperCase();
  if (code !== undefined && !/^[A-Z]{3}$/.test(code)) throw new CliError('--currency must be a code of three letters, such as USD');
  return { ...(code !== undefined && { currency: code }), ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

async function importFile(context: CliContext, core: Core, { file, replace, complete }: ImportOptions & { file: string }): Promise<void> {
  const { importSheets } = await import('../../../operations/service/rates.ts');
  const path = resolve(context.cwd, file);
  const content = await readFile(path).catch((thrown: unknown) => {
    throw new CliError(`${path} can't be read: ${errorWords(thrown)}`);
  });
  const imported = await importSheets(core, { content, replace: replace === true, complete: complete === true, by: cliActor() });
  if (!imported.ok)
    throw refused(`${path} was not imported, nothing was changed:`, imported.problems, imported.different ? 'If the new values are right, add --replace.' : '');
  const { sheets, added, unchanged, replaced, waiting } = imported;
  const days = sheets.length === 1 ? (sheets[0] ?? '') : `${sheets.length} days from ${sheets[0] ?? ''} to ${sheets.at(-1) ?? ''}`;
  printLines(context, [`${counted.en(added, 'rate', 'rates')} of ${days} stored, ${replaced} replaced, ${unchanged} known already.`]);
  reportFilledIn(context, waiting);
}

function refused(what: string, problems: readonly string[], advice = ''): CliError {
  return new CliError([what, ...problems.map((problem) => `  ${problem}`), ...(advice ? [advice] : [])].join('\n'));
}

async function fetchNow(context: CliContext, core: Core): Promise<void> {
  const { fetchNewestSheet } = await import('../../../operations/service/rates.ts');
  const { bnbRatesUrl: url, bnbRatesDayUrl: dayUrl } = core.config;
  const { fetched, days, filledIn, again } = await fetchNewestSheet(core, { url, dayUrl, signal: context.signal, by: cliActor() });
  printLines(context, [`The newest sheet is of ${fetched.sheet}: ${counted.en(fetched.added, 'rate', 'rates')} stored, ${fetched.unchanged} known already.`]);
  if (again) note(context, 'It is past 18:00 of a working day and the sheet of today is not there; until it comes, the one before counts.');
  reportDays(context, days);
  reportFilledIn(context, filledIn);
}

function reportDays(context: CliContext, days: FetchedDays | null): void {
  if (days === null) return;
  if (days.fetched.length > 0) printLines(context, [`Missed days that were fetched: ${days.fetched.join(', ')}.`]);
  if (days.missed.length > 0) note(context, `The sheets of ${days.missed.join(', ')} could not be fetched (${days.why ?? ''}).`);
}

function reportFilledIn(context: CliContext, { filled, missing }: FilledIn): void {
  if (filled > 0) printLines(context, [`${orderCount.en(filled)} that waited for a rate ${form.en(filled, 'has', 'have')} it now.`]);
  if (missing > 0) note(context, `${counted.en(missing, 'order still waits', 'orders still wait')} for a rate: import the sheets of their days.`);
}
