import type { Connection } from '../../../bridge/connections/connection.ts';
import { type OrderFilter, ordersWanted, understood, type Wanted } from '../../../operations/orders/orders-wanted.ts';
import type { PageContext } from '../../base/page.ts';

/** What a visitor looks for, and the stores that they may see. */
export type OrderListRequest = { query: OrderFilter; stores: readonly Connection[]; wanted: Wanted };

/** The stores whose orders a person may see: an accountant, those of their shops. */
export async function visibleStores({ deps, person }: Pick<PageContext, 'deps' | 'person'>): Promise<Connection[]> {
  const all = await deps.connections.list();
  const { shops } = person;
  return shops === null ? all : all.filter(({ shopId }) => shops.includes(shopId));
}

/** `text`: a field of the address or of a form; '' if it has none. */
export async function orderListRequest(context: PageContext, text: (name: string) => string): Promise<OrderListRequest> {
  const stores = await visibleStores(context);
  const of = (name: keyof OrderFilter) => text(name);
  const fields = { q: of('q'), state: of('state'), store: of('store'), month: of('month'), code: of('code'), from: of('from'), to: of('to') };
  const query = understood({ ...fields, missing: of('missing'), action: of('action'), since: of('since'), mine: of('mine'), sort: of('sort') });
  const wanted = await ordersWanted(
    { pool: context.deps.pool, connections: stores, isAll: context.person.shops === null, now: context.deps.now(), person: context.person.id },
    query,
  );
  return { query, stores, wanted };
}

/** A field of the address. */
export function inAddress({ req }: Pick<PageContext, 'req'>): (name: string) => string {
  return (name) => {
    const value = req.query[name];
    return typeof value === 'string' ? value : '';
  };
}
