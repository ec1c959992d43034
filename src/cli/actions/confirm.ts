import { confirmOrder, type Looked, lookForRecord } from '../../operations/orders/confirm-order.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withCore } from '../with-core.ts';
import { withNotify } from '../with-queues.ts';

export type Options = { recorded?: string; notRecorded?: true; look?: true; why?: string };

/** The id under which it is recorded, or null. */
function answerOf({ recorded, notRecorded }: Options): string | null {
  if ((recorded === undefined) === (notRecorded === undefined)) throw new CliError('say whether it is recorded: --recorded ID, or --not-recorded');
  if (recorded?.trim() === '') throw new CliError('--recorded is empty; give the id that the compliance service shows');
  return recorded?.trim() ?? null;
}

export async function confirm(context: CliContext, named: string, options: Options): Promise<void> {
  if (options.look === true) return look(context, named, options);
  const recorded = answerOf(options);
  const found = { named, recorded, by: cliActor(), ...(options.why === undefined ? {} : { why: options.why }) };
  await withNotify(context, async (core, notify) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    await confirmOrder({ ...access, pool: core.pool, notify }, found);
  });
  printLines(context, [`The order ${named} is ${recorded === null ? 'not recorded' : `recorded as ${recorded}`}; it is decided again.`]);
}

async function look(context: CliContext, named: string, { recorded, notRecorded }: Options): Promise<void> {
  if (recorded !== undefined || notRecorded !== undefined) throw new CliError('--look only looks: say what you found with another command');
  const looked = await withCore(context, async (core) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    return await lookForRecord({ ...access, pool: core.pool }, named);
  });
  printLines(context, [lookedWords(looked)]);
}

function lookedWords(looked: Looked): string {
  switch (looked.is) {
    case 'found':
      return `The service has it, as ${looked.id}.`;
    case 'several':
      return `The service has several records of it: ${looked.ids.join(', ')}. Delete all but one there first.`;
    case 'none':
      return 'The service lists its records, and has none of this order.';
    case 'unlisted':
      return 'The service does not list its records: look there yourself.';
  }
}
