import type { Core } from '../../app/core.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { askForOrder, readNow } from '../../operations/reconciliation/ask-store.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withQueues } from '../with-queues.ts';

export async function fetchOne(context: CliContext, core: Core, asked: { connection: string; said: string }): Promise<void> {
  const answer = await withQueues(core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    const by = cliActor();
    await using deps = await openReconcile(core, queues, { signal: context.signal, by });
    return askForOrder(deps, { ...asked, by });
  });
  if (answer.is === 'none') {
    throw new CliError(`${answer.store} has no order with the id ${asked.said}, and none of this number that changed in the last ${answer.days} days`);
  }
  printLines(context, [
    answer.id === null
      ? 'The store has it; it is taken in as soon as a worker runs (`orderbridge start`).'
      : `The store has it: \`orderbridge order id:${answer.id}\` shows what becomes of it.`,
  ]);
}

type Deps = Omit<Parameters<typeof readNow>[0], 'storefronts'>;

export async function readStore(context: CliContext, deps: Deps, { named, since: wanted }: { named: string; since: string | undefined }): Promise<void> {
  const { name, since, isAnew } = await readNow({ ...deps, storefronts }, { named, since: wanted, by: cliActor() });
  printLines(context, [
    `What changed in ${name} since ${localTime(since)} is read by a worker now${isAnew ? '; what was being read of it begins anew' : ''}; \`orderbridge connections\` shows when it was read.`,
  ]);
}
