import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Deletion, Options } from '../actions/shop.ts';
import { month } from '../input/arguments.ts';
import { KEY_FLAGS, whyOption } from '../input/shared-options.ts';
import { addShopFields, type ShopFieldOptions } from '../input/shop-fields.ts';

const actions = () => import('../actions/shop.ts');

/** `orderbridge shop` */
export function shopCommand(context: CliContext): Command {
  const creating = addShopFields(new Command('create'))
    .summary('create a shop')
    .description('Creates a shop at the compliance service and prints its id, which `orderbridge connect` needs. A key may have one shop, or several.')
    .action(async (options: Options & ShopFieldOptions) => (await actions()).create(context, options));
  const updating = addShopFields(new Command('update').argument('<id>', 'id of the shop'))
    .option('--valid-from <month>', 'the first month whose file bears the new number, domain or company, such as 2026-11', month)
    .summary('change fields of a shop')
    .description(
      'Changes the fields that are given; all others stay. Another number, domain or company is a correction: the months that are not filed bear it, unless --valid-from says from which month on it counts.',
    )
    .action(async (id: string, options: Options & ShopFieldOptions & { validFrom?: string }) => (await actions()).update(context, id, options));
  const deleting = new Command('delete')
    .argument('<id>', 'id of the shop')
    .requiredOption('--name <text>', 'the exact name of the shop, so that the wrong one is not deleted')
    .addOption(whyOption())
    .summary('delete a shop with all its orders, for good')
    .description('Deletes a shop with all of its orders, receipts and audit files. This can’t be undone.')
    .action(async (id: string, options: Deletion) => (await actions()).remove(context, id, options));
  const shop = new Command('shop').description('Shop operations of the compliance service, through our signed client.');
  for (const command of [creating, updating, deleting]) {
    shop.addCommand(
      command
        .option(...KEY_FLAGS.key)
        .option(...KEY_FLAGS.secret)
        .option('--json', 'print the service’s whole answer as JSON'),
    );
  }
  return shop;
}
