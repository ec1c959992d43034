import { Command } from 'commander';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { readNow } from '../../operations/reconciliation/read-now.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { instant } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

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
    .action((named: string, { from }: Options) => withCore(context, ({ pool, connections }) => run(context, { pool, connections }, { named, since: from })));
}

type Deps = Omit<Parameters<typeof readNow>[0], 'storefronts'>;

async function run(context: CliContext, deps: Deps, { named, since: wanted }: { named: string; since: string | undefined }): Promise<void> {
  const { name, since, isAnew } = await readNow({ ...deps, storefronts }, { named, since: wanted, by: cliActor() });
  printLines(context, [wordsFor(context).reading.read(name, localTime(since), isAnew)]);
}
