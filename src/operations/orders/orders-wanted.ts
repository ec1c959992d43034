import type { Connection } from '../../bridge/connections/connection.ts';
import type { OrdersWanted } from '../../bridge/ledger/find-orders.ts';
import { ORDER_STATES, type OrderState } from '../../bridge/order/order-state.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { addDays } from '../../service/law/months.ts';
import { namedAmong } from '../connections/named-among.ts';
import { sofiaMidnight, windowOf } from '../reconciliation/window.ts';
import { idsOfName } from './named-order.ts';
import { typedAmount } from './typed-amount.ts';

/**
 * What somebody looks for, as typed; '' stands for no choice. `q`: any number of an order, or an amount. `store`: id or name of a connection. `month`
 * ("2026-11"), `from` and `to` (days, both included): when it was paid or else placed. `code`: that it is parked with.
 */
export type OrdersQuery = { q: string; state: string; store: string; month: string; code: string; from: string; to: string };

/** `byNumber`: the orders were named, not filtered. */
export type Wanted = OrdersWanted & { byNumber: boolean };

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** The query without what can't be understood. */
export function understood(query: OrdersQuery): OrdersQuery {
  const { q, state, store, month, code, from, to } = query;
  const kept = (text: string, form: RegExp) => (form.test(text) ? text : '');
  return {
    q: q.trim().slice(0, 200),
    state: stateOf(state) ?? '',
    store,
    month: kept(month, MONTH),
    code: kept(code, /^[a-z.-]{1,60}$/),
    from: kept(from, DAY),
    to: kept(to, DAY),
  };
}

/** `connections`: those of the stores that the person may see; `isAll`: they are all there are. */
type Seen = { pool: Pool; connections: readonly Connection[]; isAll: boolean };

export async function ordersWanted({ pool, connections, isAll }: Seen, query: OrdersQuery): Promise<Wanted> {
  const { q, state, store, code } = query;
  const chosen = store === '' ? connections : namedAmong(connections, store);
  const byName = q === '' ? null : await idsOfName({ pool }, q);
  const amount = byName === null || byName.length > 0 ? null : typedAmount(q);
  return {
    connections: store === '' && isAll ? null : chosen.map(({ id }) => id),
    state: stateOf(state),
    code: code === '' ? null : code,
    sold: soldIn(query),
    total: amount,
    ids: amount === null ? byName : null,
    byNumber: byName !== null && byName.length > 0,
  };
}

function stateOf(state: string): OrderState | null {
  return ORDER_STATES.find((one) => one === state) ?? null;
}

function soldIn({ month, from, to }: OrdersQuery): OrdersWanted['sold'] {
  if (month === '' && from === '' && to === '') return null;
  const whole = month === '' ? null : windowOf({ month }, 0);
  const begins = [whole?.from, from === '' ? undefined : sofiaMidnight(from)].filter((one) => one !== undefined);
  const ends = [whole?.to, to === '' ? undefined : sofiaMidnight(addDays(to, 1))].filter((one) => one !== undefined);
  return { from: begins.toSorted().at(-1) ?? null, until: ends.toSorted()[0] ?? null };
}
