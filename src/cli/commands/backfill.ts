import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { counted } from '../../contract/plural.ts';
import type { BackfillDeps, BackfillInput, BackfillPlan } from '../../operations/reconciliation/backfill.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { textTable } from '../../platform/terminal/text-table.ts';
import { dayOrInstant } from '../input/arguments.ts';
import { confirm } from '../input/confirm.ts';
import { withProgressBar } from '../output/progress-bar.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

export function backfillCommand(context: CliContext): Command {
  return new Command('backfill')
    .description(
      'Imports paid orders from before a store was connected, or from a time in which it was disconnected, by reading them from the store. It first says ' +
        'how many there are, what they come to and which month’s file would list them, and asks. An interrupted run continues where it was if the same ' +
        'command is given again. Orders that are already known stay as they are. `recordFrom` moves to --from only if the imported orders reach up to it.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--from <date>', 'orders sold from this day on (in Bulgaria), such as 2026-10-01, or from a moment with its offset', dayOrInstant)
    .option(
      '--to <date>',
      'through this day, or before a moment; if left out: up to the connection’s `recordFrom`, or, if --from is later, to today',
      dayOrInstant,
    )
    .option('--dry-run', 'only say what would be imported')
    .option('--yes', 'don’t ask: these orders were not recorded by other software')
    .action((id: string, options: Options) => withCore(context, (core) => run(context, core, { id, ...options })));
}

type Options = { from: string; to?: string; dryRun?: true; yes?: true };

type Opened = { context: CliContext; deps: BackfillDeps; connection: Connection };

const AHEAD = 100;

async function run(context: CliContext, core: Core, { id, ...options }: Options & { id: string }): Promise<void> {
  const { liveConnections } = await import('../../operations/connections/known-connection.ts');
  const { backfillWindow } = await import('../../operations/reconciliation/window.ts');
  const [connection] = await liveConnections(core.connections, id);
  if (connection === undefined) throw new CliError(`no connection has the id ${id}`);
  const window = backfillWindow(options, { recordFrom: connection.recordFrom, now: Date.now() });
  if (Date.parse(window.from) >= Date.parse(window.until))
    throw new CliError('--from must be before --to; without --to it must be before the connection’s `recordFrom`, or today');
  await withQueues(core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    await using reconciling = await openReconcile(core, queues, { signal: context.signal, by: cliActor() });
    const moveRecordFrom: BackfillDeps['moveRecordFrom'] = (...moved) => core.connections.moveRecordFrom(...moved);
    await backfill({ context, deps: { ...reconciling, moveRecordFrom }, connection }, window, options);
  });
}

async function backfill(opened: Opened, window: Omit<BackfillInput, 'onRead'>, { dryRun, yes }: Pick<Options, 'dryRun' | 'yes'>): Promise<void> {
  const { planBackfill, runBackfill } = await import('../../operations/reconciliation/backfill.ts');
  const { context, deps, connection } = opened;
  const work = <T>(make: (input: BackfillInput) => Promise<T>) =>
    withProgressBar(context, 'orders', (onProgress) => make({ ...window, onRead: (count) => onProgress(count, count + AHEAD) }));
  const plan = await work((input) => planBackfill(deps, connection, input));
  printLines(context, planText(plan, window));
  if (dryRun || (plan.orders === 0 && plan.recordFrom === null)) return;
  if (!yes) await confirm(context, 'Were these recorded by other software? Then they would be recorded twice: answer no. Import them?');
  const { taken, unread } = await work((input) => runBackfill(deps, connection, input));
  printLines(context, [`${counted.en(taken, 'order is', 'orders are')} imported and will be recorded; \`orderbridge drain\` waits for it.`]);
  if (unread.length > 0) note(context, `Not read completely, since the store does not show them: ${unread.join(', ')}.`);
}

function planText({ orders, months, recorded, goesOn, recordFrom }: BackfillPlan, { from, until }: { from: string; until: string }): string[] {
  const rows = months.map(({ month, currency, orders: count, total }) => [month, String(count), `${total} ${currency}`]);
  return [
    ...(goesOn === null ? [] : [`An unfinished run imported ${goesOn}; it continues from there.`]),
    `Orders sold from ${from} until ${until} that are not imported yet: ${orders}.`,
    ...(rows.length === 0 ? [] : ['', ...textTable(['in the file of', 'orders', 'total'], rows), '']),
    ...(recorded === null
      ? ['The compliance service does not list its records: it may already have some of these.']
      : recorded === 0
        ? []
        : [
            `The compliance service has a record of ${recorded} of them already: those need review as compliance.conflict, and \`orderbridge reconcile\` takes them over.`,
          ]),
    ...(recordFrom === null ? [] : [`recordFrom moves to ${recordFrom}.`]),
  ];
}
