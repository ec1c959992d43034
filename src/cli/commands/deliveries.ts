import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/deliveries.ts';
import { wholeNumber } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/deliveries.ts');

/** `orderbridge deliveries` */
export function deliveriesCommand(context: CliContext): Command {
  return new Command('deliveries')
    .description(
      'Lists the last webhooks of a connection, the newest first: what each accepted one did, and why others were refused. ' +
        'Orders that were read from the store have the topic reconcile. The last 50 refused ones are kept, without their bodies; ' +
        'new ones show within 5 seconds. Webhooks that concern no order, and requests to an unknown address, are kept nowhere.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--refused', 'only refused ones')
    .option('--limit <n>', 'how many at most', wholeNumber, 100)
    .option('--json', 'print JSON: an array of deliveries')
    .action((id: string, options: Options) => withCore(context, async (core) => (await actions()).deliveries(context, core, { id, ...options })));
}
