import type { Connection } from '../../bridge/connections/connection.ts';
import { type After, countByState, findByTotal, findOrders as findInLedger, type OrdersWanted, sumFound } from '../../bridge/ledger/orders/find-orders.ts';
import { type KeptOrder, keptOrders, type OrdersFilter } from '../../bridge/ledger/orders/read-orders.ts';
import { type AssignedOrder, assignedOrders } from '../../bridge/ledger/review/assignment-store.ts';
import type { NothingReason } from '../../bridge/order/decisions/desired.ts';
import { ORDER_STATES, type OrderState } from '../../bridge/order/decisions/order-state.ts';
import type { Lang } from '../../contract/messages.ts';
import { BYTE_ORDER_MARK, csvRow, numberCell, textCell } from '../../platform/csv-cell.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { idsLikeName } from './named-order.ts';
import { expectedRecord, type OrderBrief, orderBrief } from './order-report.ts';
import { sumWords } from './sum-words.ts';
import { ignoredWords, pausedOrders } from './why-not-sent.ts';

/** `paidAt`: or when it was placed; null: not known. `ignored`: why an ignored order is. `revision`: with state and code, what was seen of it. `assigned`: who looks after it, and until when it is snoozed. */
export type FoundOrder = OrderBrief & {
  revision: number;
  shopId: string;
  paidAt: string | null;
  isPaid: boolean;
  ignored: NothingReason | null;
  assigned: AssignedOrder | null;
};

/** `next`: where the next page begins; null: this is the last; `previous`: where the one before ends. `unreadable`: how many rows can't be read. */
export type OrdersPage = { orders: FoundOrder[]; next: string | null; previous: string | null; unreadable: number };

const PAGE = 50;

type Where = { after: string; before?: string; size?: number };
type Places = Pick<OrdersPage, 'next' | 'previous'> & { ids: number[] };

/** A page of the orders that are wanted, the newest first; `after` and `before` as another page gave them. `connections`: those that may be shown. */
export async function findOrders(
  { pool, connections }: { pool: Pool; connections: readonly Connection[] },
  wanted: OrdersWanted,
  where: Where,
): Promise<OrdersPage> {
  const { ids, next, previous } = wanted.byTotal == null ? await placesByTime(pool, wanted, where) : await placesByTotal(pool, wanted, where);
  const { orders, unreadable } = ids.length === 0 ? { orders: [], unreadable: [] } : await keptOrders(pool, { ids, limit: ids.length });
  const byId = new Map(orders.map((order) => [order.id, order]));
  const pauses = await pausedOrders(pool, orders, connections);
  const asked = orders.filter(({ state }) => state === 'review' || state === 'unconfirmed').map(({ id }) => id);
  const assigned = asked.length === 0 ? [] : await assignedOrders(pool, { ids: asked, most: asked.length });
  const assignments = new Map(assigned.map((one) => [one.id, one]));
  const found = ids
    .flatMap((id) => byId.get(id) ?? [])
    .map((order) => ({ ...foundOrder(order, connections, pauses.get(order.id) ?? null), assigned: assignments.get(order.id) ?? null }));
  return { orders: found, next, previous, unreadable: unreadable.length };
}

async function placesByTime(pool: Pool, wanted: OrdersWanted, { after, before = '', size = PAGE }: Where): Promise<Places> {
  const isBack = placeOf(before, wanted) !== null;
  const from = placeOf(isBack ? before : after, wanted);
  const places = await findInLedger(pool, wanted, { after: from, limit: size + 1, isBack });
  const nearest = places.slice(0, size);
  const shown = isBack ? nearest.toReversed() : nearest;
  const isMore = places.length > size;
  const [first] = shown;
  const last = shown.at(-1);
  return {
    ids: shown.map(({ id }) => id),
    next: (isMore || isBack) && last !== undefined ? textOf(last) : null,
    previous: (isBack ? isMore : from !== null) && first !== undefined ? textOf(first) : null,
  };
}

/** A page begins after so many. */
async function placesByTotal(pool: Pool, wanted: OrdersWanted, { after, before = '', size = PAGE }: Where): Promise<Places> {
  const skip = Number(/^\d{1,5}$/.exec(before === '' ? after : before)?.[0] ?? 0);
  const ids = await findByTotal(pool, wanted, { skip, limit: size + 1, most: BOUND });
  return { ids: ids.slice(0, size), next: ids.length > size ? `${skip + size}` : null, previous: skip > 0 ? `${Math.max(0, skip - size)}` : null };
}

/** None beyond so many are counted: a list says "10,000+". */
export const MOST_COUNTED = 10_000;

/** How many of those that are wanted are in each state (null: there are too many in all), how many are listed, and what their customers paid, such as `36.00 EUR + 12.00 USD`; null: too many. */
export type FoundSums = { counts: ReadonlyMap<OrderState, number | null>; orders: number; total: string | null };

export async function sumsFound({ pool }: { pool: Pool }, wanted: OrdersWanted): Promise<FoundSums> {
  const { connections, code, sold, total, ids } = wanted;
  const listed = wanted.state === 'asked' ? (['review', 'unconfirmed'] as const) : wanted.state === null ? ORDER_STATES : [wanted.state];
  const sumOf = (found: Parameters<typeof sumWords>[0], orders: number) => (orders > MOST_COUNTED ? null : sumWords(found));
  if ([code, sold, total, ids].every((one) => one === null)) {
    const counts = await countByState(pool, connections, BOUND);
    const orders = bounded(listed.map((state) => counts.get(state) ?? 0));
    return { counts, orders, total: sumOf(orders > MOST_COUNTED ? [] : (await sumFound(pool, wanted, BOUND)).found, orders) };
  }
  const { found, isCut, isSummed } = await sumFound(pool, { ...wanted, state: null }, BOUND);
  const ofStates = (states: readonly OrderState[]) => found.filter(({ state }) => states.includes(state));
  const count = (states: readonly OrderState[]) => bounded(ofStates(states).map((one) => one.count));
  // Of the states that are listed alone there may be few enough.
  const isFew = isCut || (!isSummed && bounded(ofStates(listed).map((one) => one.count)) <= MOST_COUNTED);
  const chosen = isFew && wanted.state !== null ? (await sumFound(pool, wanted, BOUND)).found : ofStates(listed);
  const orders = bounded(chosen.map((one) => one.count));
  return { counts: new Map(ORDER_STATES.map((state) => [state, isCut ? null : count([state])])), orders, total: sumOf(chosen, orders) };
}

const BOUND = MOST_COUNTED + 1;

function bounded(counts: readonly number[]): number {
  return Math.min(
    BOUND,
    counts.reduce((sum, one) => sum + one, 0),
  );
}

function foundOrder(order: KeptOrder, connections: readonly Connection[], pause: OrderBrief['pause']): Omit<FoundOrder, 'assigned'> {
  const { revision, shopId, facts } = order;
  const { snapshot } = facts;
  return {
    ...orderBrief(order, pause),
    revision,
    shopId,
    paidAt: snapshot?.paidAt ?? facts.paidAt ?? snapshot?.placedAt ?? null,
    isPaid: snapshot !== null && snapshot.payment !== 'unpaid',
    ignored: order.state === 'ignored' ? whyIgnored(order, connections) : null,
  };
}

function whyIgnored(order: KeptOrder, connections: readonly Connection[]): NothingReason | null {
  const connection = connections.find(({ id }) => id === order.connectionId);
  const wanted = connection === undefined ? null : expectedRecord(order, connection);
  return wanted?.kind === 'nothing' ? wanted.why : null;
}

function textOf({ id, sold }: After): string {
  return sold === null ? String(id) : `${id}~${sold}`;
}

function placeOf(after: string, { sold }: OrdersWanted): After | null {
  const [, id, at] = /^(\d{1,15})(?:~([\d:.TZ-]{10,40}))?$/.exec(after) ?? [];
  return id === undefined || (sold === null) !== (at === undefined) ? null : { id: Number(id), sold: at ?? null };
}

/**
 * `more`: further ones fit, beyond `limit`. `ignoredFor`: by an order's id, why it is ignored. `connections`: all of them. `unreadable`: rows of the
 * page that can't be read, by table, id and field.
 */
export type ListedOrders = {
  orders: OrderBrief[];
  ignoredFor: ReadonlyMap<number, string>;
  connections: readonly Connection[];
  unreadable: readonly Error[];
  more: boolean;
};

/** Orders, the newest first; `connection`: its id, the beginning of that, or its name; `number`: only those that a person may mean by it. */
export async function listOrders(
  { pool, connections }: { pool: Pool; connections: FindConnection },
  { limit, number, connection: named, ...filter }: Omit<OrdersFilter, 'ids'> & { number?: string; limit: number },
): Promise<ListedOrders> {
  const connection = named === undefined ? null : (await knownConnection(connections, named)).id;
  const ids = number === undefined ? undefined : await idsLikeName({ pool }, number, connection === null ? null : [connection]);
  const { orders, unreadable } = await keptOrders(pool, { ...filter, ...(connection === null ? {} : { connection }), ids, limit: limit + 1 });
  const all = await connections.list();
  const shown = orders.slice(0, limit);
  const pauses = await pausedOrders(pool, shown, all);
  const briefs = shown.map((order) => orderBrief(order, pauses.get(order.id) ?? null));
  return { orders: briefs, ignoredFor: reasons(shown, all), connections: all, unreadable, more: orders.length + unreadable.length > limit };
}

function reasons(views: readonly KeptOrder[], connections: readonly Connection[]): Map<number, string> {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  return new Map(
    views.flatMap((view) => {
      const connection = byId.get(view.connectionId);
      if (view.state !== 'ignored' || connection === undefined) return [];
      const wanted = expectedRecord(view, connection);
      const words = wanted.kind === 'nothing' ? ignoredWords(view, wanted.why, connection) : null;
      return words === null ? [] : [[view.id, words] as const];
    }),
  );
}

/** Anyone who looks at a page meanwhile waits for so many at most. */
const AT_ONCE = 250;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** What a column shows of an order. `text` is never a formula; `amount` is decimal text or null. */
export type CsvColumn = { label: string } & ({ text(order: FoundOrder): string } | { amount(order: FoundOrder): string | null });

type CsvOf = { wanted: OrdersWanted; columns: readonly CsvColumn[]; lang: Lang };

/** All orders that are wanted, page by page, as a spreadsheet of the language opens them. */
export async function* ordersCsv(deps: Parameters<typeof findOrders>[0], { wanted, columns, lang }: CsvOf): AsyncGenerator<Buffer> {
  yield Buffer.from(
    BYTE_ORDER_MARK +
      csvRow(
        columns.map(({ label }) => textCell(label)),
        lang,
      ),
  );
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof findOrders>> = await findOrders(deps, wanted, { after, size: AT_ONCE });
    yield Buffer.from(
      page.orders
        .map((order) =>
          csvRow(
            columns.map((column) => cell(column, order, lang)),
            lang,
          ),
        )
        .join(''),
    );
    after = page.next;
  }
}

function cell(column: CsvColumn, order: FoundOrder, lang: Lang): string {
  if ('text' in column) return textCell(column.text(order));
  const amount = column.amount(order);
  return amount === null ? '' : DECIMAL.test(amount) ? numberCell(amount, lang) : textCell(amount);
}
