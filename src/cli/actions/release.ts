import { mustReview, releaseCode, releaseOrder } from '../../operations/orders/release-orders.ts';
import { decideRemoval } from '../../operations/orders/resolve-order.ts';
import { mergeOrder, splitOrder } from '../../operations/orders/split-or-merge.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { givenWhy, type OneFirstOptions } from '../input/shared-options.ts';
import { patienceOf, reportNotReleased } from '../not-released.ts';
import { plural } from '../text/plural.ts';
import { withNotify } from '../with-queues.ts';

export type Options = ReleaseCodeOptions & { code?: string; other?: true; same?: true; keep?: true; remove?: true; why?: string };

export function release(context: CliContext, named: string | undefined, options: Options): Promise<void> {
  const { code, other, same, keep, remove } = options;
  if (keep !== undefined || remove !== undefined) return removal(context, named, options);
  if (other !== undefined || same !== undefined) return splitOrMerge(context, named, options);
  if (named !== undefined && code === undefined) return releaseOne(context, named, options);
  if (code === undefined || named !== undefined) throw new CliError('say what to release: one ORDER, or --code CODE');
  return releaseByCode(context, code, options);
}

async function splitOrMerge(context: CliContext, named: string | undefined, { code, other, same, why }: Options): Promise<void> {
  if (named === undefined || code !== undefined || (other && same)) throw new CliError('say which order, and what it is: ORDER --other, or ORDER --same');
  const { orderId } = await withNotify(context, ({ pool }, notify) => (other ? splitOrder : mergeOrder)({ pool, notify }, named, { by: cliActor(), why }));
  printLines(context, [other ? `It is a sale of its own, the order ${orderId}; it is decided again.` : `It is the order ${orderId}, which is decided again.`]);
}

async function removal(context: CliContext, named: string | undefined, { code, other, same, keep, remove, why }: Options): Promise<void> {
  const isAlone = [code, other, same, keep && remove].every((option) => option === undefined);
  if (named === undefined || !isAlone) throw new CliError('say which order, and what it is: ORDER --keep, or ORDER --remove');
  const said = { named, how: keep ? 'kept' : 'removed', by: cliActor(), why: givenWhy(why) } as const;
  await withNotify(context, ({ pool }, notify) => decideRemoval({ pool, notify }, said));
  printLines(context, [
    keep ? `The order ${named} is still a sale; it is decided again by that.` : `The order ${named} is no sale; a record of it is deleted.`,
  ]);
}

async function releaseOne(context: CliContext, named: string, { why }: Options): Promise<void> {
  const said = { by: cliActor(), ...(why === undefined ? {} : { why }) };
  await withNotify(context, ({ pool }, notify) => releaseOrder({ pool, notify }, named, said));
  printLines(context, [`The order ${named} is decided again.`]);
}

/** The flags of `release` for all orders of a code. */
type ReleaseCodeOptions = OneFirstOptions & { connection?: string; why?: string };

/** `orderbridge release --code` */
async function releaseByCode(context: CliContext, code: string, { connection, why, ...options }: ReleaseCodeOptions): Promise<void> {
  mustReview(code);
  const request = { code, connection: connection ?? null, by: cliActor(), ...(why === undefined ? {} : { why }), patience: patienceOf(context, options) };
  const { released, stores, notReleased } = await withNotify(context, ({ pool, connections }, notify) => releaseCode({ pool, notify, connections }, request));
  const of = stores.map(({ name, connectionId, released: count }) => `${count} of ${oneLine(name)} (${connectionId})`).join(', ');
  printLines(context, [
    `${plural(released, 'order that was', 'orders that were')} in review as ${code} ${released === 1 ? 'is' : 'are'} decided again${of === '' ? '' : `: ${of}`}.`,
  ]);
  reportNotReleased(notReleased, options);
}
