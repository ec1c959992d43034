import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/tail.ts';
import { duration } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/tail.ts');

/** `orderbridge tail` */
export function tailCommand(context: CliContext): Command {
  return new Command('tail')
    .description(
      'Prints what happens, a line each, until Ctrl-C: webhooks accepted and refused and what they did, what is submitted and answered, receipts, orders that ' +
        'need review, pauses, readings of stores, and acts of people. No buyers. It reads the ledger once a second, beside a running server in whatever roles; ' +
        'a server whose events nobody tails does nothing for it. Refused webhooks show within 5 seconds.',
    )
    .argument('[connection]', 'id of the connection; all of them if left out')
    .option('--since <time>', 'begin with what happened in the last 30s, 10m or 2h', duration)
    .option('--json', 'print JSON, one line each: {at, of, connectionId, store, orderId, number, words}; of: delivery, refusal, step, sync, act or pause')
    .action((connection: string | undefined, options: Options) =>
      withCore(context, async (core) => (await actions()).run(context, core, { connection, ...options })),
    );
}
