import pRetry from 'p-retry';
import type { Reply } from '../order/outcome.ts';

type Options = {
  /** Which reply allows a repeat without harm. */
  mayRepeat: (reply: Reply) => boolean;
  /** Which reply shows what became of the request, even if the reply to an earlier try was lost. */
  isConclusive: (reply: Reply) => boolean;
  /** Limit of all tries together. */
  withinMs: number;
  signal: AbortSignal | undefined;
};

class Retry extends Error {}

/** Calls up to three times, with short pauses, within the time; `call` gets what is left of it. Of tries that differ, an uncertain one counts. */
export async function retryCall(call: (leftMs: number) => Promise<Reply>, { mayRepeat, isConclusive, withinMs, signal }: Options): Promise<Reply> {
  const deadline = performance.now() + withinMs;
  let last: Reply = { kind: 'not-sent', error: 'given up before it was sent: this process is shutting down' };
  const attempt = async (): Promise<void> => {
    const reply = await call(Math.max(1, Math.ceil(deadline - performance.now())));
    // A later try that was not sent, or that is refused, does not show the outcome of an earlier one that may have been done.
    if (last.kind === 'not-sent' || isConclusive(reply)) last = reply;
    if (mayRepeat(reply)) throw new Retry('not sent, or safe to repeat');
  };
  try {
    const pauses = { retries: 2, minTimeout: 50, maxTimeout: 500, factor: 3, randomize: true };
    await pRetry(attempt, { ...pauses, maxRetryTime: withinMs, ...(signal === undefined ? {} : { signal }) });
  } catch (thrown) {
    if (!(thrown instanceof Retry) && signal?.aborted !== true) throw thrown;
  }
  return last;
}
