import { Command } from 'commander';
import { mustPark, releaseCode, releaseOrder } from '../../operations/orders/release-orders.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { withWake } from '../with-queues.ts';

/** `orderbridge release` */
export function releaseCommand(context: CliContext): Command {
  return new Command('release')
    .description('Decides parked orders again, after their cause was put right: one order, or all that are parked for one reason.')
    .argument('[order]', 'the order: id:N (its id in the ledger), its platform order id, or its number')
    .option('--code <code>', 'every order that is parked with this code (`orderbridge parked` shows them)')
    .action((named: string | undefined, { code }: { code?: string }) => release(context, named, code));
}

function release(context: CliContext, named: string | undefined, code: string | undefined): Promise<void> {
  if (named !== undefined && code === undefined) return releaseOne(context, named);
  if (code === undefined || named !== undefined) throw new CliError('say what to release: one ORDER, or --code CODE');
  mustPark(code);
  return releaseAll(context, code);
}

async function releaseOne(context: CliContext, named: string): Promise<void> {
  const { unwoken } = await withWake(context, ({ pool }, wake) => releaseOrder({ pool, wake }, named));
  if (unwoken !== null) note(context, unwoken);
  printLines(context, [`The order ${named} is decided again.`]);
}

async function releaseAll(context: CliContext, code: string): Promise<void> {
  const { released, unwoken } = await withWake(context, ({ pool }, wake) => releaseCode({ pool, wake }, code));
  if (unwoken !== null) note(context, unwoken);
  const orders = released === 1 ? '1 order that was' : `${released} orders that were`;
  printLines(context, [`${orders} parked as ${code} ${released === 1 ? 'is' : 'are'} decided again.`]);
}
