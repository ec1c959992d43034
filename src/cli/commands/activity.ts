import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { listActivity } from '../../operations/activity/list-activity.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { wholeNumber } from '../input/arguments.ts';
import { printTable } from '../output/print-table.ts';
import { activityTable } from '../text/activity-text.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

type Options = { order?: string; connection?: string; limit: number; json?: true };

/** `orderbridge activity` */
export function activityCommand(context: CliContext): Command {
  return new Command('activity')
    .description(
      'Lists what was done, the newest first: each command that changed something, with who gave it (cli:user@host), what was before and after, and why; ' +
        'and where the program itself parked an order, or had it wait for nobody any more (orderbridge). Nothing is ever changed in this list or taken out of it. ' +
        'What was done at our own compliance service is listed without --order and --connection.',
    )
    .option('--order <order>', 'only what was done about this order: its id or number')
    .option('--connection <id>', 'only what was done about this connection and its orders')
    .option('--limit <n>', 'how many at most', wholeNumber, 100)
    .option('--json', 'print JSON: an array of {id, at, trail, who, act, means, bg, connectionId, store, order, subject, before, after, why}')
    .action((options: Options) => withCore(context, (core) => activity(context, core, options)));
}

async function activity(context: CliContext, core: Core, { json, ...asked }: Options): Promise<void> {
  const acts = await listActivity(core, asked);
  if (json) return printJson(context, acts);
  if (acts.length === 0) return printLines(context, [wordsFor(context).activity.none]);
  printTable(context, activityTable(acts, context));
}
