import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { Options } from '../../actions/service/audit-generate.ts';
import { month } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/audit-generate.ts');

/** `orderbridge service audit generate` */
export function auditGenerateCommand(context: CliContext): Command {
  return new Command('generate')
    .summary('make the audit file of a month')
    .description(
      'Makes the next version of a month’s audit file and keeps it, with its CSV and summary. Earlier versions stay. Stores of the shop that can be read ' +
        'are read for the month first, or it says why not. If an order of the month was just deleted, it waits for its replacement (REPLACEMENT_WAIT_MINUTES). Exit code 1 if there is no new version; then it prints why and what to do.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .option('--out <file>', 'also write the XML to this file, such as october.xml, and october.csv and october.html beside it')
    .option('--force', 'overwrite these files if they are there')
    .option('--now', 'don’t wait, neither for the store nor for replacements')
    .option('--mail', 'mail it to the shop and its recipients, as on the shop’s day; if there is no file, the reason')
    .option('--json', 'print JSON: kind (generated, blocked, empty, …), and by kind file, files, mailed, errors, missingRates')
    .action((options: Options) => withService(context, async (opened) => (await actions()).generate(context, opened, options)));
}
