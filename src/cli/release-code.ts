import { mustReview, releaseCode } from '../operations/orders/release-code.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { printLines } from '../platform/terminal/print.ts';
import { oneLine } from '../platform/terminal/text-table.ts';
import { cliActor } from './actor.ts';
import type { OneFirstOptions } from './input/one-first-flags.ts';
import { patienceOf, reportHeld } from './one-first.ts';
import { withNotify } from './with-queues.ts';
import { en } from './words/en.ts';

/** The flags of `release` for all orders of a code. */
export type ReleaseCodeOptions = OneFirstOptions & { connection?: string; why?: string };

/** `orderbridge release --code` */
export async function releaseByCode(context: CliContext, code: string, { connection, why, ...options }: ReleaseCodeOptions): Promise<void> {
  mustReview(code);
  const request = { code, connection: connection ?? null, by: cliActor(), ...(why === undefined ? {} : { why }), patience: patienceOf(context, options) };
  const { released, stores, held } = await withNotify(context, ({ pool, connections }, notify) => releaseCode({ pool, notify, connections }, request));
  const { many: say } = en.work;
  const of = stores.map(({ name, connectionId, released: count }) => say.ofStore(count, oneLine(name), connectionId)).join(', ');
  printLines(context, [say.released(released, code, of)]);
  reportHeld(held, options);
}
