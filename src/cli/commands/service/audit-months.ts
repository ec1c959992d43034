import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { Options } from '../../actions/service/audit-months.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/audit-months.ts');

/** `orderbridge service audit list` */
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
    .action((options: Options) => withService(context, async ({ service }) => (await actions()).list(context, service.audit, options)));
}
