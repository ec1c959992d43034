import { mustReview, releaseCode } from '../operations/orders/release-code.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { printLines } from '../platform/terminal/print.ts';
import { oneLine } from '../platform/terminal/text-table.ts';
import { cliActor } from './actor.ts';
import type { OneFirstOptions } from './input/one-first-flags.ts';
import { patienceOf, reportHeld } from './one-first.ts';
import { plural } from './text/plural.ts';
import { withNotify } from './with-queues.ts';

/** The flags of `release` for all orders of a code. */
export type ReleaseCodeOptions = OneFirstOptions & { connection?: string; why?: string };

/** `orderbridge release --code` */
export async function releaseByCode(context: CliContext, code: string, { connection, why, ...options }: ReleaseCodeOptions): Promise<void> {
  mustReview(code);
  const request = { code, connection: connection ?? null, by: cliActor(), ...(why === undefined ? {} : { why }), patience: patienceOf(context, options) };
  const { released, stores, held } = await withNotify(context, ({ pool, connections }, notify) => releaseCode({ pool, notify, connections }, request));
  const of = stores.map(({ name, connectionId, released: count }) => `${count} of ${oneLine(name)} (${connectionId})`).join(', ');
  printLines(context, [
    `${plural(released, 'order that was', 'orders that were')} in review as ${code} ${released === 1 ? 'is' : 'are'} decided again${of === '' ? '' : `: ${of}`}.`,
  ]);
  reportHeld(held, options);
}
