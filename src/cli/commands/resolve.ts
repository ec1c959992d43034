import { Command } from 'commander';
import { type Looked, lookForRecord } from '../../operations/orders/look-for-record.ts';
import { resolveOrder } from '../../operations/orders/resolve-order.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { Mistyped } from '../input/mistyped.ts';
import { ORDER } from '../input/order-input.ts';
import { withCore } from '../with-core.ts';
import { withWake } from '../with-queues.ts';
import { type CliWords, wordsFor } from '../words/words.ts';

type Options = { recorded?: string; notRecorded?: true; look?: true; why?: string };

/** `orderbridge resolve` */
export function resolveCommand(context: CliContext): Command {
  return new Command('resolve')
    .description(
      'For an unconfirmed order: a create or delete was sent and its reply was lost, and its repeat was refused or is not made, or a delete is answered with ' +
        'a 404 that may not be the service’s own, so it is not known whether a record exists. Look at the compliance service, say what you found, and the order is decided again from there.',
    )
    .argument('<order>', ORDER)
    .option('--recorded <id>', 'a record exists, with this id at the compliance service')
    .option('--not-recorded', 'no record exists')
    .option('--look', 'only look for it at the service, where that lists its records; nothing is changed')
    .option('--why <words>', 'how you know, for the trail')
    .action((named: string, options: Options) =>
      options.look === true
        ? look(context, named, options)
        : resolve(context, { named, recorded: answerOf(options), by: cliActor(), ...(options.why === undefined ? {} : { why: options.why }) }),
    );
}

/** The id under which it is recorded, or null. */
function answerOf({ recorded, notRecorded }: Options): string | null {
  if ((recorded === undefined) === (notRecorded === undefined)) throw new Mistyped('say whether it is recorded: --recorded ID, or --not-recorded');
  if (recorded?.trim() === '') throw new Mistyped('--recorded is empty; give the id that the compliance service shows');
  return recorded?.trim() ?? null;
}

async function resolve(context: CliContext, found: Parameters<typeof resolveOrder>[1]): Promise<void> {
  const { named, recorded } = found;
  await withWake(context, async (core, wake) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    await resolveOrder({ ...access, pool: core.pool, wake }, found);
  });
  printLines(context, [wordsFor(context).order.resolved(named, recorded)]);
}

async function look(context: CliContext, named: string, { recorded, notRecorded }: Options): Promise<void> {
  if (recorded !== undefined || notRecorded !== undefined) throw new Mistyped('--look only looks: say what you found with another command');
  const looked = await withCore(context, async (core) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    return await lookForRecord({ ...access, pool: core.pool }, named);
  });
  printLines(context, [lookedWords(looked, wordsFor(context).order)]);
}

function lookedWords(looked: Looked, { looked: words }: CliWords['order']): string {
  if (looked.is === 'found') return words.found(looked.id);
  return looked.is === 'several' ? words.several(looked.ids.join(', ')) : words[looked.is];
}
