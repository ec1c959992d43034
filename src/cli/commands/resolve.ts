import { Command } from 'commander';
import { resolveOrder } from '../../operations/orders/resolve-order.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { ORDER } from '../input/order-input.ts';
import { withWake } from '../with-queues.ts';

type Options = { recorded?: string; notRecorded?: true; why?: string };

/** `orderbridge resolve` */
export function resolveCommand(context: CliContext): Command {
  return new Command('resolve')
    .description(
      'For an unconfirmed order: a create was sent and its reply was lost, or a delete is answered with a 404 that may not be the ' +
        'service’s own, so it is not known whether a record exists. Look at the compliance service, say what you found, and the order is decided again from there.',
    )
    .argument('<order>', ORDER)
    .option('--recorded <id>', 'a record exists, with this id at the compliance service')
    .option('--not-recorded', 'no record exists')
    .option('--why <words>', 'how you know, for the trail')
    .action((named: string, options: Options) =>
      resolve(context, { named, recorded: answerOf(options), by: cliActor(), ...(options.why === undefined ? {} : { why: options.why }) }),
    );
}

/** The id under which it is recorded, or null. */
function answerOf({ recorded, notRecorded }: Options): string | null {
  if ((recorded === undefined) === (notRecorded === undefined)) throw new CliError('say whether it is recorded: --recorded ID, or --not-recorded');
  if (recorded?.trim() === '') throw new CliError('--recorded is empty; give the id that the compliance service shows');
  return recorded?.trim() ?? null;
}

async function resolve(context: CliContext, found: Parameters<typeof resolveOrder>[1]): Promise<void> {
  const { named, recorded } = found;
  const { unwoken } = await withWake(context, ({ pool }, wake) => resolveOrder({ pool, wake }, found));
  if (unwoken !== null) note(context, unwoken);
  printLines(context, [`The order ${named} is ${recorded === null ? 'not recorded' : `recorded as ${recorded}`}; it is decided again.`]);
}
