import { Command, Option } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { Options, Shape } from '../../actions/service/audit-show.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/audit-show.ts');

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
  return command.action((options: Options) => withService(context, async ({ service }) => (await actions()).show(context, service.audit, options)));
}
