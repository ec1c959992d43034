import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { listExports } from '../../bridge/ledger/privacy-exports.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { textTable } from '../../platform/terminal/text-table.ts';
import { withCore } from '../with-core.ts';

/** `orderbridge exports` */
export function exportsCommand(context: CliContext): Command {
  return new Command('exports')
    .description(
      'Shows what is stored about customers who asked their shop for it, where its platform passes such requests on. ' +
        'The merchant must hand it to the customer; the data itself is in the JSON form.',
    )
    .option('--json', 'print JSON: an array of exports with their data')
    .action((options: { json?: true }) => withCore(context, (core) => showExports(context, core, options)));
}

async function showExports(context: CliContext, { pool }: Core, { json }: { json?: true }): Promise<void> {
  const all = await listExports(pool);
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, ['No customer has asked.']);
  const rows = all.map(({ id, connectionId, requestId, createdAt }) => [String(id), connectionId, requestId, createdAt]);
  printLines(context, [...textTable(['export', 'connection', 'request', 'asked'], rows), '', '`orderbridge exports --json` prints the data.']);
}
