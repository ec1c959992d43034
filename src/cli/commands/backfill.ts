import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/backfill.ts';
import { dayOrInstant } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/backfill.ts');

/** `orderbridge backfill` */
export function backfillCommand(context: CliContext): Command {
  return new Command('backfill')
    .description(
      'Takes in paid orders from before a store was connected, or from a time in which it was disconnected, by reading them from the store. It first says ' +
        'how many there are, what they come to and in which month’s file they would stand, and asks. What was broken off goes on where it was, if the same ' +
        'command is given again. Orders that are known already stay as they are. `recordFrom` moves to --from only if the orders taken in reach up to it.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--from <date>', 'orders sold from this day on (in Bulgaria), such as 2026-10-01, or from a moment with its offset', dayOrInstant)
    .option(
      '--to <date>',
      'up to and with this day, or before a moment; if left out: up to the connection’s `recordFrom`, or, if --from is later, to today',
      dayOrInstant,
    )
    .option('--dry-run', 'only say what would be taken in')
    .option('--yes', 'don’t ask: these orders were not recorded by other software')
    .action((id: string, options: Options) => withCore(context, async (core) => (await actions()).run(context, core, { id, ...options })));
}
