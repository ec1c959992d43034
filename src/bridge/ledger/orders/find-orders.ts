import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { ORDER_STATES, type OrderState } from '../../order/decisions/order-state.ts';
import { orderState } from '../order-columns.ts';

/**
 * Which orders. `connections`: those of these alone, and null: of all. `state` asked: in review or unconfirmed. `sold`: paid (or else placed) from an instant until before another one, ISO.
 * `total`: what the customer paid or has to pay, decimal text. `ids`: only those of them. `isOldestFirst`: the list begins at its other end. `byTotal`: it goes by what customers paid.
 */
export type OrdersWanted = {
  connections: readonly string[] | null;
  state: OrderState | 'asked' | null;
  code: string | null;
  sold: { from: string | null; until: string | null } | null;
  total: string | null;
  ids: readonly number[] | null;
  isOldestFirst?: boolean;
  byTotal?: 'asc' | 'desc' | null;
};

/** The place in the list after which a page begins; `sold` where it goes by that. */
export type After = { id: number; sold: string | null };

const placeRows = rowsOf('orders', z.object({ id: z.int(), sold: z.string().nullable() }));
const countRows = rowsOf('orders', z.object({ state: orderState, count: z.int() }));

const SOLD = 'o.sold_at';

/** A page of the list: the newest first, or where a time is wanted those sold last; `isBack`: those before the place instead, the nearest to it first. */
export async function findOrders(
  pool: Pool,
  wanted: OrdersWanted,
  { after, limit, isBack = false }: { after: After | null; limit: number; isBack?: boolean },
): Promise<After[]> {
  const isNewer = isBack !== (wanted.isOldestFirst ?? false);
  const isBySale = wanted.sold !== null;
  const way = isNewer ? 'asc' : 'desc';
  const columns = `o.id, ${isBySale ? SOLD : 'null::text'} as sold`;
  const listing = { after, limit, columns, order: isBySale ? `${SOLD} ${way}, o.id ${way}` : `o.id ${way}`, isNewer };
  const order = isBySale ? `sold collate "C" ${way}, id ${way}` : `id ${way}`;
  const page = async (some: OrdersWanted, together: Listing['together'] = null) => {
    const { text, values } = wantedSql(some, { ...listing, together });
    return readRows(pool, placeRows, { text: `select id, sold from (${text}) o order by ${order} limit ${limit}`, values });
  };
  const newest = await newestOfState(pool, wanted, { after, limit, isNewer });
  if (newest.length === limit) return newest;
  for (const sold of await nearDays(pool, wanted, { after, isNewer })) {
    const near = await page({ ...wanted, sold }, statesOf(wanted.state) ?? ORDER_STATES);
    if (near.length === limit) return near;
  }
  return page(wanted);
}

const DAY_MS = 86_400_000;
/** Of all stores, so many days are looked at before all time is. */
const NEAR_DAYS = [1, 8];

/** Times that begin where a page does; none if its orders are found by something else. */
async function nearDays(
  pool: Pool,
  wanted: OrdersWanted,
  { after, isNewer }: { after: After | null; isNewer: boolean },
): Promise<NonNullable<OrdersWanted['sold']>[]> {
  const { sold, connections, state } = wanted;
  if (sold === null || connections !== null || !isByState(wanted)) return [];
  const { from, until } = sold;
  const edge = after?.sold ?? (isNewer ? (from ?? (state === null ? await firstSale(pool) : null)) : (until ?? new Date().toISOString()));
  if (edge === null || Number.isNaN(Date.parse(edge))) return [];
  const at = (days: number) => new Date(Date.parse(edge) + days * DAY_MS).toISOString();
  return NEAR_DAYS.map((days) =>
    isNewer ? { from, until: until === null || at(days) < until ? at(days) : until } : { from: from === null || at(-days) > from ? at(-days) : from, until },
  );
}

/** When the first recorded order of all was paid, which costs one look at each store; null: none is recorded. */
async function firstSale(pool: Pool): Promise<string | null> {
  const each = `select o.sold_at from orders o where o.connection_id = c.id and o.state = 'recorded' and o.sold_at is not null order by o.sold_at limit 1`;
  return (await readOne(pool, placeRows, { text: `select 0 as id, min(sold_at) as sold from connections c cross join lateral (${each}) o`, values: [] })).sold;
}

/** So many orders are looked at before the states of each store are. */
const MOST_NEWEST = 1_000;

/** Of a state that most orders of all stores are in, those of a page; fewer than that say nothing. */
async function newestOfState(
  pool: Pool,
  wanted: OrdersWanted,
  { after, limit, isNewer }: { after: After | null; limit: number; isNewer: boolean },
): Promise<After[]> {
  const { connections, state, sold } = wanted;
  if (state === null || connections !== null || sold !== null || !isByState(wanted)) return [];
  const values: unknown[] = [statesOf(state)];
  const where = given(after, (one) => beyond(one, { isBySale: false, isNewer }, (value) => `$${values.push(value)}`));
  const order = `order by id ${isNewer ? 'asc' : 'desc'}`;
  const some = `select o.id, o.state from orders o where ${[...where, 'true'].join(' and ')} ${order} limit ${MOST_NEWEST}`;
  return readRows(pool, placeRows, { text: `select id, null::text as sold from (${some}) o where o.state = any($1) ${order} limit ${limit}`, values });
}

/** Their ids by what customers paid, beyond the first `skip`; of more than `most` in a state any. */
export async function findByTotal(pool: Pool, wanted: OrdersWanted, { skip, limit, most }: { skip: number; limit: number; most: number }): Promise<number[]> {
  const { text, values } = wantedSql(wanted, { after: null, limit: most, columns: 'o.id, o.total', order: null });
  const way = wanted.byTotal === 'asc' ? 'asc' : 'desc';
  const page = `select id, null::text as sold from (${text}) o order by total ${way} nulls last, id ${way} offset ${skip} limit ${limit}`;
  return (await readRows(pool, placeRows, { text: page, values })).map(({ id }) => id);
}

const seenRow = rowsOf('orders', z.object({ count: z.int(), digest: z.string(), at: z.string() }));
const chosenRow = rowsOf('orders', z.object({ ids: z.array(z.int()), digest: z.string() }));

/** How many orders in review there are, as at an instant (`at`, ISO, of the database). `digest`: of the id, revision and reason of each. */
export type SeenOrders = z.output<typeof seenRow.schema>;

// A sum is the same in any order. Of two sets that differ it is the same by chance once in 2^64.
const DIGEST = `count(*) || '.' || coalesce(sum(hashtextextended(a.order_ref || ' ' || a.revision || ' ' || a.kind, 0)), 0) as digest`;

function reviewSql(wanted: OrdersWanted, most: number, what: string): Sql {
  const { text, values } = wantedSql({ ...wanted, state: 'review' }, { after: null, limit: most, columns: 'o.id', order: null });
  return {
    text: `select ${what}, ${DIGEST} from (select id from (${text}) o limit ${most}) o join review_orders a on a.order_ref = o.id and a.state = 'review'`,
    values,
  };
}

/** All orders in review that are wanted, as they are now; of more than `most` any. */
export function seeInReview(pool: Pool, wanted: OrdersWanted, most: number): Promise<SeenOrders> {
  return readOne(pool, seenRow, reviewSql(wanted, most, `count(*) as count, ${isoText('now()')} as at`));
}

/** The same with their ids, the newest first. */
export function chooseInReview(pool: Pool, wanted: OrdersWanted, most: number): Promise<z.output<typeof chosenRow.schema>> {
  return readOne(pool, chosenRow, reviewSql(wanted, most, `coalesce(json_agg(a.order_ref order by a.order_ref desc), '[]') as ids`));
}

const numberRows = rowsOf('orders', z.object({ number: z.string() }));

/** What people call those of these orders that changed after an instant, the last ones first. */
export async function changedSince(pool: Pool, ids: readonly number[], { at, most }: { at: Date; most: number }): Promise<string[]> {
  const text = 'select coalesce(number, order_id) as number from orders where id = any($1::bigint[]) and updated_at > $2 order by updated_at desc limit $3';
  return (await readRows(pool, numberRows, { text, values: [ids, at, most] })).map(({ number }) => number);
}

type Sql = { text: string; values: unknown[] };
/** `together`: these states of a store are looked at at once, which costs one look at each store, and sorts all that it finds; null: each by itself. */
type Listing = { after: After | null; limit: number; columns: string; order: string | null; isNewer?: boolean; together?: readonly OrderState[] | null };
type Value = (one: unknown) => string;

// Each state of each store has its newest at the end of an index: so many of each are read, and merged.
function wantedSql(wanted: OrdersWanted, { after, limit, columns, order, isNewer = false, together = null }: Listing): Sql {
  const { connections, state, sold, total } = wanted;
  const values: unknown[] = [];
  const value: Value = (one) => `$${values.push(one)}`;
  const where = [...conditions(wanted, value), ...given(after, (one) => beyond(one, { isBySale: sold !== null, isNewer }, value))];
  const from = total !== null ? 'order_search f join orders o on o.id = f.order_ref' : isAsked(wanted) ? ASKED : 'orders o';
  const found = (...more: string[]) =>
    `select ${columns} from ${from} where ${[...more, ...where, 'true'].join(' and ')}${order === null ? '' : ` order by ${order}`} limit ${limit}`;
  const isAny = together === null && [connections, state, sold].every((one) => one === null);
  if (isAny || !isByState(wanted)) return { values, text: found(...fewConditions(wanted, value)) };
  const stores = connections === null ? 'select id from connections' : `select unnest(${value(connections)}::text[]) as id`;
  const bound = order === null ? ` limit ${limit}` : '';
  if (together !== null) {
    const each = found('o.connection_id = c.id', `o.state = any(${value(together)})`);
    return { values, text: `select o.* from (${stores}) c cross join lateral (${each}) o${bound}` };
  }
  const states = value(statesOf(state) ?? ORDER_STATES);
  const each = found('o.connection_id = c.id', 'o.state = s.state');
  const ofState = `select o.* from (${stores}) c cross join lateral (${each}) o`;
  // Where any of them will do, so many of a state are enough.
  return { values, text: `select o.* from unnest(${states}::text[]) s(state) cross join lateral (${ofState}${bound}) o` };
}

/** Are they found state by state, so that a bound is of each? */
function isByState(wanted: OrdersWanted): boolean {
  return wanted.ids === null && wanted.total === null && !isAsked(wanted);
}

/** Are they found among those about which a person is asked? */
function isAsked({ ids, total, code, state }: OrdersWanted): boolean {
  return ids === null && total === null && (code !== null || state === 'asked' || WAITING_STATES.some((one) => one === state));
}

// The rows of orders are wide, and those that wait for a person are in a narrow table, too.
const ASKED = '(select r.order_ref as id, r.connection_id, r.state, r.code as review_code, r.currency, r.total, r.sold_at from review_orders r) o';

function conditions({ code, sold }: OrdersWanted, value: Value): string[] {
  return [
    ...given(sold, () => `${SOLD} is not null`),
    ...given(sold?.from, (from) => `${SOLD} >= ${value(from)}`),
    ...given(sold?.until, (until) => `${SOLD} < ${value(until)}`),
    ...given(code, (one) => `o.review_code = ${value(one)} and o.state = 'review'`),
  ];
}

function fewConditions({ ids, total, connections, state }: OrdersWanted, value: Value): string[] {
  return [
    ...given(ids, (all) => `o.id = any(${value(all)}::bigint[])`),
    ...given(total, (amount) => `f.total = ${value(amount)}::numeric`),
    ...given(connections, (all) => `o.connection_id = any(${value(all)})`),
    ...given(statesOf(state), (some) => `o.state = any(${value(some)})`),
  ];
}

function beyond({ id, sold }: After, { isBySale, isNewer }: { isBySale: boolean; isNewer: boolean }, value: Value): string {
  const is = isNewer ? '>' : '<';
  return isBySale ? `(${SOLD}, o.id) ${is} (${value(sold)} collate "C", ${value(id)}::bigint)` : `o.id ${is} ${value(id)}`;
}

function given<One>(one: One | null | undefined, sql: (one: One) => string): string[] {
  return one === null || one === undefined ? [] : [sql(one)];
}

function statesOf(state: OrdersWanted['state']): readonly OrderState[] | null {
  if (state === null) return null;
  return state === 'asked' ? WAITING_STATES : [state];
}

const WAITING_STATES: readonly OrderState[] = ['review', 'unconfirmed'];

const foundRows = rowsOf('orders', z.object({ state: orderState, currency: z.string().nullable(), count: z.int(), total: z.string().nullable() }));

/** `isCut`: there may be more in each state than was counted, since the bound is of all together. `isSummed`: what they cost was added up; of too many it is not. */
type FoundSums = { found: z.output<typeof foundRows.schema>[]; isCut: boolean; isSummed: boolean };

/** Of those that are wanted: how many in each, and what customers paid in each currency; no more than `most` of one state, or where they are found by something else than it, of all. */
export async function sumFound(pool: Pool, wanted: OrdersWanted, most: number): Promise<FoundSums> {
  const sumsOf = (some: OrdersWanted, listing: Pick<Listing, 'limit' | 'together'>, money = 'o.currency, o.total') => {
    const { text, values } = wantedSql(some, { after: null, columns: `o.state, ${money}`, order: null, ...listing });
    const sums = `select state, currency, count(*)::int as count, trim_scale(sum(total))::text as total from (${text}) o group by state, currency`;
    return readRows(pool, foundRows, { text: sums, values });
  };
  const countOf = (found: FoundSums['found']) => found.reduce((all, { count }) => all + count, 0);
  if (wanted.connections === null && wanted.state === null && isByState(wanted)) {
    const recorded = await sumsOf({ ...wanted, state: 'recorded' }, { limit: most }, NO_MONEY);
    const isMuch = countOf(recorded) >= most;
    const together = [...FEW, ...WAITING_STATES, ...(isMuch ? [] : ['recorded' as const])];
    const few = await sumsOf(wanted, { limit: MOST_FEW + 1, together }, isMuch ? NO_MONEY : undefined);
    if (countOf(few) <= MOST_FEW) return { found: isMuch ? [...few, ...recorded] : few, isCut: false, isSummed: !isMuch };
  }
  const found = await sumsOf(wanted, { limit: most });
  return { found, isCut: !isByState(wanted) && countOf(found) >= most, isSummed: true };
}

/** Orders that are only counted are found by an index alone. */
const NO_MONEY = 'null::text as currency, null::numeric as total';

/** States that few orders are in for long, and how many of them are counted of all stores together. */
const FEW: readonly OrderState[] = ['queued', 'waiting', 'resolved', 'removed', 'ignored'];
const MOST_FEW = 50_000;

// Of all stores, those that wait for a person are in a table of their own, and one look at each store finds the other few. Where they are many, or recorded,
// each state of each store is looked at until there are enough.
const OF_ALL = `with few as materialized (select o.state from connections c cross join lateral (select o.state from orders o where o.connection_id = c.id and o.state = any($3)) o
    limit ${MOST_FEW + 1}), counted as materialized (select state, count(*) as count from few group by 1)`;
const COUNTED = `when s.state in ('review', 'unconfirmed') then (select count(*) from (select from review_orders r where r.state = s.state limit $2) r)
  when s.state = any($3) and (select sum(count) from counted) <= ${MOST_FEW} then least($2, coalesce((select count from counted k where k.state = s.state), 0))`;

/** How many orders are in each state, of these connections, or (null) of all; of a state none beyond `most` are counted. */
export async function countByState(pool: Pool, connections: readonly string[] | null, most: number): Promise<Map<OrderState, number>> {
  const stores = connections === null ? 'connections c' : 'unnest($3::text[]) c(id)';
  const each = `(select count(*) from (
        select from ${stores} cross join lateral (select from orders o where o.connection_id = c.id and o.state = s.state limit $2) o limit $2) counted)`;
  const rows = await readRows(pool, countRows, {
    text: `${connections === null ? OF_ALL : ''} select s.state, coalesce(${connections === null ? `case ${COUNTED} else ${each} end` : each}, 0)::int as count
      from unnest($1::text[]) s(state)`,
    values: [ORDER_STATES, most, connections ?? FEW],
  });
  return new Map(rows.map(({ state, count }) => [state, count]));
}
