import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { ListOptions } from '../../actions/service/shops.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/shops.ts');

/** `orderbridge service shops` */
export function shopsCommand(context: CliContext): Command {
  const shops = new Command('shops').summary('list and show shops').description('Shows the shops of our own compliance service, of all API keys.');
  shops
    .command('list')
    .summary('list shops')
    .description('Lists the shops of all API keys, oldest first.')
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of shops')
    .action((options: ListOptions) => withService(context, async ({ core }) => (await actions()).list(context, core, options)));
  shops
    .command('show')
    .argument('<id>', 'id of the shop')
    .summary('show a shop')
    .description('Shows all fields of a shop.')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: true }) => withService(context, async ({ core }) => (await actions()).show(context, core, { id, ...options })));
  return shops;
}
