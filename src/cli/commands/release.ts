import { Command } from 'commander';
import { decideRemoval } from '../../operations/orders/decide-removal.ts';
import { releaseOrder } from '../../operations/orders/release-orders.ts';
import { toldOther, toldSame } from '../../operations/orders/tell-apart.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { seconds } from '../input/arguments.ts';
import { Mistyped } from '../input/mistyped.ts';
import { givenWhy, ORDER } from '../input/order-input.ts';
import { ALL_AT_ONCE, WAIT } from '../one-first.ts';
import { type ReleaseCodeOptions, releaseByCode } from '../release-code.ts';
import { withWake } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

type Options = ReleaseCodeOptions & { code?: string; other?: true; same?: true; keep?: true; remove?: true; why?: string };

/** `orderbridge release` */
export function releaseCommand(context: CliContext): Command {
  return new Command('release')
    .description(
      'Decides parked orders again, after their cause was put right: one order, or all that are parked for one reason. ' +
        'Of more than 20, one of each store goes first, and the rest follow once it is recorded; if it is not, two more are tried, then the rest stay parked. ' +
        'Of an order that came under the id of another one (order.other), --other or --same says whether it is a sale of its own. ' +
        'Of a cancelled one whose refund was not seen (removal.unproven), --keep or --remove decides this one; anything new of it undoes that. ' +
        'Of an order that was settled, kept or removed, it takes that word back.',
    )
    .argument('[order]', ORDER)
    .option('--code <code>', 'every order that is parked with this code (`orderbridge parked` shows them)')
    .option('--connection <connection>', 'with --code: those of one store, by the id or name of its connection')
    .option(...ALL_AT_ONCE)
    .option(...WAIT, seconds)
    .option('--other', 'it is a sale of its own: ID~2, here and at the compliance service; also for an order parked as compliance.conflict')
    .option('--same', 'it is the same sale as the first order of its id, whose record is made equal to it')
    .option('--keep', 'it is still a sale (removal.unproven): it is recorded as far as no refund is known')
    .option('--remove', 'it is no sale: its record is deleted, as if all of it were refunded; also for other parked orders that have a record')
    .option('--why <words>', 'why you decide so; needed with --keep and --remove')
    .action((named: string | undefined, options: Options) => release(context, named, options));
}

function release(context: CliContext, named: string | undefined, options: Options): Promise<void> {
  const { code, other, same, keep, remove } = options;
  if (keep !== undefined || remove !== undefined) return removal(context, named, options);
  if (other !== undefined || same !== undefined) return tellApart(context, named, options);
  if (named !== undefined && code === undefined) return releaseOne(context, named, options);
  if (code === undefined || named !== undefined) throw new Mistyped('say what to release: one ORDER, or --code CODE');
  return releaseByCode(context, code, options);
}

async function tellApart(context: CliContext, named: string | undefined, { code, other, same, why }: Options): Promise<void> {
  if (named === undefined || code !== undefined || (other && same)) throw new Mistyped('say which order, and what it is: ORDER --other, or ORDER --same');
  const { orderId } = await withWake(context, ({ pool }, wake) => (other ? toldOther : toldSame)({ pool, wake }, named, { by: cliActor(), why }));
  const { order: words } = wordsFor(context);
  printLines(context, [other ? words.apart(orderId) : words.joined(orderId)]);
}

async function removal(context: CliContext, named: string | undefined, { code, other, same, keep, remove, why }: Options): Promise<void> {
  const isAlone = [code, other, same, keep && remove].every((option) => option === undefined);
  if (named === undefined || !isAlone) throw new Mistyped('say which order, and what it is: ORDER --keep, or ORDER --remove');
  const said = { named, how: keep ? 'kept' : 'removed', by: cliActor(), why: givenWhy(why) } as const;
  await withWake(context, ({ pool }, wake) => decideRemoval({ pool, wake }, said));
  const { order: words } = wordsFor(context);
  printLines(context, [keep ? words.kept(named) : words.removed(named)]);
}

async function releaseOne(context: CliContext, named: string, { why }: Options): Promise<void> {
  const said = { by: cliActor(), ...(why === undefined ? {} : { why }) };
  await withWake(context, ({ pool }, wake) => releaseOrder({ pool, wake }, named, said));
  printLines(context, [wordsFor(context).order.decidedAgain(named)]);
}
