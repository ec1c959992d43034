import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { type Heard, listen } from '../../operations/activity/listen.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJsonLine, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { duration } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

type Options = { since?: number; json?: true };

/** `orderbridge listen` */
export function listenCommand(context: CliContext): Command {
  return new Command('listen')
    .description(
      'Prints what happens, a line each, until Ctrl-C: webhooks accepted and refused and what they did, what is submitted and answered, receipts, orders that ' +
        'are parked, pauses, readings of stores, and acts of people. No buyers. It reads the ledger once a second, beside a running server in whatever roles; ' +
        'a server that nobody listens to does nothing for it. Refused webhooks show within 5 seconds.',
    )
    .argument('[connection]', 'id of the connection; all of them if left out')
    .option('--since <time>', 'begin with what happened in the last 30s, 10m or 2h', duration)
    .option('--json', 'print JSON, one line each: {at, of, connectionId, store, orderId, number, words}; of: delivery, refusal, step, walk, act or pause')
    .action((connection: string | undefined, options: Options) => withCore(context, (core) => run(context, core, { connection, ...options })));
}

async function run(context: CliContext, core: Core, { connection, since, json }: Options & { connection: string | undefined }): Promise<void> {
  const from = since === undefined ? null : new Date(Date.now() - since).toISOString();
  const { listen: say } = wordsFor(context).work;
  for await (const event of listen(core, { connection: connection ?? null, since: from, signal: context.signal })) {
    if ('lost' in event) note(context, say.lost(event.lost));
    else if ('back' in event) note(context, say.back);
    else if (json) printJsonLine(context, event.heard);
    else printLines(context, [lineOf(event.heard, context)]);
  }
}

function lineOf({ at, store, connectionId, orderId, number, words }: Heard, context: CliContext): string {
  const order = number ?? orderId;
  const about = [store ?? connectionId, order === null ? null : wordsFor(context).activity.order(order)].filter((word) => word !== null);
  return [localTime(at), ...(about.length === 0 ? [] : [oneLine(about.join(', '))]), oneLine(words)].join('  ');
}
