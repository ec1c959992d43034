import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { counted, form } from '../../contract/plural.ts';
import type { RecordLookup } from '../../operations/orders/confirm-order.ts';
import type { DecidedOrders } from '../../operations/orders/decide-many.ts';
import type { DoubledRecord } from '../../operations/orders/doubled-records.ts';
import type { Wanted } from '../../operations/orders/orders-wanted.ts';
import type { ResolutionGiven } from '../../operations/orders/resolve-order.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { note, printLines, printTable } from '../../platform/terminal/print.ts';
import { day, month } from '../input/arguments.ts';
import { confirm as ask } from '../input/confirm.ts';
import { givenWhy, goesWith, ORDER, whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';
import { withNotify } from '../with-queues.ts';

export function resolveCommand(context: CliContext): Command {
  return new Command('resolve')
    .description(
      'Says what became of an order in review, so that it no longer waits for a person: it was recorded by hand, it is no sale, or it is recorded by ' +
        'other software for good. Who said so, and why, is kept. Anything new about the order sends it back to review; a record that was made by hand ' +
        'counts as orderbridge’s own: a later refund deletes or replaces it. `orderbridge release ORDER` undoes the resolution. ' +
        'With --code it is said of all orders that need review with one code and have no record; it first says how many there are, and asks.',
    )
    .argument('[order]', ORDER)
    .option('--recorded <id>', 'it is recorded, with this id at the compliance service')
    .option('--not-a-sale', 'it is no sale of this shop: nothing is recorded')
    .option('--elsewhere', 'it is recorded by other means, and orderbridge has nothing to do with that record')
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .option('--code <code>', 'every order that needs review with this code (`orderbridge review` shows them), if none of it is recorded')
    .option('--connection <connection>', 'with --code: those of one store, by the id or name of its connection')
    .option('--month <month>', 'with --code: those paid, or else placed, in this month, such as 2026-10', month)
    .option('--from <day>', 'with --code: those paid on this day or later, such as 2026-10-01', day)
    .option('--to <day>', 'with --code: those paid on this day or earlier', day)
    .option('--dry-run', 'with --code: only say how many there are')
    .option('--yes', 'with --code: don’t ask')
    .action((named: string | undefined, options: ResolveOptions) => resolveOneOrMany(context, named, options));
}

export function reevaluateCommand(context: CliContext): Command {
  return new Command('reevaluate')
    .description(
      'Re-evaluates a recorded order by today’s settings, where it was recorded with wrong ones: deletes its record and creates another one. Other recorded ' +
        'orders keep the mapping that they were recorded with. Only while the file of its month is not made.',
    )
    .argument('<order>', ORDER)
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .option('--yes', 'don’t ask')
    .action((named: string, { why, yes }: { why?: string; yes?: true }) => reevaluate(context, { named, why: givenWhy(why), yes: yes === true }));
}

export function confirmCommand(context: CliContext): Command {
  return new Command('confirm')
    .description(
      'For an unconfirmed order: a create or delete was sent and its reply was lost, and its repeat was refused or is not made, or a delete is answered with ' +
        'a 404 that may not be the service’s own, so it is not known whether a record exists. Look at the compliance service, say what you found, and the order is decided again from there.',
    )
    .argument('<order>', ORDER)
    .option('--recorded <id>', 'a record exists, with this id at the compliance service')
    .option('--not-recorded', 'no record exists')
    .option('--look', 'only look for it at the service, where that lists its records; nothing is changed')
    .option('--why <words>', 'how you know, for the audit log')
    .action((named: string, options: ConfirmOptions) => confirm(context, named, options));
}

export function deleteRecordCommand(context: CliContext): Command {
  return new Command('delete-record')
    .description(
      'For an order that is recorded twice (`record.doubled`): deletes one of its records at the compliance service, and decides the order again from the ' +
        'other one. Without a record it lists them.',
    )
    .argument('<order>', ORDER)
    .argument('[record]', 'id of the record that is to be deleted')
    .addOption(whyOption())
    .option('--yes', 'don’t ask')
    .action((named: string, record: string | undefined, options: DeleteRecordOptions) => deleteRecord(context, { named, record, ...options }));
}

type ResolveOptions = Partial<ManyOptions> & { recorded?: string; notASale?: true; elsewhere?: true; why?: string };

function resolveOneOrMany(context: CliContext, named: string | undefined, options: ResolveOptions): Promise<void> {
  const outcome = outcomeOf(options);
  const why = givenWhy(options.why);
  const { code, connection, month: of, from, to, dryRun, yes } = options;
  if (code === undefined) goesWith('--code', { '--connection': connection, '--month': of, '--from': from, '--to': to, '--dry-run': dryRun, '--yes': yes });
  if (named !== undefined && code === undefined) return resolve(context, { named, outcome, why });
  if (named !== undefined || code === undefined) throw new CliError('say what to resolve: one ORDER, or --code CODE');
  if (outcome.how === 'recorded') throw new CliError('--recorded is the record of one ORDER; of many, say --not-a-sale or --elsewhere');
  return resolveMany(context, { ...options, code }, { how: outcome.how, why });
}

function outcomeOf({ recorded, notASale, elsewhere }: ResolveOptions): ResolutionGiven {
  if ([recorded, notASale, elsewhere].filter((option) => option !== undefined).length !== 1)
    throw new CliError('say what became of it: --recorded ID, --not-a-sale, or --elsewhere');
  if (recorded === undefined) return { how: notASale ? 'not-a-sale' : 'elsewhere' };
  if (recorded.trim() === '') throw new CliError('--recorded is empty; give the id that the compliance service shows');
  return { how: 'recorded', recorded: recorded.trim() };
}

async function resolve(context: CliContext, said: { named: string; outcome: ResolutionGiven; why: string }): Promise<void> {
  const { resolveOrder } = await import('../../operations/orders/resolve-order.ts');
  const { isRead } = await withNotify(context, async (core, notify) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    return await resolveOrder({ ...access, pool: core.pool, connections: core.connections, notify, now: Date.now }, { ...said, by: cliActor() });
  });
  if (isRead === false) note(context, 'The compliance service does not show its records, so your word is taken for it.');
  printLines(context, [`The order ${said.named} is resolved: ${words(said.outcome)}`]);
}

function words(outcome: ResolutionGiven): string {
  if (outcome.how === 'recorded') return `recorded as ${outcome.recorded}, which counts as orderbridge’s own: a later refund deletes or replaces it.`;
  return `it is ${outcome.how === 'elsewhere' ? 'recorded elsewhere' : 'no sale'}. If anything new arrives, it goes back to review.`;
}

/** The flags of `resolve` that choose many orders, as the console's list does. */
type ManyOptions = { code: string; connection?: string; month?: string; from?: string; to?: string; dryRun?: true; yes?: true };

const ABOUT = { 'not-a-sale': 'resolved as no sale', elsewhere: 'resolved as recorded elsewhere' } as const;

const WORDS = { 'not-a-sale': 'no sale of this shop', elsewhere: 'recorded elsewhere, for good' } as const;

/** `orderbridge resolve --code`: says how many there are, asks, and resolves those that may be. */
async function resolveMany(context: CliContext, options: ManyOptions, { how, why }: { how: 'not-a-sale' | 'elsewhere'; why: string }): Promise<void> {
  const { chosenByList, decideMany } = await import('../../operations/orders/decide-many.ts');
  const { MOST_COUNTED } = await import('../../operations/orders/find-orders.ts');
  const { mustReview } = await import('../../operations/orders/release-orders.ts');
  const { code, dryRun, yes } = options;
  mustReview(code);
  const decided = await withNotify(context, async (core, notify) => {
    const { ids } = await chosenByList(core, await wantedIn(core, options));
    printLines(context, [`${counted.en(ids.length, 'order that is', 'orders that are')} in review as ${code} would be resolved: ${WORDS[how]}.`]);
    if (dryRun || ids.length === 0) return null;
    if (ids.length > MOST_COUNTED) throw new CliError(`more than ${MOST_COUNTED} orders are chosen; narrow them with --connection, --month, --from or --to`);
    if (!yes) await ask(context, `Resolve ${form.en(ids.length, 'it', `all ${ids.length}`)}?`);
    const { runKinds } = await import('../../app/run-kinds.ts');
    const { bulkActions } = await import('../../operations/bulk-actions.ts');
    // Those of others are done by servers.
    await using jobs = runKinds(core, bulkActions(core, notify), { onlyAsked: true });
    return await decideMany({ pool: core.pool, jobs }, { ids, about: ABOUT[how], by: cliActor(), why, what: how });
  });
  if (decided !== null) printDone(context, decided);
}

async function wantedIn({ pool, connections }: Core, { code, connection, month, from, to }: ManyOptions): Promise<Wanted> {
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { everyOrder, ordersWanted } = await import('../../operations/orders/orders-wanted.ts');
  const all = connection === undefined ? await connections.list() : [await knownConnection(connections, connection)];
  const query = { ...everyOrder, state: 'review', month: month ?? '', code, from: from ?? '', to: to ?? '' };
  return ordersWanted({ pool, connections: all, isAll: connection === undefined, now: new Date() }, query);
}

function printDone(context: CliContext, { bulkAction, done }: DecidedOrders): void {
  printLines(context, [`${counted.en(done, 'order is', 'orders are')} resolved; /console/bulk-actions/${bulkAction} shows what became of them.`]);
  if (done === 0) note(context, 'Those that have a record, or whose request is open, are resolved one by one.');
}

type ConfirmOptions = { recorded?: string; notRecorded?: true; look?: true; why?: string };

/** The id under which it is recorded, or null. */
function answerOf({ recorded, notRecorded }: ConfirmOptions): string | null {
  if ((recorded === undefined) === (notRecorded === undefined)) throw new CliError('say whether it is recorded: --recorded ID, or --not-recorded');
  if (recorded?.trim() === '') throw new CliError('--recorded is empty; give the id that the compliance service shows');
  return recorded?.trim() ?? null;
}

async function confirm(context: CliContext, named: string, options: ConfirmOptions): Promise<void> {
  const { confirmOrder } = await import('../../operations/orders/confirm-order.ts');
  if (options.look === true) return look(context, named, options);
  const recorded = answerOf(options);
  const found = { named, recorded, by: cliActor(), ...(options.why === undefined ? {} : { why: options.why }) };
  await withNotify(context, async (core, notify) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    await confirmOrder({ ...access, pool: core.pool, notify }, found);
  });
  printLines(context, [`The order ${named} is ${recorded === null ? 'not recorded' : `recorded as ${recorded}`}; it is decided again.`]);
}

async function look(context: CliContext, named: string, { recorded, notRecorded }: ConfirmOptions): Promise<void> {
  const { lookForRecord } = await import('../../operations/orders/confirm-order.ts');
  if (recorded !== undefined || notRecorded !== undefined) throw new CliError('--look only looks: say what you found with another command');
  const looked = await withCore(context, async (core) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    return await lookForRecord({ ...access, pool: core.pool }, named);
  });
  printLines(context, [lookedWords(looked)]);
}

function lookedWords(looked: RecordLookup): string {
  switch (looked.is) {
    case 'found':
      return `The service has it, as ${looked.id}.`;
    case 'several':
      return `The service has several records of it: ${looked.ids.join(', ')}. Delete all but one there first.`;
    case 'none':
      return 'The service lists its records, and has none of this order.';
    case 'unlisted':
      return 'The service does not list its records: look there yourself.';
  }
}

async function reevaluate(context: CliContext, { named, why, yes }: { named: string; why: string; yes: boolean }): Promise<void> {
  const { reevaluateOrder } = await import('../../operations/orders/reevaluate-order.ts');
  if (!yes) await ask(context, `Delete the record of ${named}, and create another one?`);
  const { id } = await withNotify(context, ({ pool, connections }, notify) => reevaluateOrder({ pool, connections, notify }, { named, by: cliActor(), why }));
  printLines(context, [`The order is recorded anew by today’s settings: \`orderbridge order id:${id}\` shows what becomes of it.`]);
}

type DeleteRecordOptions = { why?: string; yes?: true };

async function deleteRecord(
  context: CliContext,
  { named, record, why, yes }: DeleteRecordOptions & { named: string; record: string | undefined },
): Promise<void> {
  const { deleteDoubled, doubledRecords } = await import('../../operations/orders/doubled-records.ts');
  await withNotify(context, async (core, notify) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    const { openComplianceClient } = await import('../../app/compliance-api.ts');
    await using access = await openRecordAccess(core);
    await using client = openComplianceClient(core.config);
    const deps = { ...access, pool: core.pool, connections: core.connections, notify, client, now: Date.now };
    const records = await doubledRecords(deps, named);
    const rows = records.map((one) => [one.complianceId, one.number, `${one.money.total} ${one.money.currency}`, one.at, stateOf(one)]);
    printTable(context, { header: ['compliance id', 'number', 'total', 'made', 'state'], rows });
    if (record === undefined) return;
    if (yes !== true) await ask(context, `Delete the record ${record}?`);
    const { id, left, released } = await deleteDoubled(deps, { named, record, by: cliActor(), ...(why === undefined ? {} : { why }) });
    const next = released ? 'the order is decided again' : `the order still has ${left} records, and stays in review`;
    printLines(context, [`The record ${record} is deleted; ${next}: \`orderbridge order id:${id}\` shows what becomes of it.`]);
  });
}

const DELETE_WORDS: Readonly<Record<DoubledRecord['is'], string>> = { there: 'it is there', gone: 'it is gone', unreadable: 'the service does not show it' };

function stateOf({ is, isCurrent }: DoubledRecord): string {
  return isCurrent ? `${DELETE_WORDS[is]}; it is the order’s current record` : DELETE_WORDS[is];
}
