import type { Core } from '../../app/core.ts';
import { storeNames } from '../../operations/connections/known-connection.ts';
import { exportsAsked, seeExports } from '../../operations/orders/show-order.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';

export async function showExports(context: CliContext, { pool, connections }: Core, { json }: { json?: true }): Promise<void> {
  if (json) return printJson(context, await seeExports({ pool }, { by: cliActor() }));
  const all = await exportsAsked({ pool });
  if (all.length === 0) return printLines(context, ['No customer has asked.']);
  const nameOf = storeNames(await connections.list());
  const rows = all.map(({ id, connectionId, requestId, createdAt }) => [String(id), nameOf(connectionId), requestId, localTime(createdAt), connectionId]);
  const header = ['export', 'store', 'request', 'asked', 'connection'] as const;
  printTable(context, { header, rows, give: ['connection'], keep: ['export', 'asked'] });
  printLines(context, ['', '`orderbridge exports --json` prints the data.']);
}
