import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Core } from '../../app/core.ts';
import { type Left, leftToDo, nothingLeft } from '../../app/left-to-do.ts';
import { openEngine } from '../../app/open-engine.ts';
import { openQueues } from '../../app/queues.ts';
import { findServer } from '../../app/running-server.ts';
import { countStates } from '../../bridge/ledger/order-view.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { textTable } from '../../platform/terminal/text-table.ts';
import { queueAnswers } from '../wake-orders.ts';
import { withCore } from '../with-core.ts';

type Options = { timeout: number; json?: true };

const LOOK_MS = 100;

/** `orderbridge drain` */
export function drainCommand(context: CliContext): Command {
  return new Command('drain')
    .description(
      'Waits until nothing is left to do: no order whose record is behind its facts (parked and unconfirmed ones aside), no webhook or submission that waits, ' +
        'runs or is due. Throttled and retrying work counts as left. Then prints how many orders stand in each state. ' +
        'Without a running server on this DATA_DIR it does the work itself meanwhile.',
    )
    .option('--timeout <seconds>', 'how long to wait; after it, what is left is told, with exit code 1', seconds, 60)
    .option('--json', 'print JSON: drained, states, and what is left')
    .action((options: Options) => withCore(context, (core) => drain(context, core, options)));
}

function seconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

async function drain(context: CliContext, core: Core, { timeout, json }: Options): Promise<void> {
  await using queues = openQueues(core);
  await queueAnswers(queues);
  await using _workers = (await nobodyWorks(core)) ? await openEngine(core, queues) : null;
  const left = await settle(context, () => leftToDo(core, queues), performance.now() + timeout * 1000);
  const states = await countStates(core.pool);
  const drained = nothingLeft(left);
  if (json) printJson(context, { drained, states, ...left });
  else
    printLines(
      context,
      textTable(
        ['state', 'orders'],
        Object.entries(states).map(([state, count]) => [state, String(count)]),
      ),
    );
  if (!drained) throw new CliError(notDrained(left, context.signal.aborted ? 'interrupted' : `not drained within ${timeout} s`));
}

/** Only the embedded database is surely nobody else's: another may have workers on any machine. */
async function nobodyWorks({ config: { database, dataDir } }: Core): Promise<boolean> {
  return database.kind === 'embedded' && (await findServer(dataDir)) === null;
}

async function settle({ signal }: CliContext, look: () => Promise<Left>, deadline: number): Promise<Left> {
  for (;;) {
    const left = await look();
    if (nothingLeft(left) || performance.now() >= deadline || signal.aborted) return left;
    await sleep(LOOK_MS);
  }
}

function notDrained({ behind, deliveries, submissions, inbox }: Left, what: string): string {
  return (
    `${what}: ${behind} orders are behind, ${deliveries} webhook jobs, ${submissions} submission jobs and ${inbox} inbox rows are left; ` +
    '`orderbridge orders --state queued` shows the orders, `orderbridge connections` whether a compliance service is left alone'
  );
}
