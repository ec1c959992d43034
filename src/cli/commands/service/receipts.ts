import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { ListOptions, ShowOptions } from '../../actions/service/receipts.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/receipts.ts');

/** `orderbridge service receipts` */
export function receiptsCommand(context: CliContext): Command {
  const receipts = new Command('receipts').summary('list, show and issue receipts').description('Lists, shows and issues the digital receipts of orders.');
  receipts
    .command('list')
    .summary('list the receipts of a shop')
    .description('Lists the receipts of a shop, oldest first.')
    .requiredOption('--shop <id>', 'id of the shop')
    .option('--month <month>', 'only those of orders that the audit file of this month lists, such as 2026-10', month)
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of receipts')
    .action((options: ListOptions) => withService(context, async ({ core }) => (await actions()).list(context, core, options)));
  receipts
    .command('show')
    .argument('<id>', 'id of the receipt')
    .summary('show a receipt')
    .description('Shows a receipt; the document itself, as the buyer gets it, is an HTML page.')
    .option('--html', 'print the document')
    .option('--out <file>', 'write the document to this file')
    .option('--force', 'overwrite the file if it is there')
    .option('--json', 'print JSON')
    .action((id: string, options: Omit<ShowOptions, 'id'>) =>
      withService(context, async ({ core }) => (await actions()).show(context, core, { id, ...options })),
    );
  receipts
    .command('issue')
    .argument('<order-id>', 'id of the order at the compliance service')
    .summary('issue the receipt of an order')
    .description('Issues the receipt of an order and mails it to the buyer, if there is an address. Run again, it shows the receipt and mails nothing.')
    .option('--json', 'print JSON')
    .action((orderId: string, options: { json?: true }) =>
      withService(context, async ({ core }) => (await actions()).issue(context, core, { orderId, ...options })),
    );
  return receipts;
}
