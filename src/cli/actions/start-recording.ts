import type { Core } from '../../app/core.ts';
import { type Counted, previewStart, type StartPreview, startMoment } from '../../operations/trial/preview-start.ts';
import { onTrial, startRecording } from '../../operations/trial/start-recording.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { withQueues } from '../with-queues.ts';

export type Options = { from: string; dryRun?: true; yes?: true; why?: string; json?: true };

export async function run(context: CliContext, core: Core, { named, from: typed, dryRun, yes, why, json }: Options & { named: string }): Promise<void> {
  const from = startMoment(typed, new Date());
  const connection = await onTrial(core.connections, named);
  await withQueues(core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    await using reading = await openReconcile(core, queues, { signal: context.signal, by: cliActor() });
    const preview = await previewStart(reading, connection, from);
    if (json !== true) printLines(context, previewLines(preview));
    const dto = { ...preview, whyUnknown: preview.whyUnknown?.en ?? null };
    if (dryRun) return json === true ? printJson(context, dto) : undefined;
    if (!yes) await confirm(context, 'Were these recorded by other software? Then they would stand twice: answer no. Start?');
    const started = await startRecording({ connections: core.connections, notify: queues.notify }, { id: connection.id, from, by: cliActor(), why });
    if (json) return printJson(context, { ...dto, connectionId: connection.id, again: started.again });
    printLines(context, [
      `${connection.name} is recorded from ${from} on; \`orderbridge orders --connection ${connection.id}\` shows what becomes of its orders.`,
    ]);
  });
}

/** What starting would record, for the terminal. */
function previewLines({ from, known, asked, unknown, whyUnknown }: StartPreview): string[] {
  return [
    `Orders paid from ${from} on that would be recorded: ${counted(known)}.`,
    ...asked.map(({ code, orders }) => `A person would be asked about ${orders} more (${code}).`),
    ...(unknown === null || unknown.orders === 0 ? [] : [`The store has more, which no webhook told: ${counted(unknown)} by its list.`]),
    ...(whyUnknown === null ? [] : [`What else the store has is not known: ${whyUnknown.en}.`]),
  ];
}

function counted({ orders, sum }: Counted): string {
  return sum === null ? String(orders) : `${orders}, ${sum}`;
}
