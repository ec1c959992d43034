import type { Core } from '../../app/core.ts';
import { type TailedEvent, tail } from '../../operations/activity/tail.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJsonLine, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';

export type Options = { since?: number; json?: true };

export async function run(context: CliContext, core: Core, { connection, since, json }: Options & { connection: string | undefined }): Promise<void> {
  const from = since === undefined ? null : new Date(Date.now() - since).toISOString();
  for await (const event of tail(core, { connection: connection ?? null, since: from, signal: context.signal })) {
    if ('lost' in event) note(context, `The database does not answer (${event.lost}); what happens meanwhile is printed once it does.`);
    else if ('back' in event) note(context, 'The database answers again.');
    else if (json) printJsonLine(context, event.event);
    else printLines(context, [lineOf(event.event)]);
  }
}

function lineOf({ at, store, connectionId, orderId, number, words }: TailedEvent): string {
  const order = number ?? orderId;
  const about = [store ?? connectionId, order === null ? null : `order ${order}`].filter((word) => word !== null);
  return [localTime(at), ...(about.length === 0 ? [] : [oneLine(about.join(', '))]), oneLine(words)].join('  ');
}
