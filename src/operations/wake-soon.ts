import type { Wake, Waking } from '../bridge/delivery/wake.ts';
import { errorWords } from '../platform/error-words.ts';
import { within } from '../platform/within.ts';

const QUEUE_MS = 5_000;

/** Queues orders at once. Returns why the queue took none: then the sweeper does it later, since the ledger has them as behind. */
export async function wakeSoon(wake: Wake, orders: readonly Waking[]): Promise<string | null> {
  if (orders.length === 0) return null;
  try {
    await within(QUEUE_MS, wake(orders));
    return null;
  } catch (thrown) {
    return `The queue does not answer (${errorWords(thrown)}); a running worker picks the orders up within seconds after it is back.`;
  }
}
