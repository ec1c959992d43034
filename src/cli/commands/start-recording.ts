import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { previewStart } from '../../operations/trial/preview-start.ts';
import { startMoment } from '../../operations/trial/start-moment.ts';
import { onTrial, startRecording } from '../../operations/trial/start-recording.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { whyOption } from '../input/why.ts';
import { previewLines } from '../text/start-text.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

type Options = { from: string; dryRun?: true; yes?: true; why?: string; json?: true };

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
    .action((named: string, options: Options) => withCore(context, (core) => run(context, core, { named, ...options })));
}

async function run(context: CliContext, core: Core, { named, from: typed, dryRun, yes, why, json }: Options & { named: string }): Promise<void> {
  const from = startMoment(typed, new Date());
  const connection = await onTrial(core.connections, named);
  const { start: say } = wordsFor(context).stores;
  await withQueues(context, core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    await using reading = await openReconcile(core, queues, { signal: context.signal, by: cliActor() });
    const preview = await previewStart(reading, connection, from);
    if (json !== true) printLines(context, previewLines(preview, context.lang ?? 'en'));
    const dto = { ...preview, whyUnknown: preview.whyUnknown?.en ?? null };
    if (dryRun) return json === true ? printJson(context, dto) : undefined;
    if (!yes) await confirm(context, say.ask);
    const started = await startRecording({ connections: core.connections, wake: queues.wake }, { id: connection.id, from, by: cliActor(), why });
    if (json) return printJson(context, { ...dto, connectionId: connection.id, again: started.again });
    printLines(context, [say.started(connection.name, from, connection.id)]);
  });
}
