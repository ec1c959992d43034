import { Command } from 'commander';
import { counted, form } from '../../contract/plural.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { seconds } from '../input/arguments.ts';
import { ALL_AT_ONCE, givenWhy, goesWith, type OneFirstOptions, ORDER, WAIT } from '../input/shared-options.ts';
import { withNotify } from '../with-queues.ts';

export function releaseCommand(context: CliContext): Command {
  return new Command('release')
    .description(
      'Decides orders in review again, after their cause was put right: one order, or all that need review for one reason. ' +
        'Of more than 20, one of each store goes first, and the rest follow once it is recorded; if it is not, two more are tried, then the rest stay in review. ' +
        'Of an order that came under the id of another one (order.other), --other or --same says whether it is a sale of its own. ' +
        'Of a cancelled one whose refund was not seen (removal.unproven), --keep or --remove decides this one, and of one paid in parts (payment.divided) --keep; anything new of it undoes that. ' +
        'Of an order that was resolved, kept or removed, it undoes that.',
    )
    .argument('[order]', ORDER)
    .option('--code <code>', 'every order that needs review with this code (`orderbridge review` shows them)')
    .option('--connection <connection>', 'with --code: those of one store, by the id or name of its connection')
    .option(...ALL_AT_ONCE)
    .option(...WAIT, seconds)
    .option('--other', 'it is a sale of its own: ID~2, here and at the compliance service; also for an order in review as compliance.conflict')
    .option('--same', 'it is the same sale as the first order of its id, whose record is made equal to it')
    .option('--keep', 'it is still a sale (removal.unproven), or one to record here (payment.divided): it is recorded as far as no refund is known')
    .option(
      '--remove',
      'it is no sale: its record is deleted, as if all of it were refunded; also for other orders in review that have a record, and for recorded ones',
    )
    .option('--why <words>', 'why you decide so; needed with --keep and --remove')
    .action((named: string | undefined, options: Options) => release(context, named, options));
}

type Options = ReleaseCodeOptions & { code?: string; other?: true; same?: true; keep?: true; remove?: true; why?: string };

function release(context: CliContext, named: string | undefined, options: Options): Promise<void> {
  const { code, other, same, keep, remove, connection, allAtOnce, wait } = options;
  if (code === undefined) goesWith('--code', { '--connection': connection, '--all-at-once': allAtOnce, '--wait': wait });
  if (keep !== undefined || remove !== undefined) return removal(context, named, options);
  if (other !== undefined || same !== undefined) return splitOrMerge(context, named, options);
  if (named !== undefined && code === undefined) return releaseOne(context, named, options);
  if (code === undefined || named !== undefined) throw new CliError('say what to release: one ORDER, or --code CODE');
  return releaseByCode(context, code, options);
}

async function splitOrMerge(context: CliContext, named: string | undefined, { code, other, same, why }: Options): Promise<void> {
  const { mergeOrder, splitOrder } = await import('../../operations/orders/split-or-merge.ts');
  if (named === undefined || code !== undefined || (other && same)) throw new CliError('say which order, and what it is: ORDER --other, or ORDER --same');
  const { orderId } = await withNotify(context, ({ pool }, notify) => (other ? splitOrder : mergeOrder)({ pool, notify }, named, { by: cliActor(), why }));
  printLines(context, [other ? `It is a sale of its own, the order ${orderId}; it is decided again.` : `It is the order ${orderId}, which is decided again.`]);
}

async function removal(context: CliContext, named: string | undefined, { code, other, same, keep, remove, why }: Options): Promise<void> {
  const { decideRemoval } = await import('../../operations/orders/resolve-order.ts');
  const isAlone = [code, other, same, keep && remove].every((option) => option === undefined);
  if (named === undefined || !isAlone) throw new CliError('say which order, and what it is: ORDER --keep, or ORDER --remove');
  const said = { named, how: keep ? 'kept' : 'removed', by: cliActor(), why: givenWhy(why) } as const;
  await withNotify(context, ({ pool }, notify) => decideRemoval({ pool, notify }, said));
  printLines(context, [
    keep ? `The order ${named} is still a sale; it is decided again by that.` : `The order ${named} is no sale; a record of it is deleted.`,
  ]);
}

async function releaseOne(context: CliContext, named: string, { why }: Options): Promise<void> {
  const { releaseOrder } = await import('../../operations/orders/release-orders.ts');
  const said = { by: cliActor(), ...(why === undefined ? {} : { why }) };
  await withNotify(context, ({ pool }, notify) => releaseOrder({ pool, notify }, named, said));
  printLines(context, [`The order ${named} is decided again.`]);
}

/** The flags of `release` for all orders of a code. */
type ReleaseCodeOptions = OneFirstOptions & { connection?: string; why?: string };

/** `orderbridge release --code` */
async function releaseByCode(context: CliContext, code: string, { connection, why, ...options }: ReleaseCodeOptions): Promise<void> {
  const { firstTryOf, reportNotReleased } = await import('../not-released.ts');
  const { mustReview, releaseCode } = await import('../../operations/orders/release-orders.ts');
  mustReview(code);
  const request = { code, connection: connection ?? null, by: cliActor(), ...(why === undefined ? {} : { why }), firstTry: firstTryOf(context, options) };
  const { released, stores, notReleased } = await withNotify(context, ({ pool, connections }, notify) => releaseCode({ pool, notify, connections }, request));
  const of = stores.map(({ name, connectionId, released: count }) => `${count} of ${oneLine(name)} (${connectionId})`).join(', ');
  printLines(context, [
    `${counted.en(released, 'order that was', 'orders that were')} in review as ${code} ${form.en(released, 'is', 'are')} decided again${of === '' ? '' : `: ${of}`}.`,
  ]);
  reportNotReleased(notReleased, options);
}
