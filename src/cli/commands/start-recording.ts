import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Counted, StartPreview } from '../../operations/trial/preview-start.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { confirm } from '../input/confirm.ts';
import { whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

export function startRecordingCommand(context: CliContext): Command {
  return new Command('start-recording')
    .description(
      'Ends the trial of a store (`orderbridge connect --trial`, or the merchants’ pages): orders paid from --from on are recorded. It first says how many ' +
        'there are and what they come to, and asks. Orders that came during the trial are decided again, and where the store can be read, what no ' +
        'webhook announced is read from it.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--from <when>', 'now, month (since the first of this month in Bulgaria), a day such as 2026-11-01, or a moment with its offset')
    .option('--dry-run', 'only say what would be recorded')
    .option('--yes', 'don’t ask: these orders were not recorded by other software')
    .addOption(whyOption())
    .option('--json', 'print JSON')
    .action((named: string, options: Options) => withCore(context, (core) => run(context, core, { named, ...options })));
}

type Options = { from: string; dryRun?: true; yes?: true; why?: string; json?: true };

async function run(context: CliContext, core: Core, { named, from: typed, dryRun, yes, why, json }: Options & { named: string }): Promise<void> {
  const { previewStart, startMoment } = await import('../../operations/trial/preview-start.ts');
  const { onTrial, startRecording } = await import('../../operations/trial/start-recording.ts');
  const from = startMoment(typed, new Date());
  const connection = await onTrial(core.connections, named);
  await withQueues(core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    await using reading = await openReconcile(core, queues, { signal: context.signal, by: cliActor() });
    const preview = await previewStart(reading, connection, from);
    if (json !== true) printLines(context, previewLines(preview));
    const dto = { ...preview, whyUnknown: preview.whyUnknown?.en ?? null };
    if (dryRun) return json === true ? printJson(context, dto) : undefined;
    if (!yes) await confirm(context, 'Were these recorded by other software? Then they would be recorded twice: answer no. Start?');
    const started = await startRecording({ connections: core.connections, notify: queues.notify }, { id: connection.id, from, by: cliActor(), why });
    if (json) return printJson(context, { ...dto, connectionId: connection.id, again: started.again });
    printLines(context, [`${connection.name} is recorded from ${from} on; \`orderbridge orders --connection ${connection.id}\` shows its orders.`]);
  });
}

/** What starting would record, for the terminal. */
function previewLines({ from, known, asked, unknown, whyUnknown }: StartPreview): string[] {
  return [
    `Orders paid from ${from} on that would be recorded: ${counted(known)}.`,
    ...asked.map(({ code, orders }) => `${orders} more would need review (${code}).`),
    ...(unknown === null || unknown.orders === 0 ? [] : [`The store lists more that no webhook announced: ${counted(unknown)}.`]),
    ...(whyUnknown === null ? [] : [`What else the store has is not known: ${whyUnknown.en}.`]),
  ];
}

function counted({ orders, sum }: Counted): string {
  return sum === null ? String(orders) : `${orders}, ${sum}`;
}
