import type { Core } from '../../app/core.ts';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { replayDelivery } from '../../operations/orders/replay-delivery.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withQueues } from '../with-queues.ts';

export async function replay(context: CliContext, core: Core, id: string): Promise<void> {
  const addDeliveries = (job: DeliveriesJob) => withQueues(core, (queues) => queues.addDeliveries(job));
  const { ignored } = await replayDelivery({ ...core, addDeliveries, by: cliActor() }, id);
  printLines(context, [ignored === null ? `The delivery ${id} is queued again.` : `The delivery ${id} needs nothing: ${ignored}.`]);
}
