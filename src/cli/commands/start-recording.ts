import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/start-recording.ts';
import { whyOption } from '../input/why.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/start-recording.ts');

/** `orderbridge start-recording` */
export function startRecordingCommand(context: CliContext): Command {
  return new Command('start-recording')
    .description(
      'Ends the trial of a store (`orderbridge connect --trial`, or the merchants’ pages): orders paid from --from on are recorded. It first says how many ' +
        'there are and what they come to, and asks. Orders that came during the trial are decided again, and where the store can be read, what no ' +
        'webhook told is read from it.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--from <when>', 'now, month (since the first of this month in Bulgaria), a day such as 2026-11-01, or a moment with its offset')
    .option('--dry-run', 'only say what would be recorded')
    .option('--yes', 'don’t ask: these orders were not recorded by other software')
    .addOption(whyOption())
    .option('--json', 'print JSON')
    .action((named: string, options: Options) => withCore(context, async (core) => (await actions()).run(context, core, { named, ...options })));
}
