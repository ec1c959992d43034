import type { Notify } from '../../../bridge/delivery/notify.ts';
import { decideRemoval } from '../../../operations/orders/decide-removal.ts';
import { lookForRecord } from '../../../operations/orders/look-for-record.ts';
import { planAgain } from '../../../operations/orders/plan-again.ts';
import { releaseOrder } from '../../../operations/orders/release-orders.ts';
import { resolveOrder } from '../../../operations/orders/resolve-order.ts';
import { type Outcome, settleOrder } from '../../../operations/orders/settle-order.ts';
import { mergeOrder, splitOrder } from '../../../operations/orders/split-or-merge.ts';
import type { OrderSheet } from '../../../operations/sheets/order-sheet.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { isStale } from '../../frame/stale.ts';
import { noOrder, sheetOf, showOrder } from './show-order.ts';
import { asSeen, type Sent, stateWords } from './verbs-view.ts';

type Acting = { context: PageContext; form: Form; sheet: OrderSheet; named: string; note: string; deps: { pool: Pool; notify: Notify } };
/** `done`: a key of what was done; else what is wrong with the form. */
type Act = (acting: Acting) => Promise<string | Sent['problem'] | Reply>;

const PROBLEMS: readonly string[] = ['note', 'how', 'recorded', 'found', 'none'] satisfies Sent['problem'][];

/** Each verb about one order; made from what its form was made from. */
export const orderVerbs: readonly Page[] = [
  verb('release', release),
  verb('settle', settle),
  verb('removal', removal),
  verb('apart', splitOrMerge),
  verb('resolve', resolve),
  verb('look', look),
  verb('again', again),
];

function verb(name: string, act: Act): Page {
  return { path: `/orders/:id/${name}`, right: 'orders.see', post: { right: 'orders.decide', act: (context, form) => acted(context, form, { name, act }) } };
}

async function acted(context: PageContext, form: Form, { name, act }: { name: string; act: Act }): Promise<Reply> {
  const sheet = await sheetOf(context);
  if (sheet === null) return noOrder(context);
  const typed = Object.fromEntries(['how', 'found', 'recorded', 'note'].map((field) => [field, form.text(field)]));
  const stale = { sent: form.text('was'), now: stateWords(sheet, context.words) };
  if (isStale(form, asSeen(sheet))) return showOrder(context, { sheet, sent: { verb: name, typed, problem: 'none' }, stale });
  const { pool, notify } = context.deps;
  const { id } = sheet.report;
  const said = await act({ context, form, sheet, named: `id:${id}`, note: form.text('note'), deps: { pool, notify } });
  if (typeof said !== 'string') return said;
  const problem = isProblem(said) ? said : null;
  if (problem === null) return { goTo: `/console/orders/${id}`, done: said };
  return showOrder(context, { sheet, sent: { verb: name, typed, problem } });
}

function isProblem(said: string): said is Sent['problem'] {
  return PROBLEMS.includes(said);
}

async function release({ context, named, deps }: Acting): Promise<string> {
  await releaseOrder(deps, named, { by: context.by });
  return 'order-released';
}

async function settle(acting: Acting): Promise<string> {
  const { context, form, named, note, deps } = acting;
  const how = form.text('how');
  if (how === 'removed') return removal(acting);
  const outcome = outcomeOf(how, form.text('recorded'));
  if (outcome === null) return how === 'recorded' ? 'recorded' : 'how';
  if (note === '') return 'note';
  const { records, connections, now } = context.deps;
  await settleOrder({ ...records, ...deps, connections, now: () => now().getTime() }, { named, outcome, by: context.by, why: note });
  return 'order-settled';
}

function outcomeOf(how: string, recorded: string): Outcome | null {
  if (how === 'recorded') return recorded === '' ? null : { how, recorded };
  return how === 'not-a-sale' || how === 'elsewhere' ? { how } : null;
}

async function removal({ context, form, named, note, deps }: Acting): Promise<string> {
  const how = form.text('how');
  if (how !== 'kept' && how !== 'removed') return 'how';
  if (note === '') return 'note';
  await decideRemoval(deps, { named, how, by: context.by, why: note });
  return how === 'kept' ? 'order-kept' : 'order-removed';
}

async function splitOrMerge({ context, form, named, deps }: Acting): Promise<string | Reply> {
  const how = form.text('how');
  if (how !== 'other' && how !== 'same') return 'how';
  if (how === 'other') await splitOrder(deps, named, { by: context.by });
  if (how === 'other') return 'order-apart';
  // Nothing is left of this one: the first of its id has it all.
  const { orderId } = await mergeOrder(deps, named, { by: context.by });
  return { goTo: `/console/orders?q=${encodeURIComponent(orderId)}`, done: 'order-joined' };
}

async function resolve({ context, form, named, note, deps }: Acting): Promise<string> {
  const found = form.text('found');
  const recorded = form.text('recorded');
  if (found !== 'yes' && found !== 'no') return 'found';
  if (found === 'yes' && recorded === '') return 'recorded';
  await resolveOrder(
    { ...context.deps.records, ...deps },
    { named, recorded: found === 'yes' ? recorded : null, by: context.by, ...(note === '' ? {} : { why: note }) },
  );
  return 'order-resolved';
}

async function again({ context, named, note, deps }: Acting): Promise<string> {
  if (note === '') return 'note';
  const { connections, service } = context.deps;
  await planAgain({ ...deps, connections, hasService: service !== null }, { named, by: context.by, why: note });
  return 'order-planned-again';
}

async function look({ context, sheet, named, deps }: Acting): Promise<Reply> {
  return showOrder(context, { sheet, looked: await lookForRecord({ ...context.deps.records, ...deps }, named) });
}
