import type { Core } from '../../app/core.ts';
import { askForOrder } from '../../operations/reconciliation/ask-for-order.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withQueues } from '../with-queues.ts';
import { en } from '../words/en.ts';

export async function fetchOne(context: CliContext, core: Core, asked: { connection: string; said: string }): Promise<void> {
  const answer = await withQueues(core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    const by = cliActor();
    await using deps = await openReconcile(core, queues, { signal: context.signal, by });
    return askForOrder(deps, { ...asked, by });
  });
  const { fetch: say } = en.reading;
  if (answer.is === 'none') {
    throw new CliError(say.none(answer.store, asked.said, answer.days));
  }
  printLines(context, [answer.id === null ? say.later : say.found(answer.id)]);
}
