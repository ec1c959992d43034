import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { replan } from '../../bridge/ledger/behind-store.ts';
import { failures } from '../../bridge/order/failure.ts';
import { ownValue } from '../../contract/own-value.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { oneOrder } from '../one-order.ts';
import { wakeOrders } from '../wake-orders.ts';
import { withCore } from '../with-core.ts';

/** `orderbridge release` */
export function releaseCommand(context: CliContext): Command {
  return new Command('release')
    .description('Plans parked orders again, after what they were parked for was put right: one order, or all that are parked for one reason.')
    .argument('[order]', 'the order: id:N (its id in the ledger), its platform order id, or its number')
    .option('--code <code>', 'every order that is parked with this code (`orderbridge parked` shows them)')
    .action((named: string | undefined, { code }: { code?: string }) => release(context, named, code));
}

function release(context: CliContext, named: string | undefined, code: string | undefined): Promise<void> {
  if (named !== undefined && code === undefined) return withCore(context, (core) => releaseOne(context, core, named));
  if (code === undefined || named !== undefined) throw new CliError('say what to release: one ORDER, or --code CODE');
  if (ownValue(failures, code)?.disposition !== 'park') throw new CliError(`no order is ever parked as ${code}; the codes are ${parkingCodes().join(', ')}`);
  return withCore(context, (core) => releaseAll(context, core, code));
}

async function releaseOne(context: CliContext, core: Core, named: string): Promise<void> {
  const { id, state } = await oneOrder(core, named);
  if (state === 'unconfirmed') throw new CliError(`the order ${named} is unconfirmed: say what became of it with \`orderbridge resolve id:${id}\``);
  const released = await replan(core.pool, { ids: [id] });
  if (released.length === 0) throw new CliError(`the order ${named} is ${state}, not parked: there is nothing to release`);
  await wakeOrders(context, core, released);
  printLines(context, [`The order ${named} is planned again.`]);
}

async function releaseAll(context: CliContext, core: Core, code: string): Promise<void> {
  const released = await replan(core.pool, { code });
  await wakeOrders(context, core, released);
  printLines(context, [
    `${released.length === 1 ? '1 order that was' : `${released.length} orders that were`} parked as ${code} ${released.length === 1 ? 'is' : 'are'} planned again.`,
  ]);
}

function parkingCodes(): string[] {
  return Object.entries(failures)
    .filter(([, { disposition }]) => disposition === 'park')
    .map(([code]) => code);
}
