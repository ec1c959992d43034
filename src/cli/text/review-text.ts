import type { StoreNames } from '../../operations/connections/store-names.ts';
import type { ReviewAt, ReviewReason } from '../../operations/orders/list-review.ts';
import type { WaitingDelivery, WaitingOrder, WaitingStore } from '../../operations/orders/list-waiting.ts';
import { codeWords } from '../../operations/words/code-words.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import { stateMeans, stateName } from '../../operations/words/state-words.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import type { Line } from '../../platform/terminal/print.ts';
import { oneLine, textTable } from '../../platform/terminal/text-table.ts';
import type { CliWords } from '../words/en.ts';
import { money } from './money.ts';

/** `nameOf`: what people call the store of a connection. */
export type Said = { nameOf: StoreNames; words: CliWords };

const INDENT = '  ';

/** The orders that wait for one reason, by store, and what to do with them. `width`: the columns of the terminal; undefined: it is none. */
export function reasonLines({ code, orders, total, stores }: ReviewReason, said: Said, width: number | undefined): Line[] {
  const { words } = said;
  const one = orders === 1 ? stores[0]?.examples[0] : undefined;
  const { means, todo } = code === 'unconfirmed' ? { means: stateMeans('unconfirmed', 'en'), todo: words.review.unconfirmedTodo } : codeWords(code, 'en');
  return [
    { text: `${code}: ${words.review.orders(orders)}${total === null ? '' : `, ${total}`}`, word: code, tone: 'asks' },
    `${INDENT}${means}`,
    ...textTable(HEADER, stores.map(row), { ...FIT, width: width === undefined ? undefined : width - INDENT.length }).map((line) => INDENT + line),
    ...stores.flatMap((at) => exampleLines(at, stores.length > 1, { code, ...said })),
    `${INDENT}${words.review.toDo(one === undefined ? todo : todo.replaceAll('ORDER', `id:${one.id}`))}`,
    ...(orders > 1 ? [`${INDENT}${togetherWords(code, words)}`] : []),
    '',
  ];
}

const HEADER = ['store', 'orders', 'sum', 'first', 'missing in', 'file due'];
const FIT = { give: ['first', 'sum'], keep: ['orders', 'file due'] };

function row({ store, orders, total, oldest, month }: ReviewAt): (string | null)[] {
  return [store, String(orders), total, oldest === null ? null : localTime(oldest), month?.month ?? null, month === null ? null : localDay(month.due)];
}

/** "16.11.2026" of "2026-11-16". */
function localDay(day: string): string {
  return day.split('-').reverse().join('.');
}

/** All of a few orders; of many, the newest ones. */
function exampleLines({ store, orders, examples }: ReviewAt, isNamed: boolean, { code, words: { review } }: Said & { code: string }): string[] {
  const ofStore = isNamed ? review.ofStore(oneLine(store)) : '';
  const rest = orders - examples.length;
  return [
    ...examples.map(({ id, orderId, number, detail }) => {
      const words = detail === null || detail === '' ? '' : oneLine(problemWords({ code, detail }, 'en'));
      return `${INDENT}- ${oneLine(`${number ?? orderId}${ofStore} (id:${id})`)}${words === '' ? '' : `: ${words}`}`;
    }),
    ...(rest === 0 ? [] : [`${INDENT}- ${review.more(rest, ofStore)}`]),
  ];
}

function togetherWords(code: string, { review }: CliWords): string {
  const isOneByOne = code === 'order.other' || code === 'unconfirmed';
  return isOneByOne ? review.each : `${review.each} ${review.together(code)}`;
}

export function storeLines({ connectionId, host, deliveries, firstAt, lastAt, code, todo }: WaitingStore, { nameOf, words }: Said): string[] {
  const { review } = words;
  const { means } = codeWords(code, 'en');
  return [
    oneLine(review.host(host, nameOf(connectionId), connectionId)),
    `${INDENT}${review.isHeld}, ${code}: ${review.held(deliveries, localTime(firstAt), localTime(lastAt))}. ${means}`,
    INDENT + todo,
    '',
  ];
}

export function orderLines({ review: reason, todo, ...order }: WaitingOrder, { nameOf, words }: Said): string[] {
  const { id, orderId, number, connectionId, orderTotal, currency, state } = order;
  const total = money(orderTotal, currency);
  const name = words.review.order({ orderId, number, total, store: nameOf(connectionId), connection: connectionId, id });
  const why = reason === null ? words.review.lost : `${reason.code}: ${oneLine(problemWords(reason, 'en'))}`;
  return [oneLine(name), `${INDENT}${stateName(state, 'en')}, ${why}`, INDENT + (todo ?? ''), ''];
}

export function deliveryLines({ id, topic, arrivedAt, connectionId, code, detail, todo }: WaitingDelivery, { nameOf, words }: Said): string[] {
  const { review } = words;
  return [
    `${review.webhook(oneLine(topic), localTime(arrivedAt))}, ${review.from(oneLine(nameOf(connectionId)), connectionId, id)}`,
    `${INDENT}${review.isInReview}, ${code ?? ''}: ${oneLine(detail ?? '')}`,
    INDENT + todo,
    '',
  ];
}
