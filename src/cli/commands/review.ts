import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { orderCount } from '../../contract/plural.ts';
import type { StoreNames } from '../../operations/connections/known-connection.ts';
import type { ReviewAt, ReviewReason, Waiting, WaitingDelivery, WaitingOrder, WaitingStore } from '../../operations/orders/list-review.ts';
import { codeWords, problemWords, stateName } from '../../operations/words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localOrNone, localTime } from '../../platform/terminal/local-time.ts';
import { type Line, note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, terminalWidth, textTable } from '../../platform/terminal/text-table.ts';
import { noteUnreadable } from '../output/note-unreadable.ts';
import { money } from '../text/money.ts';
import { withCore } from '../with-core.ts';

export function reviewCommand(context: CliContext): Command {
  return new Command('review')
    .description(
      'Lists everything that waits for a person: orders in review and unconfirmed ones in groups, with the reason, their sum, the month whose file would miss ' +
        'them, and what to do; webhooks that are signed but can’t be read, so that their orders are not known; and hosts whose webhooks are quarantined because ' +
        'they are not the store’s.',
    )
    .option('--all', 'each order by itself')
    .option('--json', 'print JSON: {orders, deliveries, stores}, each order by itself')
    .action((options: Options) => withCore(context, (core) => review(context, core, options)));
}

type Options = { all?: true; json?: true };

async function review(context: CliContext, core: Core, { all, json }: Options): Promise<void> {
  const { storeNames } = await import('../../operations/connections/known-connection.ts');
  const { listWaiting } = await import('../../operations/orders/list-review.ts');
  if (all !== true && json !== true) return inGroups(context, core);
  const waiting = await listWaiting(core);
  const { orders, deliveries, stores, unreadable, cutAt } = waiting;
  if (json) printJson(context, { orders, deliveries, stores });
  else printLines(context, eachLines(waiting, storeNames(await core.connections.list())));
  noteUnreadable(context, unreadable);
  if (cutAt !== null) note(context, `Only the newest ${cutAt} of a kind are shown.`);
}

async function inGroups(context: CliContext, { pool, connections }: Core): Promise<void> {
  const { listReview } = await import('../../operations/orders/list-review.ts');
  const { reasons, deliveries, stores, nameOf } = await listReview({ pool, connections, now: () => new Date() });
  const lines = [
    ...stores.flatMap((quarantined) => storeLines(quarantined, nameOf)),
    ...reasons.flatMap((reason) => reasonLines(reason, terminalWidth(context.stdout))),
    ...deliveries.flatMap((delivery) => deliveryLines(delivery, nameOf)),
  ];
  printLines(context, lines.length === 0 ? ['Nothing waits for a person.'] : lines);
}

function eachLines({ orders, deliveries, stores }: Waiting, nameOf: StoreNames): string[] {
  if (orders.length + deliveries.length + stores.length === 0) return ['Nothing waits for a person.'];
  return [
    ...stores.flatMap((quarantined) => storeLines(quarantined, nameOf)),
    ...orders.flatMap((order) => orderLines(order, nameOf)),
    ...deliveries.flatMap((delivery) => deliveryLines(delivery, nameOf)),
  ];
}

const INDENT = '  ';

/** The orders that wait for one reason, by store, and what to do with them. `width`: the columns of the terminal; undefined: it is none. */
function reasonLines({ code, means, todo, orders, total, stores }: ReviewReason, width: number | undefined): Line[] {
  const one = orders === 1 ? stores[0]?.examples[0] : undefined;
  return [
    { text: `${code}: ${orderCount.en(orders)}${total === null ? '' : `, ${total}`}`, word: code, tone: 'asks' },
    `${INDENT}${means}`,
    ...textTable(HEADER, stores.map(row), { ...FIT, width: width === undefined ? undefined : width - INDENT.length }).map((line) => INDENT + line),
    ...stores.flatMap((at) => exampleLines(at, code, stores.length > 1)),
    `${INDENT}To do: ${one === undefined ? todo : todo.replaceAll('ORDER', `id:${one.id}`)}`,
    ...(orders > 1 ? [`${INDENT}${togetherWords(code)}`] : []),
    '',
  ];
}

const HEADER = ['store', 'orders', 'sum', 'first', 'missing in', 'file due'];

const FIT = { give: ['first', 'sum'], keep: ['orders', 'file due'] };

function row({ store, orders, total, oldest, month }: ReviewAt): (string | null)[] {
  return [store, String(orders), total, localOrNone(oldest), month?.month ?? null, month === null ? null : localDay(month.due)];
}

/** "16.11.2026" of "2026-11-16". */
function localDay(day: string): string {
  return day.split('-').reverse().join('.');
}

/** All of a few orders; of many, the newest ones. */
function exampleLines({ store, orders, examples }: ReviewAt, code: string, isNamed: boolean): string[] {
  const ofStore = isNamed ? ` of ${oneLine(store)}` : '';
  const rest = orders - examples.length;
  return [
    ...examples.map(({ id, orderId, number, detail }) => {
      const words = detail === null || detail === '' ? '' : oneLine(problemWords({ code, detail }, 'en'));
      return `${INDENT}- ${oneLine(`${number ?? orderId}${ofStore} (id:${id})`)}${words === '' ? '' : `: ${words}`}`;
    }),
    ...(rest === 0 ? [] : [`${INDENT}- and ${rest} more${ofStore}`]),
  ];
}

function togetherWords(code: string): string {
  const isOneByOne = code === 'order.other' || code === 'unconfirmed';
  const each = '`orderbridge review --all` lists each.';
  return isOneByOne ? each : `${each} Once it is put right: \`orderbridge release --code ${code}\`; of one store: add \`--connection STORE\`.`;
}

function storeLines({ connectionId, host, deliveries, firstAt, lastAt, code, todo }: WaitingStore, nameOf: StoreNames): string[] {
  const { means } = codeWords(code, 'en');
  return [
    oneLine(`host ${host}, store ${nameOf(connectionId)}, connection ${connectionId}`),
    `${INDENT}quarantined, ${code}: ${deliveries === 1 ? `1 webhook of ${localTime(firstAt)}` : `${deliveries} webhooks from ${localTime(firstAt)} to ${localTime(lastAt)}`}. ${means}`,
    INDENT + todo,
    '',
  ];
}

function orderLines({ review: reason, todo, ...order }: WaitingOrder, nameOf: StoreNames): string[] {
  const { id, orderId, number, connectionId, orderTotal, currency, state } = order;
  const total = money(orderTotal, currency);
  const name = `order ${orderId} (${number ?? 'number not known'}), ${total ?? 'total not known'}, store ${nameOf(connectionId)}, connection ${connectionId}, id:${id}`;
  const why = reason === null ? 'a create’s reply was lost' : `${reason.code}: ${oneLine(problemWords(reason, 'en'))}`;
  return [oneLine(name), `${INDENT}${stateName(state, 'en')}, ${why}`, INDENT + (todo ?? ''), ''];
}

function deliveryLines({ id, topic, arrivedAt, connectionId, code, detail, todo }: WaitingDelivery, nameOf: StoreNames): string[] {
  return [
    `webhook ${oneLine(topic) || '(its body names the topic)'} of ${localTime(arrivedAt)}, store ${oneLine(nameOf(connectionId))}, connection ${connectionId}, delivery ${id}`,
    `${INDENT}review, ${code ?? ''}: ${oneLine(detail ?? '')}`,
    INDENT + todo,
    '',
  ];
}
