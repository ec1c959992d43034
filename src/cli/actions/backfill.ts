import type { Core } from '../../app/core.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { type BackfillDeps, type BackfillInput, type BackfillPlan, planBackfill, runBackfill } from '../../operations/reconciliation/backfill.ts';
import { liveConnections } from '../../operations/reconciliation/live-connections.ts';
import { backfillWindow } from '../../operations/reconciliation/window.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { textTable } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { Mistyped } from '../input/mistyped.ts';
import { withProgressBar } from '../output/progress-bar.ts';
import { withQueues } from '../with-queues.ts';
import { en } from '../words/en.ts';

export type Options = { from: string; to?: string; dryRun?: true; yes?: true };
type Opened = { context: CliContext; deps: BackfillDeps; connection: Connection };

const AHEAD = 100;

export async function run(context: CliContext, core: Core, { id, ...options }: Options & { id: string }): Promise<void> {
  const [connection] = await liveConnections(core.connections, id);
  if (connection === undefined) throw new Mistyped(`no connection has the id ${id}`);
  const window = backfillWindow(options, { recordFrom: connection.recordFrom, now: Date.now() });
  if (Date.parse(window.from) >= Date.parse(window.until))
    throw new Mistyped('--from must be before --to; without --to it must be before the connection’s `recordFrom`, or today');
  await withQueues(core, async (queues) => {
    const { openReconcile } = await import('../../app/reconcile-access.ts');
    await using reconciling = await openReconcile(core, queues, { signal: context.signal, by: cliActor() });
    const moveRecordFrom: BackfillDeps['moveRecordFrom'] = (...moved) => core.connections.moveRecordFrom(...moved);
    await backfill({ context, deps: { ...reconciling, moveRecordFrom }, connection }, window, options);
  });
}

async function backfill(opened: Opened, window: Omit<BackfillInput, 'onRead'>, { dryRun, yes }: Pick<Options, 'dryRun' | 'yes'>): Promise<void> {
  const { context, deps, connection } = opened;
  const work = <T>(make: (input: BackfillInput) => Promise<T>) =>
    withProgressBar(context, 'orders', (onProgress) => make({ ...window, onRead: (count) => onProgress(count, count + AHEAD) }));
  const plan = await work((input) => planBackfill(deps, connection, input));
  const { backfill: say } = en.reading;
  printLines(context, planText(plan, window));
  if (dryRun || (plan.orders === 0 && plan.recordFrom === null)) return;
  if (!yes) await confirm(context, say.ask);
  const { taken, unread } = await work((input) => runBackfill(deps, connection, input));
  printLines(context, [say.taken(taken)]);
  if (unread.length > 0) note(context, say.unread(unread.join(', ')));
}

function planText({ orders, months, recorded, goesOn, recordFrom }: BackfillPlan, { from, until }: { from: string; until: string }): string[] {
  const { backfill: say } = en.reading;
  const rows = months.map(({ month, currency, orders: count, total }) => [month, String(count), `${total} ${currency}`]);
  return [
    ...(goesOn === null ? [] : [say.goesOn(goesOn)]),
    say.head(from, until, orders),
    ...(rows.length === 0 ? [] : ['', ...textTable(['in the file of', 'orders', 'total'], rows), '']),
    ...(recorded === null ? [say.unlisted] : recorded === 0 ? [] : [say.recorded(recorded)]),
    ...(recordFrom === null ? [] : [say.recordFrom(recordFrom)]),
  ];
}
