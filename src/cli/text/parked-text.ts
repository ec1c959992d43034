import { failures } from '../../bridge/order/failure.ts';
import type { StoreNames } from '../../operations/connections/store-names.ts';
import type { ParkedAt, ParkedReason } from '../../operations/orders/list-parked.ts';
import type { WaitingDelivery, WaitingOrder, WaitingStore } from '../../operations/orders/list-waiting.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import type { Line } from '../../platform/terminal/print.ts';
import { oneLine, textTable } from '../../platform/terminal/text-table.ts';
import { money } from './money.ts';

const INDENT = '  ';

/** The orders that wait for one reason, by store, and what to do with them. `width`: the columns of the terminal; undefined: it is none. */
export function reasonLines({ code, means, todo, orders, total, stores }: ParkedReason, width: number | undefined): Line[] {
  const one = orders === 1 ? stores[0]?.examples[0] : undefined;
  return [
    { text: `${code}: ${ordersWords(orders)}${total === null ? '' : `, ${total}`}`, word: code, tone: 'asks' },
    `${INDENT}${means}`,
    ...textTable(HEADER, stores.map(row), {
      width: width === undefined ? undefined : width - INDENT.length,
      give: ['first', 'sum'],
      keep: ['orders', 'file due'],
    }).map((line) => INDENT + line),
    ...stores.flatMap((at) => exampleLines(at, stores.length > 1)),
    `${INDENT}To do: ${one === undefined ? todo : todo.replaceAll('ORDER', `id:${one.id}`)}`,
    ...(orders > 1 ? [`${INDENT}${togetherWords(code)}`] : []),
    '',
  ];
}

const HEADER = ['store', 'orders', 'sum', 'first', 'missing in', 'file due'];

function row({ store, orders, total, oldest, month }: ParkedAt): (string | null)[] {
  return [store, String(orders), total, oldest === null ? null : localTime(oldest), month?.month ?? null, month === null ? null : localDay(month.due)];
}

/** "16.11.2026" of "2026-11-16". */
function localDay(day: string): string {
  return day.split('-').reverse().join('.');
}

/** All of a few orders; of many, the newest ones. */
function exampleLines({ store, orders, examples }: ParkedAt, isNamed: boolean): string[] {
  const ofStore = isNamed ? ` of ${oneLine(store)}` : '';
  const rest = orders - examples.length;
  return [
    ...examples.map(({ id, orderId, number, detail }) => {
      const words = oneLine(detail ?? '');
      return `${INDENT}- ${oneLine(`${number ?? orderId}${ofStore} (id:${id})`)}${words === '' ? '' : `: ${words}`}`;
    }),
    ...(rest === 0 ? [] : [`${INDENT}- and ${rest} more${ofStore}`]),
  ];
}

function togetherWords(code: string): string {
  const each = '`orderbridge parked --all` lists each.';
  const isOneByOne = code === 'order.other' || code === 'unconfirmed';
  return isOneByOne ? each : `${each} Once it is put right: \`orderbridge release --code ${code}\`; of one store: add \`--connection STORE\`.`;
}

function ordersWords(orders: number): string {
  return orders === 1 ? '1 order' : `${orders} orders`;
}

export function storeLines({ connectionId, host, deliveries, firstAt, lastAt, code, todo }: WaitingStore, nameOf: StoreNames): string[] {
  const held = deliveries === 1 ? `1 webhook of ${localTime(firstAt)}` : `${deliveries} webhooks from ${localTime(firstAt)} to ${localTime(lastAt)}`;
  return [
    oneLine(`host ${host}, store ${nameOf(connectionId)}, connection ${connectionId}`),
    `${INDENT}held, ${code}: ${held}. ${failures[code].means}`,
    INDENT + todo,
    '',
  ];
}

export function orderLines(
  { id, orderId, number, connectionId, orderTotal, currency, state, parked: reason, todo }: WaitingOrder,
  nameOf: StoreNames,
): string[] {
  const store = `${nameOf(connectionId)}, connection ${connectionId}`;
  const name = `order ${orderId} (${number ?? 'number not known'}), ${money(orderTotal, currency) ?? 'total not known'}, store ${store}, id:${id}`;
  const why = reason === null ? 'a create’s reply was lost' : `${reason.code}: ${oneLine(reason.detail)}`;
  return [oneLine(name), `${INDENT}${state}, ${why}`, INDENT + (todo ?? ''), ''];
}

export function deliveryLines({ id, topic, arrivedAt, connectionId, code, detail, todo }: WaitingDelivery, nameOf: StoreNames): string[] {
  const store = `store ${oneLine(nameOf(connectionId))}, connection ${connectionId}`;
  return [
    `webhook ${oneLine(topic) || '(its body names the topic)'} of ${localTime(arrivedAt)}, ${store}, delivery ${id}`,
    `${INDENT}parked, ${code ?? ''}: ${oneLine(detail ?? '')}`,
    INDENT + todo,
    '',
  ];
}
