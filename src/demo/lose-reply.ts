import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from '../app/ops/metrics.ts';
import { createSubmitter, type SubmitterOptions } from '../app/submitter.ts';
import { findOrder } from '../bridge/ledger/kept-order.ts';
import { type DemoRun, stopIfAborted } from './play-stories.ts';

/** The service does what it is sent, and the worker never hears of it; nor may it send it again. */
const losing: NonNullable<SubmitterOptions['between']> = (gateway) => ({
  ...gateway,
  honoursIdempotency: async () => false,
  async send(...request) {
    await gateway.send(...request);
    return { kind: 'lost', error: 'the connection was closed before the answer came' };
  },
});

const LOOK_MS = 50;

type Sent = { connectionId: string; orderId: string; send(): Promise<void> };

/**
 * An order whose reply is lost, so that nobody knows whether it is recorded. Our own service takes the same request twice and never leaves this doubt: one
 * attempt is made by a worker that does not know so, while the others pause.
 */
export async function loseReply({ world: { app, queues }, signal }: DemoRun, { connectionId, orderId, send }: Sent): Promise<void> {
  const submitter = createSubmitter({ core: app.core, queues, metrics: createMetrics(), embeddedUrl: async () => app.url, between: losing });
  await using _ = submitter;
  await queues.submissions.pause();
  try {
    await send();
    let order = await findOrder(app.core.pool, connectionId, orderId);
    while (order === null) {
      await sleep(LOOK_MS);
      stopIfAborted(signal);
      order = await findOrder(app.core.pool, connectionId, orderId);
    }
    await submitter.attempt({ orderId: order.id });
  } finally {
    await queues.submissions.resume();
  }
}
