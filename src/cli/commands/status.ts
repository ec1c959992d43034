import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';

const actions = () => import('../actions/status.ts');

/** `orderbridge status` */
export function statusCommand(context: CliContext): Command {
  return new Command('status')
    .description(
      'Says whether all is well, and if not, why, since when, how many orders and how much money it concerns, and what to type. ' +
        'failing: orders of a connected store can’t be recorded, or a legal term is past; attention: all else that a person should know of. ' +
        'What can’t be asked is failing, too. Exit code 0 if all is well, 1 for attention, 2 for failing.',
    )
    .option('--json', 'print JSON: {verdict, at, reasons: [{code, level, subject, count, total, since, words, verb}]}')
    .action(async (options: { json?: true }) => (await actions()).status(context, options));
}
