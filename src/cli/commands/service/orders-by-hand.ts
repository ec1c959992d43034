import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { CreateOptions, DeleteOptions } from '../../actions/service/orders-by-hand.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/orders-by-hand.ts');

/** `orderbridge service orders create` */
export function createOrderCommand(context: CliContext): Command {
  return new Command('create')
    .summary('record an order by hand')
    .description(
      'Records an order by hand, for one that orderbridge can’t decide. Run again with the same order, it finds the recorded one. ' +
        'Then `orderbridge settle ORDER --recorded ID` says which order it is of. The fields are those of CreateOrderDto ' +
        '(docs/compliance-service.md), amounts in decimals.',
    )
    .requiredOption('--file <file>', 'the order: a JSON file')
    .option('--shop <id>', 'id of the shop, if the order names none')
    .option('--why <words>', 'why, for the trail')
    .option('--json', 'print JSON: {id, documentNumber, isNew}')
    .action((options: CreateOptions) => withService(context, async (opened) => (await actions()).create(context, opened, options)));
}

/** `orderbridge service orders delete` */
export function deleteOrderCommand(context: CliContext): Command {
  return new Command('delete')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('delete a recorded order')
    .description(
      'Deletes a recorded order, as the API does: its number is voided, or in a closed month it becomes a return. ' +
        'orderbridge does not notice that a record of its own is gone; what follows then is said before. Asks first.',
    )
    .option('--why <words>', 'why, for the trail')
    .option('--yes', 'do not ask')
    .action((id: string, options: DeleteOptions) => withService(context, async (opened) => (await actions()).remove(context, opened, { id, ...options })));
}
