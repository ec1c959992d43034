import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Json, ResumeOptions } from '../actions/destinations.ts';
import { whyOption } from '../input/why.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/destinations.ts');

const NAMED = ['[destination]', 'its address, or the beginning of its id; not needed if there is one'] as const;

/** `orderbridge destinations` */
export function destinationsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description(
      'Lists the compliance services that stores have, each with the end of its key, its stores, and how many requests of the last hour it took; and what is ' +
        'paused there: since when, why, how many orders wait, and when one of them tries it again.',
    )
    .option('--json', 'print JSON: destinationId, address (null: our own), keyEnd, stores, pauses, lastHour, lastProbe')
    .action((options: Json) => withCore(context, async (core) => (await actions()).listAll(context, core, options)));
  const probe = new Command('probe')
    .description(
      'Asks a compliance service whether it answers and takes the key, by deleting an order that can’t exist, and prints the answer and how long it took. Where ' +
        'it is paused, one order of each pause is sent now: what it is answered ends the pause, or makes it longer. Exit code 1 if it does not work.',
    )
    .argument(...NAMED)
    .option('--json', 'print JSON: destinationId, address, works, status, ms, detail, probed')
    .action((named: string | undefined, options: Json) => withCore(context, async (core) => (await actions()).probeOne(context, core, { named, ...options })));
  const resume = new Command('resume')
    .description('Ends the pauses of a compliance service: all orders that wait for it are sent now. If it still fails, it is paused again.')
    .argument(...NAMED)
    .option('--shop <id>', 'end the pauses of this shop alone')
    .addOption(whyOption())
    .option('--json', 'print JSON: destinationId, address, ended')
    .action((named: string | undefined, options: ResumeOptions) =>
      withCore(context, async (core) => (await actions()).resumeOne(context, core, { named, ...options })),
    );
  return new Command('destinations')
    .description('The compliance services that records are sent to: what is paused, whether they answer, and the end of a pause.')
    .addCommand(list, { isDefault: true })
    .addCommand(probe)
    .addCommand(resume);
}
