import type { Wake, Waking } from '../bridge/delivery/wake.ts';
import { errorWords } from '../platform/error-words.ts';
import { within } from '../platform/within.ts';

const QUEUE_MS = 5_000;

/** Puts orders on the queue at once. Answers why it took none: then the sweeper does it later, for the ledger knows that they are behind. */
export async function wakeSoon(wake: Wake, orders: readonly Waking[]): Promise<string | null> {
  if (orders.length === 0) return null;
  try {
    await within(QUEUE_MS, wake(orders));
    return null;
  } catch (thrown) {
    return `The queue does not answer (${errorWords(thrown)}); a running worker picks the orders up within seconds after it is back.`;
  }
}
