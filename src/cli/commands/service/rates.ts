import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { ImportOptions, ListOptions } from '../../actions/service/rates.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/rates.ts');

/** `orderbridge service rates` */
export function ratesCommand(context: CliContext): Command {
  const rates = new Command('rates')
    .summary('exchange rates of the central bank')
    .description('Shows, imports and fetches the daily exchange rates of the Bulgarian National Bank, which prices in other currencies are converted with.');
  rates
    .command('list')
    .summary('list stored rates')
    .description('Lists the stored rates: of the newest sheet, or from a day on.')
    .option('--currency <code>', 'only this currency, such as USD')
    .option('--from <day>', 'first day, such as 2026-11-01; without it, the newest sheet up to --to')
    .option('--to <day>', 'last day')
    .option('--json', 'print JSON: an array of {currency, base, multiply, divide, publishedOn, source}; an amount × multiply ÷ divide is in base')
    .action((options: ListOptions) => withService(context, async ({ core }) => (await actions()).list(context, core, options)));
  rates
    .command('import')
    .summary('import an XML sheet of the bank')
    .description('Imports an XML file downloaded from the bank, of one day or of a period, all of it or nothing; orders that wait for a rate then get it.')
    .argument('<file>', 'the XML file')
    .option('--replace', 'take the new value where another is stored; orders that have their rate keep it')
    .option('--complete', 'the file lists every sheet from its first day to its last: on a day in between that has none, the one before it counts')
    .action((file: string, options: ImportOptions) =>
      withService(context, async ({ core }) => (await actions()).importFile(context, core, { file, ...options })),
    );
  rates
    .command('fetch')
    .summary('fetch the newest sheet now')
    .description(
      'Fetches the newest sheet from BNB_RATES_URL, and from BNB_RATES_DAY_URL those of missed days that orders wait for, as the service does every day; ' +
        'orders that wait for a rate then get it.',
    )
    .action(() => withService(context, async ({ core }) => (await actions()).fetchNow(context, core)));
  return rates;
}
