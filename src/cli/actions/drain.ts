import type { Core } from '../../app/core.ts';
import type { Queues } from '../../app/queues.ts';
import { countStates } from '../../bridge/ledger/orders/read-orders.ts';
import { leftToDo, nothingLeft, untilNothingLeft } from '../../operations/orders/left-to-do.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printJson, printTable } from '../../platform/terminal/print.ts';
import { stateTone } from '../text/tones.ts';
import { withQueues, withWorkers } from '../with-queues.ts';

export type Options = { timeout: number; json?: true };

export async function drain(context: CliContext, core: Core, { timeout, json }: Options): Promise<void> {
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

function leftWords({ pending, deliveries, submissions, inbox }: Awaited<ReturnType<typeof leftToDo>>): string {
  return (
    `${pending} orders are pending, ${deliveries} webhook jobs, ${submissions} submission jobs and ${inbox} inbox rows are left; ` +
    '`orderbridge orders --state queued` shows the orders, `orderbridge connections` whether a compliance service is paused'
  );
}

type Draining = { core: Core; queues: Queues; timeoutMs: number };

async function drained({ signal }: CliContext, { core, queues, timeoutMs }: Draining) {
  return withWorkers(core, queues, async () => {
    const left = await untilNothingLeft(() => leftToDo(core, queues), { timeoutMs, signal });
    return { left, states: await countStates(core.pool) };
  });
}
