import type { Core } from '../app/core.ts';
import type { Queues } from '../app/queues.ts';
import type { Waking } from '../bridge/delivery/wake.ts';
import { errorWords } from '../platform/error-words.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';
import { within } from '../platform/within.ts';

const QUEUE_MS = 5_000;

/** Puts orders on the queue at once. Should the queue be away, the sweeper does it later: the ledger knows that they are behind. */
export async function wakeOrders(context: CliContext, core: Core, orders: readonly Waking[]): Promise<void> {
  if (orders.length === 0) return;
  const { openQueues } = await import('../app/queues.ts');
  await using queues = openQueues(core);
  try {
    await within(QUEUE_MS, queues.wake(orders));
  } catch (thrown) {
    note(context, `The queue does not answer (${errorWords(thrown)}); a running worker picks the orders up within seconds after it is back.`);
  }
}

/** The queues for a command that can't do without them. */
export async function withQueues<T>(core: Core, work: (queues: Queues) => Promise<T>): Promise<T> {
  const { openQueues } = await import('../app/queues.ts');
  await using queues = openQueues(core);
  await queueAnswers(queues);
  return await work(queues);
}

/** An error in words if the queue is away. */
export async function queueAnswers({ system }: Pick<Queues, 'system'>): Promise<void> {
  try {
    await system.ping(QUEUE_MS);
  } catch (thrown) {
    throw new CliError(`the queue does not answer (${errorWords(thrown)}); check REDIS_URL, and that Redis runs`);
  }
}
