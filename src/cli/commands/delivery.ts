import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { ShowOptions } from '../actions/delivery.ts';
import { givenWhy } from '../input/order-input.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/delivery.ts');

const ID = 'id of the delivery (`orderbridge review`, `orderbridge order` and `orderbridge deliveries --json` show it)';

/** `orderbridge delivery` */
export function deliveryCommand(context: CliContext): Command {
  const delivery = new Command('delivery').description('One kept webhook: what it was, its body, and whether it still waits for a person.');
  delivery
    .command('show')
    .argument('<id>', ID)
    .summary('show a kept webhook')
    .description(
      'Shows a kept webhook: its store, topic, time, what became of it and why. Its body is printed with --body alone: it holds the buyer’s name and address, and that you looked goes into the trail.',
    )
    .option('--body', 'print the body as the store sent it, and nothing else; it holds personal data of the buyer')
    .option('--json', 'print JSON, without the body')
    .action((id: string, options: ShowOptions) => withCore(context, async (core) => (await actions()).show(context, core, { id, ...options })));
  delivery
    .command('dismiss')
    .argument('<id>', ID)
    .summary('say that a webhook that can’t be read needs nothing')
    .description(
      'Takes a webhook in review off the list of what waits for a person: it is of no sale, or its order was recorded by hand. Who said so, and why, is kept.',
    )
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .action(async (id: string, { why }: { why?: string }) => (await actions()).dismiss(context, { id, why: givenWhy(why) }));
  return delivery;
}
