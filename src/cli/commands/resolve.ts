import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { resolveOrder } from '../../bridge/ledger/resolve-order.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { oneOrder } from '../one-order.ts';
import { wakeOrders } from '../wake-orders.ts';
import { withCore } from '../with-core.ts';

type Options = { recorded?: string; notRecorded?: true };

/** `orderbridge resolve` */
export function resolveCommand(context: CliContext): Command {
  return new Command('resolve')
    .description(
      'For an unconfirmed order: a create was sent and its reply was lost, so nobody knows whether it is recorded. ' +
        'Look at the compliance service, say what you found, and the order is planned again from there.',
    )
    .argument('<order>', 'the order: id:N (its id in the ledger), its platform order id, or its number')
    .option('--recorded <id>', 'it is recorded, with this id at the compliance service')
    .option('--not-recorded', 'it is not recorded')
    .action((named: string, options: Options) => {
      const recorded = answerOf(options);
      return withCore(context, (core) => resolve(context, core, { named, recorded }));
    });
}

/** The id under which it is recorded, or null. */
function answerOf({ recorded, notRecorded }: Options): string | null {
  if ((recorded === undefined) === (notRecorded === undefined)) throw new CliError('say what became of it: --recorded ID, or --not-recorded');
  if (recorded?.trim() === '') throw new CliError('--recorded is empty; give the id that the compliance service shows');
  return recorded ?? null;
}

async function resolve(context: CliContext, core: Core, { named, recorded }: { named: string; recorded: string | null }): Promise<void> {
  const view = await oneOrder(core, named);
  const resolved = await resolveOrder(core.pool, view.id, { recorded });
  if (resolved !== 'resolved') throw new CliError(`the order ${named} is ${view.state}, not unconfirmed: there is nothing to resolve`);
  const summary = { number: view.number, total: view.facts.snapshot?.total ?? null, currency: view.facts.snapshot?.currency ?? null, lines: [] };
  await wakeOrders(context, core, [{ id: view.id, dueAt: 0, summary }]);
  printLines(context, [`The order ${named} is ${recorded === null ? 'not recorded' : `recorded as ${recorded}`}; it is planned again.`]);
}
