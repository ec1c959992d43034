import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { instant } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

export function readCommand(context: CliContext): Command {
  return new Command('read')
    .description(
      'Has a worker read a store again as soon as one is free: what changed in it, and what is gone. A reading that is under way begins anew. It does not wait for it; `orderbridge reconcile` ' +
        'does, and says what differs.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--from <instant>', 'what changed from then on, such as 2026-11-01T00:00:00+02:00; if left out: since the beginning of last month', instant)
    .action((named: string, { from }: { from?: string }) =>
      withCore(context, ({ pool, connections }) => readStore(context, { pool, connections }, { named, since: from })),
    );
}

export function fetchCommand(context: CliContext): Command {
  return new Command('fetch')
    .description(
      'Asks a store for one order that no webhook announced, and processes what it says, as if a webhook had come: by the order’s id in the store’s ' +
        'platform, or by its number if it changed in the last 31 days, or fewer if more than 1,000 orders did. Needs the keys of the store’s API (`orderbridge reconnect`).',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .argument('<order>', 'the order: its id in the store’s platform, or its number (a shell needs quotes around #)')
    .action((connection: string, order: string) => withCore(context, (core) => fetchOne(context, core, { connection, said: order })));
}

async function fetchOne(context: CliContext, core: Core, asked: { connection: string; said: string }): Promise<void> {
  const { askForOrder } = await import('../../operations/reconciliation/ask-store.ts');
  const answer = await withQueues(core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    const by = cliActor();
    await using deps = await openReconcile(core, queues, { signal: context.signal, by });
    return await askForOrder(deps, { ...asked, by });
  });
  if (answer.is === 'none') {
    const byNumber =
      answer.days === 0
        ? '; more than 1,000 orders changed lately, too many to search by number: ask by its id'
        : `, and none with this number that changed in the last ${answer.days} days`;
    throw new CliError(`${answer.store} has no order with the id ${asked.said}${byNumber}`);
  }
  printLines(context, [
    answer.id === null
      ? 'The store has it; it is processed as soon as a worker runs (`orderbridge start`).'
      : `The store has it: \`orderbridge order id:${answer.id}\` shows its progress.`,
  ]);
}

type Deps = Omit<Parameters<typeof import('../../operations/reconciliation/ask-store.ts').readNow>[0], 'storefronts'>;

async function readStore(context: CliContext, deps: Deps, { named, since: wanted }: { named: string; since: string | undefined }): Promise<void> {
  const { storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { readNow } = await import('../../operations/reconciliation/ask-store.ts');
  const { name, since, isAnew } = await readNow({ ...deps, storefronts }, { named, since: wanted, by: cliActor() });
  printLines(context, [
    `What changed in ${name} since ${localTime(since)} is read by a worker now${isAnew ? '; what was being read of it begins anew' : ''}; \`orderbridge connections\` shows when it was read.`,
  ]);
}
