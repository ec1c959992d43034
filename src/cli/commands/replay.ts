import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { replayDelivery } from '../../operations/orders/replay-delivery.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

/** `orderbridge replay` */
export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description(
      'Reads a kept webhook again as if it came now, but with its own time of arrival, so that it does not overtake later ones. ' +
        'For webhooks that could not be read, after an upgrade; replaying any other changes nothing that is right.',
    )
    .argument('<delivery>', 'id of the delivery (`orderbridge parked` and `orderbridge order` show it)')
    .action((id: string) => withCore(context, (core) => replay(context, core, id)));
}

async function replay(context: CliContext, core: Core, id: string): Promise<void> {
  const addDeliveries = (job: DeliveriesJob) => withQueues(context, core, (queues) => queues.addDeliveries(job));
  const { ignored } = await replayDelivery({ ...core, addDeliveries, by: cliActor() }, id);
  const { delivery: say } = wordsFor(context).reading;
  printLines(context, [ignored === null ? say.replayed(id) : say.needsNothing(id, ignored)]);
}
