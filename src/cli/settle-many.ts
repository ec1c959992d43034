import type { Core } from '../app/core.ts';
import { knownConnection } from '../operations/connections/known-connection.ts';
import { chosenByList, type Decided, decideMany } from '../operations/orders/decide-many.ts';
import { MOST_COUNTED } from '../operations/orders/find-orders.ts';
import { ordersWanted, type Wanted } from '../operations/orders/orders-wanted.ts';
import { mustReview } from '../operations/orders/release-code.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { note, printLines } from '../platform/terminal/print.ts';
import { cliActor } from './actor.ts';
import { confirm } from './input/confirm.ts';
import { plural } from './text/plural.ts';
import { withNotify } from './with-queues.ts';

/** The flags of `settle` that choose many orders, as the console's list does. */
export type ManyOptions = { code?: string; connection?: string; month?: string; from?: string; to?: string; dryRun?: true; yes?: true };

type Word = { how: 'not-a-sale' | 'elsewhere'; why: string };

const ABOUT = { 'not-a-sale': 'settled as no sale', elsewhere: 'settled as recorded elsewhere' } as const;

const WORDS = { 'not-a-sale': 'no sale of this shop', elsewhere: 'recorded elsewhere, for good' } as const;

export function choosesMany({ code, connection, month, from, to }: ManyOptions): boolean {
  return [code, connection, month, from, to].some((option) => option !== undefined);
}

/** `orderbridge settle --code`: says how many there are, asks, and settles those that may be. */
export async function settleMany(context: CliContext, options: ManyOptions, { how, why }: Word): Promise<void> {
  const { code, dryRun, yes } = options;
  if (code === undefined) throw new CliError('say which: --code CODE, and --connection, --month, --from or --to to narrow them');
  mustReview(code);
  const decided = await withNotify(context, async (core, notify) => {
    const { ids } = await chosenByList(core, await wantedIn(core, { ...options, code }));
    printLines(context, [`${plural(ids.length, 'order that is', 'orders that are')} in review as ${code} would be settled: ${WORDS[how]}.`]);
    if (dryRun || ids.length === 0) return null;
    if (ids.length > MOST_COUNTED) throw new CliError(`more than ${MOST_COUNTED} orders are chosen; narrow them with --connection, --month, --from or --to`);
    if (!yes) await confirm(context, `Settle ${ids.length === 1 ? 'it' : `all ${ids.length}`}?`);
    return decideMany({ pool: core.pool, notify, now: () => new Date() }, { ids, about: ABOUT[how], by: cliActor(), why, what: how });
  });
  if (decided !== null) printDone(context, decided);
}

async function wantedIn({ pool, connections }: Core, { code, connection, month, from, to }: ManyOptions & { code: string }): Promise<Wanted> {
  const all = connection === undefined ? await connections.list() : [await knownConnection(connections, connection)];
  const query = { q: '', state: 'review', store: '', month: month ?? '', code, from: from ?? '', to: to ?? '', missing: '' };
  return ordersWanted({ pool, connections: all, isAll: connection === undefined, now: new Date() }, query);
}

function printDone(context: CliContext, { run, done }: Decided): void {
  printLines(context, [`${plural(done, 'order is', 'orders are')} settled; /console/runs/${run} shows what became of them.`]);
  if (done === 0) note(context, 'Those that have a record, or whose request is open, are settled one by one.');
}
