import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/reconcile.ts';
import { instant, month, seconds } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/reconcile.ts');

/** `orderbridge reconcile` */
export function reconcileCommand(context: CliContext): Command {
  return new Command('reconcile')
    .description(
      'Holds what stands at the store, in the ledger, at the compliance service and in the month’s file against each other: by order, and to the cent. ' +
        'What is unknown or older here is read from the store and recorded; a record that the service has of a sale, and that the ledger lost, is taken as its own. ' +
        'Orders that a person must decide about are listed with their code. Unpaid orders, and those that are rightly left out, count nowhere.\n\n' +
        'Exit code 0: no difference is left; 1: some are; 2: a store, or a service that lists its records, could not be read.',
    )
    .argument('[connection]', 'the connection: its name, or the beginning of its id; all of them if left out')
    .option('--from <instant>', 'orders sold from then on, such as 2026-11-01T00:00:00+02:00; if left out: since the beginning of last month', instant)
    .option('--to <instant>', 'orders sold before then; if left out: until now', instant)
    .option('--month <month>', 'the orders of this month’s file, such as 2026-10, and the file', month)
    .option('--dry-run', 'only compare')
    .option(
      '--timeout <seconds>',
      'how long to wait for what is healed, and with each request for a store that is busy or paused; for each connection',
      seconds,
      60,
    )
    .option('--json', 'print JSON: an array of {connection, from, to, currency, store, ledger, service, file, differences, healed, unchecked}')
    .action((connection: string | undefined, options: Options) =>
      withCore(context, async (core) => (await actions()).run(context, core, { ...options, connection })),
    );
}
