import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { askForOrder } from '../../operations/reconciliation/ask-for-order.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

/** `orderbridge fetch` */
export function fetchCommand(context: CliContext): Command {
  return new Command('fetch')
    .description(
      'Asks a store for one order that no webhook told of, and takes in what it says, as the webhook would have: by the order’s id in the store’s ' +
        'platform, or by its number if it changed in the last 31 days. Needs the keys of the store’s API (`orderbridge reconnect`).',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .argument('<order>', 'the order: its id in the store’s platform, or its number (a shell needs quotes around #)')
    .action((connection: string, order: string) => withCore(context, (core) => fetchOne(context, core, { connection, said: order })));
}

async function fetchOne(context: CliContext, core: Core, asked: { connection: string; said: string }): Promise<void> {
  const answer = await withQueues(context, core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    const by = cliActor();
    await using deps = await openReconcile(core, queues, { signal: context.signal, by });
    return askForOrder(deps, { ...asked, by });
  });
  const { fetch: say } = wordsFor(context).reading;
  if (answer.is === 'none') {
    throw new CliError(say.none(answer.store, asked.said, answer.days));
  }
  printLines(context, [answer.id === null ? say.later : say.found(answer.id)]);
}
