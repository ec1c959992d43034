import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { instant } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/read.ts');

type Options = { from?: string };

/** `orderbridge read` */
export function readCommand(context: CliContext): Command {
  return new Command('read')
    .description(
      'Has a running worker read a store again as soon as one can: what changed in it, and what is gone. What was being read of it begins anew. It does not wait for it; `orderbridge reconcile` ' +
        'does, and says what differs.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--from <instant>', 'what changed from then on, such as 2026-11-01T00:00:00+02:00; if left out: since the beginning of last month', instant)
    .action((named: string, { from }: Options) =>
      withCore(context, async ({ pool, connections }) => (await actions()).run(context, { pool, connections }, { named, since: from })),
    );
}
