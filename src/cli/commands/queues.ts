import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { type QueueState, queueStates, resumeQueue } from '../../operations/health/queue-states.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { printTable } from '../output/print-table.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

type Options = { resume?: string; json?: true };

/** `orderbridge queues` */
export function queuesCommand(context: CliContext): Command {
  return new Command('queues')
    .description(
      'Lists the queues with their jobs, and whether one is paused: nothing is taken from it then, though webhooks are still accepted. ' +
        'Nothing here pauses a queue; another tool for BullMQ can.',
    )
    .option('--resume <queue>', 'take work from a paused queue again')
    .option('--json', 'print JSON: name, isPaused, jobs by state')
    .action((options: Options) => withCore(context, (core) => queues(context, core, options)));
}

async function queues(context: CliContext, core: Core, { resume, json }: Options): Promise<void> {
  const { wasPaused, states } = await withQueues(context, core, async (opened) => {
    const every = everyQueue(opened);
    return {
      wasPaused: resume === undefined ? null : await resumeQueue({ pool: core.pool, queues: every, by: cliActor() }, resume),
      states: await queueStates(every),
    };
  });
  if (json) return printJson(context, states);
  const { queues: say } = wordsFor(context).work;
  if (wasPaused !== null && resume !== undefined) printLines(context, [wasPaused ? say.resumed(resume) : say.notPaused(resume), '']);
  printTable(context, {
    header: ['queue', 'state', 'waiting', 'active', 'delayed', 'failed'],
    rows: states.map(row),
    tones: { state: (state) => (state === 'paused' ? 'bad' : undefined) },
  });
}

function row({ name, isPaused, jobs: { waiting, prioritized, active, delayed, failed } }: QueueState): string[] {
  return [name, isPaused ? 'paused' : 'running', ...[waiting + prioritized, active, delayed, failed].map(String)];
}
