import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/exports.ts');

/** `orderbridge exports` */
export function exportsCommand(context: CliContext): Command {
  return new Command('exports')
    .description(
      'Shows what is stored about customers who asked their shop for it, where its platform passes such requests on. ' +
        'The merchant must hand it to the customer; the data itself is in the JSON form, and that you looked goes into the trail.',
    )
    .option('--json', 'print JSON: an array of exports with their data')
    .action((options: { json?: true }) => withCore(context, async (core) => (await actions()).showExports(context, core, options)));
}
