import pRetry from 'p-retry';
import { classify, type Reply } from '../../domain/outcome.ts';

type Options = {
  /** Deletes may be repeated whatever became of them. */
  retryLost: boolean;
  withinMs: number;
  signal: AbortSignal | undefined;
};

class TryAgain extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('not sent, or safe to repeat');
    this.reply = reply;
  }
}

/** Repeats what was surely not sent, and deletes of unknown outcome: three tries within a share of the call's time. */
export async function withRetries(call: () => Promise<Reply>, { retryLost, withinMs, signal }: Options): Promise<Reply> {
  try {
    return await pRetry(
      async () => {
        const reply = await call();
        const again = reply.kind === 'not-sent' || (retryLost && classify('delete', reply) === 'unknown');
        if (again) throw new TryAgain(reply);
        return reply;
      },
      { retries: 2, minTimeout: 50, maxTimeout: 500, factor: 3, randomize: true, maxRetryTime: withinMs / 2, ...(signal === undefined ? {} : { signal }) },
    );
  } catch (thrown) {
    if (thrown instanceof TryAgain) return thrown.reply;
    if (signal?.aborted === true) return { kind: 'lost', error: 'given up because this process is shutting down' };
    throw thrown;
  }
}
