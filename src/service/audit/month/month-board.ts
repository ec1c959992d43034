import { z } from 'zod';
import type { TiedCurrency } from '../../../contract/money.ts';
import { typesWithoutReceipt } from '../../../contract/order-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { addMonths, monthOf, sofiaDay } from '../../law/calendar.ts';
import { accountingCurrencyOf } from '../../law/currencies.ts';
import { termAt } from '../../term.ts';
import type { MonthSituation, Outstanding } from '../summary/month-summary.ts';
import { changesOf } from './changes-since.ts';
import { IS_RETURN } from './counted-month.ts';
import type { AuditDeps } from './generate-month.ts';
import { storedSituation } from './list-months.ts';
import { isSettled, type MonthKey, monthState, storedOutstanding, subjectOf } from './month-state.ts';
import { outstandingOfShops } from './outstanding.ts';
import { shopHeader } from './shop-of-month.ts';

/** This month and those before it, done or not. */
const RECENT = 3;
/** How far back a month with sales counts that was never looked at. */
const UNMADE = 24;

const shopRow = z.object({ id: z.string(), name: z.string(), company: z.string(), since: z.string() });
const shops = rowsOf('compliance.shops', shopRow);

/** A shop whose months are filed; a test shop has none. `since`: its first month here. */
export type BoardShop = z.output<typeof shopRow>;

// What many shops have in common, and their places among those asked about: thousands of rows would be read one by one.
const outlineRow = z.object({
  places: z.array(z.int()),
  month: z.string(),
  state: monthState,
  isSettled: z.boolean(),
  attempt: z.enum(['blocked', 'empty']).nullable(),
  version: z.int().nullable(),
  orders: z.int(),
  returns: z.int(),
  isEmpty: z.boolean(),
});
const outlineRows = rowsOf('compliance.audit_months', outlineRow);
type OutlineRow = z.output<typeof outlineRow>;

/** A month of a shop that matters now, as far as it says where it belongs: there may be thousands. `hasOrders`: of one without a version. */
export type MonthOutline = MonthKey &
  Pick<OutlineRow, 'state' | 'version'> & { situation: MonthSituation['kind']; hasOrders: boolean; outstanding: Outstanding | null };

const inMonth = (alias: string, shop: string, month: string) => `${alias}.shop_id = ${shop} and ${alias}.month = ${month}`;
const some = (table: string, where: string) => `exists (select from compliance.${table} where ${where})`;
const entry = (shop: string, month: string) => some('filed_sales f', `${inMonth('f', shop, month)} and f.entry is not null`);
const THE_ORDERS = inMonth('o', 'a.shop_id', 'a.month');
const THE_RETURNS = inMonth('r', 'a.shop_id', 'a.month');

// Only what decides is looked up. Of a month that was found empty only the orders count that its file would list.
const KEPT = `
  select shop.place, to_char(a.month, 'YYYY-MM') as month, a.state, coalesce(${isSettled('a')}, false) as "isSettled", a.attempt ->> 'kind' as attempt,
    case when a.state = 'filed' then a.filed_version
      else (select f.version from compliance.audit_files f where ${inMonth('f', 'a.shop_id', 'a.month')} order by f.version desc limit 1) end as version,
    (case when a.attempt ->> 'kind' = 'empty' then ${some('orders o', `${THE_ORDERS} and not (o.payment_type = any(compliance.left_out(a.shop_id, a.month, $6, $7)))`)} or ${entry('a.shop_id', 'a.month')}
      when a.state in ('open', 'nothing') then ${some('orders o', THE_ORDERS)} or ${entry('a.shop_id', 'a.month')} else false end)::int as orders,
    (case when a.attempt ->> 'kind' = 'empty' then ${some('returns r', `${THE_RETURNS} and ${IS_RETURN}`)} else false end)::int as returns,
    a.state in ('open', 'nothing') and not ${some('orders o', THE_ORDERS)} and not ${entry('a.shop_id', 'a.month')} and not ${some('returns r', THE_RETURNS)} as "isEmpty"
  from shop join compliance.audit_months a on a.shop_id = shop.id where`;

const FIRST_OF = ['orders', 'filed_sales', 'returns'].map(
  (table) => `(select t.month from compliance.${table} t where t.shop_id = s.id and t.month >= $4::date order by t.month limit 1)`,
);
const monthsBetween = (from: string, until: string) => `(extract(year from age(${until}, ${from})) * 12 + extract(month from age(${until}, ${from})) + 1)`;
// In the order of the index: a merchant with three months of orders would be taken to have some in each, and the table be read to its end for the others.
const HAS_ORDERS = `(select o.document_number from compliance.orders o where ${inMonth('o', 'c.id', 'c.month')} order by o.document_number limit 1) is not null`;

// Months that are over, in which something is, and of which nothing is kept. Of a shop that has a row for each month whose term is over only the last one
// is looked at.
const UNKEPT = `
  select c.place, to_char(c.month, 'YYYY-MM'), 'open', false, null, null, (${HAS_ORDERS} or ${entry('c.id', 'c.month')})::int, 0, false
  from (with s as (select s.id, shop.place, coalesce($5::date, $3::date - interval '1 month')::date as last,
        coalesce($5::date, greatest($6::date, date_trunc('month', s.created_at at time zone 'Europe/Sofia')::date) - interval '1 month')::date as closed
      from shop join compliance.shops s on s.id = shop.id)
    select x.id, x.place, x.month from (
      select s.id, s.place, m.month from s
        cross join lateral (select count(*) as months, min(a.month) as first from compliance.audit_months a
          where a.shop_id = s.id and a.month between $4::date and s.closed offset 0) k
        cross join lateral (select case when k.months < ${monthsBetween('$4::date', 's.closed')} then least(${FIRST_OF.join(', ')}) end as first offset 0) f
        cross join lateral (select m::date as month from generate_series(f.first, s.closed, interval '1 month') m
          where not ${some('audit_months a', inMonth('a', 's.id', 'm::date'))}) m
        where k.months < ${monthsBetween('f.first', 's.closed')} or k.first < f.first
      union all select s.id, s.place, s.last from s where s.last > s.closed and not ${some('audit_months a', inMonth('a', 's.id', 's.last'))}) x offset 0) c
  where ${HAS_ORDERS} or ${some('filed_sales f', inMonth('f', 'c.id', 'c.month'))} or (c.month >= $2::date and ${some('returns r', inMonth('r', 'c.id', 'c.month'))})`;

const OUTLINES = `with shop as (select id, (n - 1)::int as place from unnest($1::uuid[]) with ordinality x(id, n))
  select array_agg(place) as places, month, state, "isSettled", attempt, version, orders, returns, "isEmpty" from (${KEPT} a.month between $2::date and $3::date
    union all ${KEPT} a.state <> 'filed' and $5::date is null and a.month < $2::date
    union all ${UNKEPT}) x
  group by month, state, "isSettled", attempt, version, orders, returns, "isEmpty" order by month desc`;

/** The shops whose months are filed, by name; null: of all. */
export function boardShops(db: Queryable, only: readonly string[] | null): Promise<BoardShop[]> {
  return readRows(db, shops, {
    text: `select id, coalesce(details ->> 'name', id::text) as name, coalesce(details ->> 'companyName', '') as company,
        to_char(created_at at time zone 'Europe/Sofia', 'YYYY-MM') as since
      from compliance.shops where not test and ($1::uuid[] is null or id = any($1)) order by 2, 1`,
    values: [only],
  });
}

/** How many months may be chosen, done or not: this one and those before it. */
const CHOSEN = RECENT + UNMADE;

/** Those months, the newest first. */
export function monthsToChoose(now: Date): string[] {
  const last = monthOf(sofiaDay(now.toISOString()));
  return Array.from({ length: CHOSEN }, (_, n) => addMonths(last, -n));
}

type Deps = Omit<AuditDeps, 'replacementWaitMs'>;

const UNTOUCHED = { state: 'open', isSettled: false, attempt: null, version: null, orders: 0, returns: 0, isEmpty: true } as const;

/** The months of these shops that matter: the last ones, and all that are not done, the newest first. `only`: no month but this. */
export async function outlineMonths(
  { pool, now }: { pool: Queryable; now(): Date },
  all: readonly BoardShop[],
  only: string | null = null,
): Promise<MonthOutline[]> {
  const at = now();
  const ids = all.map(({ id }) => id);
  const recent = only === null ? monthsToChoose(at).slice(0, RECENT) : [only];
  const [last = '', from = last] = [recent[0], recent.at(-1)];
  const days = [from, last, only ?? addMonths(from, 1 - UNMADE)].map((month) => `${month}-01`);
  const values = [ids, ...days, only === null ? null : `${only}-01`, termAt(at).firstOpen, [...typesWithoutReceipt]];
  const [listed, rows] = await Promise.all([outstandingOfShops(pool, ids, at), readRows(pool, outlineRows, { text: OUTLINES, values })]);
  const known = new Map(rows.map(({ month }) => [month, new Array<OutlineRow | undefined>(all.length)]));
  for (const row of rows) for (const place of row.places) known.get(row.month)?.fill(row, place, place + 1);
  const left = Map.groupBy(listed, ({ shopId }) => shopId);
  const outline = (month: string, place: number): MonthOutline[] => {
    const shop = all[place];
    const row = known.get(month)?.[place] ?? { ...UNTOUCHED, month };
    return shop === undefined ? [] : outlineOf(row, { shop, left: left.get(shop.id)?.find((one) => one.month === month)?.outstanding ?? null });
  };
  const isOther = ({ month }: Pick<MonthKey, 'month'>) => only === null && !recent.includes(month);
  const places = new Map(all.map(({ id }, place) => [id, place]));
  return [
    ...recent.flatMap((month) => all.flatMap((_, place) => outline(month, place))),
    ...rows.filter((row) => isOther(row) && !row.isSettled).flatMap(({ month, places: of }) => of.flatMap((place) => outline(month, place))),
    ...listed.filter(isOther).flatMap(({ shopId, month }) => {
      const place = places.get(shopId) ?? -1;
      return known.get(month)?.[place] === undefined ? outline(month, place) : [];
    }),
  ];
}

/** Nothing: it was before the shop, and nothing is known of it. */
function outlineOf(row: Omit<OutlineRow, 'places'>, { shop, left }: { shop: BoardShop; left: Outstanding | null }): MonthOutline[] {
  const { month, version } = row;
  const situation = storedSituation({ ...row, isEmpty: row.isEmpty && version === null && left === null }, shop.since);
  if (situation === 'not-ours') return [];
  const state = row.state === 'nothing' && !row.isSettled ? 'open' : row.state;
  return [{ shopId: shop.id, month, state, version, situation, hasOrders: row.orders > 0, outstanding: state === 'filed' ? null : left }];
}

/** It is filed, or there is nothing to file. */
export function isDone({ situation }: Pick<MonthOutline, 'situation'>): boolean {
  return situation === 'filed' || situation === 'nothing';
}

/** A month without orders and without a file is not: whether anything is to be filed is agreed with the accountant. */
export function isDue({ situation, hasOrders, outstanding }: MonthOutline): boolean {
  const isWithout = situation === 'open' || situation === 'empty' || situation === 'returns-only';
  return isWithout ? hasOrders || outstanding !== null : !isDone({ situation });
}

const row = z.object({
  shopId: z.string(),
  month: z.string(),
  errors: z.int(),
  cutAt: z.string().nullable(),
  header: shopHeader.nullable(),
  leftOut: z.array(z.string()).nullable(),
  filedOn: z.string().nullable(),
  incomingNumber: z.string().nullable(),
  filedWithout: storedOutstanding.nullable(),
  orders: z.int(),
  total: z.string(),
  vat: z.string(),
  currency: z.enum(['BGN', 'EUR']).nullable(),
  missingRates: z.int(),
});
const rows = rowsOf('compliance.audit_months', row);
type Row = z.output<typeof row>;

/**
 * Its sums are those of its last version, or of the one that is filed; without one, as of now. `errors` and `missingRates`: what its last attempt met.
 * `lacks`: changes since its version, where that is to be filed.
 */
export type BoardFigures = Pick<Row, 'orders' | 'total' | 'vat' | 'filedOn' | 'incomingNumber' | 'filedWithout' | 'errors' | 'missingRates'> & {
  currency: TiedCurrency;
  lacks: number;
};

const THE_FILE = 'f.shop_id = w.shop_id and f.month = w.month';
const met = (what: string) => `case when a.attempt ->> 'kind' = 'blocked' then coalesce(jsonb_array_length(a.attempt -> '${what}'), 0) else 0 end`;
const IS_EMPTY = `a.attempt ->> 'kind' = 'empty'`;

// The sums of a month with a version are stored with it; the others are added up.
const MONTHS = `
  select w.shop_id as "shopId", to_char(w.month, 'YYYY-MM') as month, ${met('errors')} as errors, to_char(f.cut_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cutAt", f.header, f.left_out as "leftOut",
    coalesce(a.filed_on, (a.filed_at at time zone 'Europe/Sofia')::date)::text as "filedOn", a.incoming_number as "incomingNumber", a.filed_without as "filedWithout",
    case when ${IS_EMPTY} then d.orders + (select count(*)::int from compliance.orders o where ${THE_ORDERS}
      and not (o.payment_type = any(compliance.left_out(a.shop_id, a.month, $3, $4)))) else coalesce((f.sums ->> 'orders')::int, c.orders + d.orders) end as orders,
    coalesce(f.sums ->> 'total', to_char(c.total + d.total, 'FM999999999999990.00')) as total,
    coalesce(f.sums ->> 'vat', to_char(c.vat + d.vat, 'FM999999999999990.00')) as vat, f.summary ->> 'currency' as currency,
    ${met('missingRates')} as "missingRates"
  from unnest($1::uuid[], $2::date[]) w(shop_id, month)
    left join compliance.audit_months a on a.shop_id = w.shop_id and a.month = w.month
    left join lateral (select f.version, f.cut_at, f.header, f.left_out, f.sums, f.summary from compliance.audit_files f where ${THE_FILE}
      and (a.state is distinct from 'filed' or f.version = a.filed_version) order by f.version desc limit 1) f on true
    cross join lateral (select count(*)::int as orders, coalesce(sum(o.accounting_total), 0) as total, coalesce(sum(o.accounting_vat), 0) as vat from compliance.orders o
      where f.version is null and o.shop_id = w.shop_id and o.month = w.month) c
    cross join lateral (select count(*)::int as orders, coalesce(sum((o.entry ->> 'accounting_total')::numeric), 0) as total,
        coalesce(sum((o.entry ->> 'accounting_vat')::numeric), 0) as vat from compliance.filed_sales o
      where (f.version is null or ${IS_EMPTY}) and o.shop_id = w.shop_id and o.month = w.month and o.entry is not null) d`;

/** These months with their figures, in the same order. */
export async function readMonths<Of extends MonthOutline>({ pool, now, currency }: Deps, outlines: readonly Of[]): Promise<(Of & BoardFigures)[]> {
  const at = now();
  const values = [outlines.map(({ shopId }) => shopId), outlines.map(({ month }) => `${month}-01`), termAt(at).firstOpen, [...typesWithoutReceipt]];
  const found = new Map((await readRows(pool, rows, { text: MONTHS, values })).map((one) => [subjectOf(one), one]));
  const versions = outlines.flatMap(({ situation, shopId, month }) => {
    const { cutAt = null, header = null, leftOut = null } = found.get(subjectOf({ shopId, month })) ?? {};
    return situation !== 'generated' || cutAt === null || header === null || leftOut === null ? [] : [{ shopId, month, cutAt, header, leftOut }];
  });
  const changes = versions.length === 0 ? [] : await changesOf(pool, versions, at);
  const lacks = new Map(versions.map((one, place) => [subjectOf(one), changes[place]?.count ?? 0]));
  return outlines.flatMap((outline) => {
    const one = found.get(subjectOf(outline));
    if (one === undefined) return [];
    const { header: _header, cutAt: _cutAt, leftOut: _leftOut, currency: declared, ...figures } = one;
    return { ...outline, ...figures, currency: declared ?? currency ?? accountingCurrencyOf(outline.month), lacks: lacks.get(subjectOf(outline)) ?? 0 };
  });
}

const checkedRows = rowsOf('compliance.acts', z.object({ subject: z.string(), version: z.int().nullable() }));

/** The version of each of these months whose sums a person compared with bookkeeping last; those of which nobody did are absent. */
export async function checkedVersions(db: Queryable, keys: readonly MonthKey[]): Promise<ReadonlyMap<string, number | null>> {
  const text = `select distinct on (subject) subject, (after ->> 'version')::int as version from compliance.acts
    where subject = any($1) and act = 'month.checked' order by subject, id desc`;
  const found = keys.length === 0 ? [] : await readRows(db, checkedRows, { text, values: [keys.map(subjectOf)] });
  return new Map(found.map(({ subject, version }) => [subject, version]));
}
