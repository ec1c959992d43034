import { mustPark, releaseCode } from '../operations/orders/release-code.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { note, printLines } from '../platform/terminal/print.ts';
import { oneLine } from '../platform/terminal/text-table.ts';
import { cliActor } from './actor.ts';
import { type OneFirstOptions, patienceOf, reportHeld } from './one-first.ts';
import { withWake } from './with-queues.ts';

/** The flags of `release` for all orders of a code. */
export type ReleaseCodeOptions = OneFirstOptions & { connection?: string; why?: string };

/** `orderbridge release --code` */
export async function releaseByCode(context: CliContext, code: string, { connection, why, ...options }: ReleaseCodeOptions): Promise<void> {
  mustPark(code);
  const request = { code, connection: connection ?? null, by: cliActor(), ...(why === undefined ? {} : { why }), patience: patienceOf(context, options) };
  const { released, stores, held, unwoken } = await withWake(context, ({ pool, connections }, wake) => releaseCode({ pool, wake, connections }, request));
  if (unwoken !== null) note(context, unwoken);
  const of = stores.map(({ name, connectionId, released: count }) => `${count} of ${oneLine(name)} (${connectionId})`).join(', ');
  const orders = released === 1 ? '1 order that was' : `${released} orders that were`;
  printLines(context, [`${orders} parked as ${code} ${released === 1 ? 'is' : 'are'} decided again${of === '' ? '' : `: ${of}`}.`]);
  reportHeld(held, options);
}
