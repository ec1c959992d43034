import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Queues } from '../../app/queues.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printJson, printTable } from '../../platform/terminal/print.ts';
import { seconds } from '../input/arguments.ts';
import { stateTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';
import { withQueues, withWorkers } from '../with-queues.ts';

export function drainCommand(context: CliContext): Command {
  return new Command('drain')
    .description(
      'Waits until no work is left: no order whose record is pending (orders in review and unconfirmed ones aside), no webhook or submission that waits, ' +
        'runs or is due. Throttled and retried work counts as left. Then prints how many orders are in each state. ' +
        'Without a running server on this DATA_DIR it does the work itself.',
    )
    .option('--timeout <seconds>', 'how long to wait; then the remaining work is printed, with exit code 1', seconds, 60)
    .option('--json', 'print JSON: drained, states, and the work that is left')
    .action((options: Options) => withCore(context, (core) => drain(context, core, options)));
}

type Options = { timeout: number; json?: true };

async function drain(context: CliContext, core: Core, { timeout, json }: Options): Promise<void> {
  const { nothingLeft } = await import('../../operations/orders/left-to-do.ts');
  const { left, states } = await withQueues(core, (queues) => drained(context, { core, queues, timeoutMs: timeout * 1000 }));
  const isDrained = nothingLeft(left);
  if (json) printJson(context, { drained: isDrained, states, ...left });
  else
    printTable(context, {
      header: ['state', 'orders'],
      rows: Object.entries(states).map(([state, count]) => [state, String(count)]),
      tones: { state: stateTone },
    });
  if (!isDrained) throw new CliError(`${context.signal.aborted ? 'interrupted' : `not drained within ${timeout} s`}: ${leftWords(left)}`);
}

function leftWords({ pending, deliveries, submissions, inbox }: Awaited<ReturnType<typeof import('../../operations/orders/left-to-do.ts').leftToDo>>): string {
  return (
    `${pending} orders are pending, ${deliveries} webhook jobs, ${submissions} submission jobs and ${inbox} inbox rows are left; ` +
    '`orderbridge orders --state queued` shows the orders, `orderbridge connections` whether a compliance service is paused'
  );
}

async function drained({ signal }: CliContext, { core, queues, timeoutMs }: { core: Core; queues: Queues; timeoutMs: number }) {
  const { countStates } = await import('../../bridge/ledger/orders/read-orders.ts');
  const { leftToDo, untilNothingLeft } = await import('../../operations/orders/left-to-do.ts');
  return withWorkers(core, queues, async () => {
    const left = await untilNothingLeft(() => leftToDo(core, queues), { timeoutMs, signal });
    return { left, states: await countStates(core.pool) };
  });
}
