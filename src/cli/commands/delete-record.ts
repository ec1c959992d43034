import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/delete-record.ts';
import { ORDER } from '../input/order-input.ts';
import { whyOption } from '../input/why.ts';

const actions = () => import('../actions/delete-record.ts');

/** `orderbridge delete-record` */
export function deleteRecordCommand(context: CliContext): Command {
  return new Command('delete-record')
    .description(
      'For an order that is recorded twice (`record.doubled`): deletes one of its records at the compliance service, and decides the order again from the ' +
        'other one. Without a record it lists them.',
    )
    .argument('<order>', ORDER)
    .argument('[record]', 'id of the record that is to be deleted')
    .addOption(whyOption())
    .option('--yes', 'don’t ask')
    .action(async (named: string, record: string | undefined, options: Options) => (await actions()).run(context, { named, record, ...options }));
}
