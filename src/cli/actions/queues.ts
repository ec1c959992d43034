import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { type QueueState, queueStates, resumeQueue } from '../../operations/destinations/destinations.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withQueues } from '../with-queues.ts';

export type Options = { resume?: string; json?: true };

export async function queues(context: CliContext, core: Core, { resume, json }: Options): Promise<void> {
  const { wasPaused, states } = await withQueues(core, async (opened) => {
    const every = everyQueue(opened);
    return {
      wasPaused: resume === undefined ? null : await resumeQueue({ pool: core.pool, queues: every, by: cliActor() }, resume),
      states: await queueStates(every),
    };
  });
  if (json) return printJson(context, states);
  if (wasPaused !== null && resume !== undefined) printLines(context, [wasPaused ? `${resume} is resumed.` : `${resume} was not paused.`, '']);
  printTable(context, {
    header: ['queue', 'state', 'waiting', 'active', 'delayed', 'failed'],
    rows: states.map(row),
    tones: { state: (state) => (state === 'paused' ? 'bad' : undefined) },
  });
}

function row({ name, isPaused, jobs: { waiting, prioritized, active, delayed, failed } }: QueueState): string[] {
  return [name, isPaused ? 'paused' : 'running', ...[waiting + prioritized, active, delayed, failed].map(String)];
}
