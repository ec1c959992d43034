import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/send-test.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/send-test.ts');

/** `orderbridge send-test` */
export function sendTestCommand(context: CliContext): Command {
  return new Command('send-test')
    .description(
      'Sends a small paid order to the running server as the store itself would, signed with the connection’s secret, waits up to 30 s, and prints what became of it. ' +
        'It is a real order to orderbridge: unless it is one that is ignored, it becomes a tax record, which must be deleted afterwards. Exit code 1 if it is not recorded.',
    )
    .argument('<connection>', 'id of the connection')
    .option('--order <file>', 'JSON file with a body as the store sends it, in place of one that is made up')
    .option('--yes', 'do not ask, although it becomes a tax record')
    .option('--json', 'print JSON: the order, as `orderbridge order --json` does')
    .action((id: string, options: Options) => withCore(context, async (core) => (await actions()).run(context, core, { id, ...options })));
}
