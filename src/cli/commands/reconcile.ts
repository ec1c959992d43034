import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { counted } from '../../contract/plural.ts';
import type { StoreNames } from '../../operations/connections/known-connection.ts';
import type { ReconcileInput, ReconcileResult } from '../../operations/reconciliation/reconcile.ts';
import type { ReconcileDeps } from '../../operations/reconciliation/reconcile-deps.ts';
import type { Reconciled } from '../../operations/reconciliation/report.ts';
import type { Window } from '../../operations/reconciliation/window.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, terminalWidth, textTable } from '../../platform/terminal/text-table.ts';
import { instant, month, seconds } from '../input/arguments.ts';
import { type OnProgress, withProgressBar } from '../output/progress-bar.ts';
import { withCore } from '../with-core.ts';
import { withQueues, withWorkers } from '../with-queues.ts';

export function reconcileCommand(context: CliContext): Command {
  return new Command('reconcile')
    .description(
      'Compares the store, the ledger, the compliance service and the month’s file: by order, and to the cent. ' +
        'What is unknown or older here is read from the store and recorded; a record that the service has of a sale, and that the ledger lost, is taken as its own. ' +
        'Orders that a person must decide about are listed with their code. Unpaid orders, and those that are rightly left out, are not counted.\n\n' +
        'Exit code 0: no difference is left; 1: some are; 2: a store, or a service that lists its records, could not be read.',
    )
    .argument('[connection]', 'the connection: its name, or the beginning of its id; all of them if left out')
    .option('--from <instant>', 'orders sold from then on, such as 2026-11-01T00:00:00+02:00; if left out: since the beginning of last month', instant)
    .option('--to <instant>', 'orders sold before then; if left out: until now', instant)
    .option('--month <month>', 'the orders of this month’s file, such as 2026-10, and the file', month)
    .option('--dry-run', 'only compare')
    .option(
      '--timeout <seconds>',
      'how long to wait for what is repaired, and with each request for a store that is busy or paused; for each connection',
      seconds,
      60,
    )
    .option('--json', 'print JSON: an array of {connection, from, to, currency, store, ledger, service, file, differences, repaired, unchecked}')
    .action((connection: string | undefined, options: Options) => withCore(context, (core) => run(context, core, { ...options, connection })));
}

type Options = { from?: string; to?: string; month?: string; dryRun?: true; timeout: number; json?: true };

const LEFT = 1;

const UNREAD = 2;

/** The store does not say how many there are. */
const AHEAD = 100;

type Run = Options & { connection: string | undefined };

async function run(context: CliContext, core: Core, { connection, json, ...options }: Run): Promise<void> {
  const { storeNames } = await import('../../operations/connections/known-connection.ts');
  const { reconciledDto } = await import('../../operations/reconciliation/report.ts');
  const { results, isWhole } = await compared(context, core, { ...options, connection });
  const around = { nameOf: storeNames(await core.connections.list()), width: terminalWidth(context.stdout) };
  if (json) printJson(context, results.map(reconciledDto));
  else
    printLines(
      context,
      results.length === 0 ? ['No store is connected.'] : results.flatMap((one, index) => [...(index > 0 ? [''] : []), ...reconciledText(one, around)]),
    );
  const left = results.reduce((count, { differences }) => count + differences.length, 0);
  if (!isWhole) throw new CliError('not everything could be read; what is not checked says why', UNREAD);
  if (left > 0) throw new CliError(counted.en(left, 'difference is left', 'differences are left'), LEFT);
}

async function compared(context: CliContext, core: Core, options: Omit<Run, 'json'>): Promise<ReconcileResult> {
  const { liveConnections } = await import('../../operations/connections/known-connection.ts');
  const window = await chosenWindow(options);
  const connections = await liveConnections(core.connections, options.connection);
  return withQueues(core, (queues) =>
    withProgressBar(context, 'orders', async (onProgress) => {
      const { openReconcile } = await import('../../app/reconcile-access.ts');
      await using deps = await openReconcile(core, queues, { signal: context.signal, by: cliActor() });
      const input = inputOf(context, { ...options, window }, onProgress);
      const each = () => reconcileEach(deps, connections, input);
      return options.dryRun ? await each() : await withWorkers(core, queues, each);
    }),
  );
}

async function chosenWindow({ from, to, month: one }: Pick<Options, 'from' | 'to' | 'month'>): Promise<Window> {
  const { windowOf } = await import('../../operations/reconciliation/window.ts');
  if (one !== undefined && (from !== undefined || to !== undefined)) throw new CliError('give --month, or --from and --to');
  const window = windowOf({ from, to, month: one }, Date.now());
  if (Date.parse(window.from) >= Date.parse(window.to)) throw new CliError('--from must be before --to');
  return window;
}

function inputOf(
  { signal }: CliContext,
  { window, dryRun, timeout }: Pick<Options, 'dryRun' | 'timeout'> & { window: Window },
  onProgress: OnProgress,
): ReconcileInput {
  return { window, dryRun: dryRun === true, timeoutMs: timeout * 1000, signal, onRead: (count) => onProgress(count, count + AHEAD) };
}

async function reconcileEach(deps: ReconcileDeps, connections: readonly Connection[], input: ReconcileInput): Promise<ReconcileResult> {
  const { reconcile } = await import('../../operations/reconciliation/reconcile.ts');
  const all: ReconcileResult = { results: [], isWhole: true };
  for (const connection of connections) {
    const { results, isWhole } = await reconcile(deps, connection, input);
    all.results.push(...results);
    all.isWhole &&= isWhole;
  }
  return all;
}

/** `width`: the columns of the terminal; undefined: it is none. */
type TextContext = { nameOf: StoreNames; width: number | undefined };

/** What was compared of a connection, for people. */
function reconciledText({ connection, from, to, currency, differences, repaired, unchecked, ...sources }: Reconciled, around: TextContext): string[] {
  const { store, ledger, service, file } = sources;
  const shown = [
    ['store', store],
    ['ledger', ledger],
    ['service', service],
    ['file', file],
  ] as const;
  return [
    `${oneLine(around.nameOf(connection))}, orders sold from ${localTime(from)} until ${localTime(to)}${currency === null ? '' : ` in ${currency}`}`,
    ...textTable(
      ['side', 'orders', 'total'],
      shown.map(([name, source]) => [name, ...(source === null ? [null, null] : [String(source.orders), source.total])]),
    ),
    ...(repaired > 0 ? [`repaired: ${repaired}`] : []),
    ...unchecked.map((why) => `not checked: ${why.en}`),
    ...(differences.length === 0 ? ['No difference.'] : ['', ...differenceTable(differences, around)]),
  ];
}

function differenceTable(differences: Reconciled['differences'], { width }: TextContext): string[] {
  const rows = differences.map(({ kind, orderId, number, total, code, detail }) => [kind, orderId, number, total, code, detail]);
  return textTable(['what', 'order', 'number', 'total', 'code', 'detail'], rows, { give: ['total'], wrap: 'detail', width });
}
