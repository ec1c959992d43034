import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { withCore } from '../with-core.ts';

export function exportsCommand(context: CliContext): Command {
  return new Command('exports')
    .description(
      'Shows what is stored about customers who asked their shop for it, where its platform passes such requests on. ' +
        'The merchant must hand it to the customer; the data itself is in the JSON form, and viewing it is noted in the audit log.',
    )
    .option('--json', 'print JSON: an array of exports with their data')
    .action((options: { json?: true }) => withCore(context, (core) => showExports(context, core, options)));
}

async function showExports(context: CliContext, { pool, connections }: Core, { json }: { json?: true }): Promise<void> {
  const { storeNames } = await import('../../operations/connections/known-connection.ts');
  const { exportRequests, seeExports } = await import('../../operations/orders/show-order.ts');
  if (json) return printJson(context, await seeExports({ pool }, { by: cliActor() }));
  const all = await exportRequests({ pool });
  if (all.length === 0) return printLines(context, ['No customer has requested their data.']);
  const nameOf = storeNames(await connections.list());
  const rows = all.map(({ id, connectionId, requestId, createdAt }) => [String(id), nameOf(connectionId), requestId, localTime(createdAt), connectionId]);
  const header = ['export', 'store', 'request', 'requested', 'connection'] as const;
  printTable(context, { header, rows, give: ['connection'], keep: ['export', 'requested'] });
  printLines(context, ['', '`orderbridge exports --json` prints the data.']);
}
