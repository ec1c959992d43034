import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Json } from '../actions/proposals.ts';
import { givenWhy } from '../input/order-input.ts';

const actions = () => import('../actions/proposals.ts');

const ID = 'id of the proposal (`orderbridge proposals` shows it)';

/** `orderbridge proposals` */
export function proposalsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description('Lists the answers that accountants proposed in the console, and that nobody took or declined yet.')
    .option('--json', 'print JSON: an array of proposals')
    .action(async (options: Json) => (await actions()).listAll(context, options));
  const accept = new Command('accept')
    .description('Changes the settings to what was proposed, and decides one of the orders that wait for it by them; `orderbridge release --code` goes on.')
    .argument('<id>', ID)
    .action(async (id: string) => (await actions()).acceptOne(context, id));
  const decline = new Command('decline')
    .description('Declines a proposal; whoever made it reads why in the console.')
    .argument('<id>', ID)
    .option('--why <words>', 'why, for whoever proposed it; needed')
    .action(async (id: string, { why }: { why?: string }) => (await actions()).declineOne(context, { id, why: givenWhy(why) }));
  return new Command('proposals')
    .description('Answers to the questions of waiting orders that accountants proposed: an operator takes them, or says why not.')
    .addCommand(list, { isDefault: true })
    .addCommand(accept)
    .addCommand(decline);
}
