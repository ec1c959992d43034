import { type Outcome, settleOrder } from '../../operations/orders/settle-order.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { givenWhy } from '../input/order-input.ts';
import { choosesMany, type ManyOptions, settleMany } from '../settle-many.ts';
import { withNotify } from '../with-queues.ts';

export type Options = ManyOptions & { recorded?: string; notASale?: true; elsewhere?: true; why?: string };
type Said = { named: string; outcome: Outcome; why: string };

export function settleOneOrMany(context: CliContext, named: string | undefined, options: Options): Promise<void> {
  const outcome = outcomeOf(options);
  const why = givenWhy(options.why);
  if (named !== undefined && !choosesMany(options)) return settle(context, { named, outcome, why });
  if (named !== undefined || !choosesMany(options)) throw new CliError('say what to settle: one ORDER, or --code CODE');
  if (outcome.how === 'recorded') throw new CliError('--recorded is the record of one ORDER; of many, say --not-a-sale or --elsewhere');
  return settleMany(context, options, { how: outcome.how, why });
}

function outcomeOf({ recorded, notASale, elsewhere }: Options): Outcome {
  if ([recorded, notASale, elsewhere].filter((option) => option !== undefined).length !== 1)
    throw new CliError('say what became of it: --recorded ID, --not-a-sale, or --elsewhere');
  if (recorded === undefined) return { how: notASale ? 'not-a-sale' : 'elsewhere' };
  if (recorded.trim() === '') throw new CliError('--recorded is empty; give the id that the compliance service shows');
  return { how: 'recorded', recorded: recorded.trim() };
}

async function settle(context: CliContext, said: Said): Promise<void> {
  const { isRead } = await withNotify(context, async (core, notify) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    return await settleOrder({ ...access, pool: core.pool, connections: core.connections, notify, now: Date.now }, { ...said, by: cliActor() });
  });
  if (isRead === false) note(context, 'The compliance service does not show its records, so your word is taken for it.');
  printLines(context, [`The order ${said.named} is settled: ${words(said.outcome)}`]);
}

function words(outcome: Outcome): string {
  if (outcome.how === 'recorded') return `recorded as ${outcome.recorded}, which counts as orderbridge’s own: a later refund deletes or replaces it.`;
  return `it is ${outcome.how === 'elsewhere' ? 'recorded elsewhere' : 'no sale'}. If anything new comes of it, it waits for a person again.`;
}
