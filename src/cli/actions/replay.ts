import type { Core } from '../../app/core.ts';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { replayDelivery } from '../../operations/orders/replay-delivery.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withQueues } from '../with-queues.ts';
import { en } from '../words/en.ts';

export async function replay(context: CliContext, core: Core, id: string): Promise<void> {
  const addDeliveries = (job: DeliveriesJob) => withQueues(core, (queues) => queues.addDeliveries(job));
  const { ignored } = await replayDelivery({ ...core, addDeliveries, by: cliActor() }, id);
  const { delivery: say } = en.reading;
  printLines(context, [ignored === null ? say.replayed(id) : say.needsNothing(id, ignored)]);
}
