import type { Connection } from '../../bridge/connections/connection.ts';
import type { OrdersWanted } from '../../bridge/ledger/orders/find-orders.ts';
import { type ChangeSince, ordersSince } from '../../bridge/ledger/orders/orders-since.ts';
import { MOST_NAMED } from '../../bridge/ledger/orders/read-orders.ts';
import { assignedOrders } from '../../bridge/ledger/review/assignment-store.ts';
import { ordersOfBulkAction } from '../../bridge/ledger/review/bulk-action-store.ts';
import { ORDER_STATES, type OrderState } from '../../bridge/order/decisions/order-state.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { namedAmong } from '../connections/known-connection.ts';
import { dayRange, instantsOf, isInstant } from '../day-range.ts';
import { type MissingOrders, missingOrders } from '../months/outstanding.ts';
import { windowOf } from '../reconciliation/window.ts';
import { idsLikeName } from './named-order.ts';

/**
 * What somebody looks for, as typed; '' stands for no choice. `q`: any number of an order, or an amount. `store`: id or name of a connection. `month`
 * ("2026-11"), `from` and `to` (days, both included): when it was paid or else placed. `code`: that it needs review with. `state` "asked": in review or
 * unconfirmed. `missing`: id of a shop and month ("UUID_2026-11"), whose file will lack the order. `action`: id of a bulk action that it was part of.
 * `since` ("recorded_INSTANT", "asked_INSTANT"): what became of it since then. `mine` "1": that are assigned to who looks.
 * `sort` "6": those first that were paid first, "-6": last; "4" and "-4": by the total; the number is that of the column in the list.
 */
export type OrderFilter = typeof everyOrder;

/** No choice at all. */
export const everyOrder = { q: '', state: '', store: '', month: '', code: '', from: '', to: '', missing: '', action: '', since: '', mine: '', sort: '' };

/** `isCut`: not all of this name, or not all that may be missing in a month, were looked at. */
export type Wanted = OrdersWanted & { isCut: boolean };

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const MISSING = /^[0-9a-f-]{36}_\d{4}-(?:0[1-9]|1[0-2])$/;

/** Of the orders of which something became since an instant, only the newest are listed. */
const MOST_SINCE = 10_000;

/** Of the orders that somebody looks after, only so many are listed. */
const MOST_MINE = 10_000;

/** The query without what can't be understood. */
export function understood(query: OrderFilter): OrderFilter {
  const { q, state, store, month, code, missing, action, since, mine, sort } = query;
  const kept = (text: string, form: RegExp) => (form.test(text) ? text : '');
  return {
    q: q.trim().slice(0, 200),
    state: stateOf(state) ?? '',
    store,
    month: kept(month, MONTH),
    code: kept(code, /^[a-z.-]{1,60}$/),
    ...dayRange(query),
    missing: kept(missing, MISSING),
    action: isUuid(action) ? action : '',
    since: becameIn(since) === null ? '' : since,
    mine: kept(mine, /^1$/),
    sort: kept(sort, /^-?[46]$/),
  };
}

/** What became of orders since when, by a filter; null: it says nothing. */
export function becameIn(filter: string): { became: ChangeSince; since: string } | null {
  const [became, since = ''] = filter.split('_');
  return (became === 'recorded' || became === 'asked') && isInstant(since) ? { became, since } : null;
}

const ORDERS_BY: Readonly<Record<string, Pick<OrdersWanted, 'isOldestFirst' | 'byTotal'>>> = {
  '6': { isOldestFirst: true },
  '4': { byTotal: 'asc' },
  '-4': { byTotal: 'desc' },
};

/** `connections`: those of the stores that the person may see; `isAll`: they are all there are. `person`: the id of who looks. */
type Seen = { pool: Pool; connections: readonly Connection[]; isAll: boolean; now: Date; person?: string };

export async function ordersWanted({ pool, connections, isAll, now, person }: Seen, query: OrderFilter): Promise<Wanted> {
  const { q, state, store, code } = query;
  const chosen = idsOfStores({ connections, isAll }, store);
  const byName = q === '' ? null : await idsLikeName({ pool }, q, chosen);
  const amount = byName === null || byName.length > 0 ? null : typedAmount(q);
  const lacked = query.missing === '' ? null : await missingIn({ pool, connections, now }, query.missing);
  const named = amount === null ? byName : null;
  const acted = query.action === '' ? null : await ordersOfBulkAction(pool, query.action);
  const since = becameIn(query.since);
  const changed = since === null ? null : await ordersSince(pool, { ...since, connections: chosen, most: MOST_SINCE + 1 });
  const mine = query.mine === '' || person === undefined ? null : await assignedTo(pool, person);
  return {
    connections: chosen,
    state: stateOf(state),
    code: code === '' ? null : code,
    sold: soldIn(query),
    ...ORDERS_BY[query.sort],
    total: amount,
    ids: inAll([named, lacked?.ids ?? null, acted, changed, mine]),
    isCut: lacked?.isCut === true || (named?.length ?? 0) > MOST_NAMED || (changed?.length ?? 0) > MOST_SINCE,
  };
}

/** Null: of all. */
function idsOfStores({ connections, isAll }: Pick<Seen, 'connections' | 'isAll'>, store: string): string[] | null {
  if (store === '' && isAll) return null;
  return (store === '' ? connections : namedAmong(connections, store)).map(({ id }) => id);
}

async function assignedTo(pool: Pool, person: string): Promise<number[]> {
  return (await assignedOrders(pool, { ids: null, person, most: MOST_MINE })).map(({ id }) => id);
}

/** The ids that are in each list; null: no list says anything. */
function inAll(lists: readonly (readonly number[] | null)[]): readonly number[] | null {
  const [first, ...others] = lists.filter((list) => list !== null);
  const sets = others.map((list) => new Set(list));
  return first?.filter((id) => sets.every((set) => set.has(id))) ?? null;
}

/** Of a shop of which no store may be seen, none. */
function missingIn(deps: Pick<Seen, 'pool' | 'connections' | 'now'>, missing: string): Promise<MissingOrders> {
  const [shopId = '', month = ''] = missing.split('_');
  return missingOrders(deps, { shopId, month });
}

function stateOf(state: string): OrderState | 'asked' | null {
  if (state === 'asked') return state;
  return ORDER_STATES.find((one) => one === state) ?? null;
}

// Those of which no time is known have no place in an order by time.
function soldIn({ month, from, to, sort }: OrderFilter): OrdersWanted['sold'] {
  if ([month, from, to].every((one) => one === '') && !sort.endsWith('6')) return null;
  const whole = month === '' ? null : windowOf({ month }, 0);
  const days = instantsOf({ from, to });
  const [begins, ends] = [
    [whole?.from ?? null, days.from],
    [whole?.to ?? null, days.until],
  ].map((all) => all.filter((one) => one !== null).toSorted());
  return { from: begins?.at(-1) ?? null, until: ends?.[0] ?? null };
}

const CURRENCY = /^(?:[a-z]{3}|[€$£])\s*|\s*(?:[a-z]{3}|[€$£]|лв\.?)$/giu;
const BLANKS = /[\s\u00a0\u202f]/gu;
const DECIMAL = /^\d{1,15}(?:\.\d{1,4})?$/;

/** Decimal text of an amount as people type it: "36.00", "36,00 EUR", "1 234,50 лв." Null: it is none. */
export function typedAmount(typed: string): string | null {
  const bare = typed.trim().replace(CURRENCY, '').replace(BLANKS, '');
  const [comma, point] = [bare.lastIndexOf(','), bare.lastIndexOf('.')];
  const decimal = comma > point ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '');
  return DECIMAL.test(decimal) ? decimal : null;
}
