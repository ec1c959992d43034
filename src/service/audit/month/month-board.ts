import { z } from 'zod';
import type { TiedCurrency } from '../../../contract/money.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { addMonths, monthOf, sofiaDay } from '../../law/calendar.ts';
import { accountingCurrencyOf } from '../../law/currencies.ts';
import type { MonthSituation, Outstanding } from '../summary/month-summary.ts';
import { changesSince } from './changes-since.ts';
import { IS_RETURN } from './counted-month.ts';
import type { AuditDeps } from './generate-month.ts';
import { asListed, storedSituation } from './list-months.ts';
import { isSettled, monthState, storedOutstanding } from './month-state.ts';
import { outstandingOfShops } from './outstanding.ts';
import { shopHeader } from './shop-of-month.ts';

/** This month and those before it, done or not. */
const RECENT = 3;
/** How far back a month with sales counts that was never looked at. */
const UNMADE = 24;

const shopRow = z.object({ id: z.string(), name: z.string(), company: z.string() });
const shops = rowsOf('compliance.shops', shopRow);

/** A shop whose months are filed; a test shop has none. */
export type BoardShop = z.output<typeof shopRow>;

const row = z.object({
  shopId: z.string(),
  since: z.string(),
  month: z.string(),
  state: monthState,
  isSettled: z.boolean(),
  attempt: z.enum(['blocked', 'empty']).nullable(),
  errors: z.int(),
  version: z.int().nullable(),
  cutAt: z.string().nullable(),
  header: shopHeader.nullable(),
  leftOut: z.array(z.string()).nullable(),
  filedOn: z.string().nullable(),
  incomingNumber: z.string().nullable(),
  filedWithout: storedOutstanding.nullable(),
  orders: z.int(),
  entries: z.int(),
  returns: z.int(),
  total: z.string(),
  vat: z.string(),
  currency: z.enum(['BGN', 'EUR']).nullable(),
  missingRates: z.int(),
});
const rows = rowsOf('compliance.audit_months', row);
type Row = z.output<typeof row>;

/**
 * A month of a shop that matters now. Its sums are those of its last version, or of the one that is filed; without one, as of now. `errors` and
 * `missingRates`: what its last attempt met. `lacks`: changes since its version, where that is to be filed.
 */
export type BoardMonth = Pick<
  Row,
  'shopId' | 'month' | 'state' | 'orders' | 'total' | 'vat' | 'version' | 'filedOn' | 'incomingNumber' | 'errors' | 'missingRates'
> & {
  situation: MonthSituation['kind'];
  currency: TiedCurrency;
  lacks: number;
  outstanding: Outstanding | null;
  filedWithout: Outstanding | null;
};

/** What it lacks is read when it is wanted: that takes some statements for each month. */
export type ReadMonth = Omit<BoardMonth, 'lacks'> & { lacks(): Promise<number> };

const THE_FILE = 'f.shop_id = w.shop_id and f.month = w.month';
const OF_MONTH = (alias: string) => `${alias}.shop_id = s.id and ${alias}.month = m::date`;

// In the order of the index: a merchant with three months of orders would be taken to have some in each, and the table be read to its end for the others.
const HAS_ORDERS = `(select o.document_number from compliance.orders o where ${OF_MONTH('o')} order by o.document_number limit 1) is not null`;

// What is done is left out, but for the last months. The sums of a month with a version are stored with it; the others are added up.
const monthsSql = (isOne: boolean): string => `
  with wanted as (
    select s.id as shop_id, m::date as month from unnest($1::uuid[]) s(id) cross join generate_series($2::date, $3::date, interval '1 month') m
    union select a.shop_id, a.month from compliance.audit_months a where a.shop_id = any($1) and a.state <> 'filed'
    union select s.id, m::date from unnest($1::uuid[]) s(id) cross join generate_series($4::date, $2::date, interval '1 month') m
      where ${HAS_ORDERS} or exists (select from compliance.filed_sales o where ${OF_MONTH('o')})
    union select shop_id, to_date(month, 'YYYY-MM') from unnest($5::uuid[], $6::text[]) listed(shop_id, month)
  )
  select w.shop_id as "shopId", to_char(s.created_at at time zone 'Europe/Sofia', 'YYYY-MM') as since, to_char(w.month, 'YYYY-MM') as month,
    coalesce(a.state, 'open') as state, coalesce(${isSettled('a')}, false) as "isSettled", a.attempt ->> 'kind' as attempt,
    coalesce(jsonb_array_length(a.attempt -> 'errors'), 0) as errors, f.version, to_char(f.cut_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cutAt", f.header, f.left_out as "leftOut",
    coalesce(a.filed_on, (a.filed_at at time zone 'Europe/Sofia')::date)::text as "filedOn", a.incoming_number as "incomingNumber", a.filed_without as "filedWithout",
    coalesce((f.sums ->> 'orders')::int, c.orders + d.orders) as orders,
    c.orders + d.orders + (select count(*) from compliance.returns r where r.shop_id = w.shop_id and r.month = w.month)::int as entries,
    (select count(*) from compliance.returns r where r.shop_id = w.shop_id and r.month = w.month and ${IS_RETURN})::int as returns,
    coalesce(f.sums ->> 'total', to_char(c.total + d.total, 'FM999999999999990.00')) as total,
    coalesce(f.sums ->> 'vat', to_char(c.vat + d.vat, 'FM999999999999990.00')) as vat, f.summary ->> 'currency' as currency,
    coalesce(jsonb_array_length(a.attempt -> 'missingRates'), 0) as "missingRates"
  from wanted w join compliance.shops s on s.id = w.shop_id
    left join compliance.audit_months a on a.shop_id = w.shop_id and a.month = w.month
    left join lateral (select f.version, f.cut_at, f.header, f.left_out, f.sums, f.summary from compliance.audit_files f where ${THE_FILE}
      and (a.state is distinct from 'filed' or f.version = a.filed_version) order by f.version desc limit 1) f on true
    cross join lateral (select count(*)::int as orders, coalesce(sum(o.accounting_total), 0) as total, coalesce(sum(o.accounting_vat), 0) as vat from compliance.orders o
      where f.version is null and o.shop_id = w.shop_id and o.month = w.month) c
    cross join lateral (select count(*)::int as orders, coalesce(sum((o.entry ->> 'accounting_total')::numeric), 0) as total,
        coalesce(sum((o.entry ->> 'accounting_vat')::numeric), 0) as vat from compliance.filed_sales o
      where f.version is null and o.shop_id = w.shop_id and o.month = w.month and o.entry is not null) d
  where ${isOne ? 'w.month = $2::date' : `w.month >= $2::date or not (coalesce(a.state, 'open') = 'filed' or coalesce(${isSettled('a')}, false))`}
  order by w.month desc, w.shop_id`;

/** The shops whose months are filed, by name; null: of all. */
export function boardShops(db: Queryable, only: readonly string[] | null): Promise<BoardShop[]> {
  return readRows(db, shops, {
    text: `select id, coalesce(details ->> 'name', id::text) as name, coalesce(details ->> 'companyName', '') as company from compliance.shops where not test and ($1::uuid[] is null or id = any($1)) order by 2, 1`,
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

/** The months of these shops that matter: the last ones, and all that are not done, the newest first. `only`: no month but this. */
export async function readBoard({ pool, now, currency }: Deps, shopIds: readonly string[], only: string | null = null): Promise<ReadMonth[]> {
  const at = now();
  const last = monthOf(sofiaDay(at.toISOString()));
  const listed = await outstandingOfShops(pool, shopIds, at);
  const from = addMonths(last, 1 - RECENT);
  const months = only === null ? [from, last, addMonths(from, 1 - UNMADE)] : [only, only, only];
  const days = months.map((month) => `${month}-01`);
  const found = await readRows(pool, rows, {
    text: monthsSql(only !== null),
    values: [shopIds, ...days, listed.map(({ shopId }) => shopId), listed.map(({ month }) => month)],
  });
  const outstanding = new Map(listed.map((one) => [`${one.shopId} ${one.month}`, one.outstanding]));
  const board: ReadMonth[] = [];
  for (const one of found) {
    const left = outstanding.get(`${one.shopId} ${one.month}`) ?? null;
    const month = await boardMonth(pool, one, { left, currency, now: at });
    if (month !== null) board.push(month);
  }
  return board;
}

/** Null: it was before the shop, and nothing is known of it. */
async function boardMonth(
  db: Queryable,
  row: Row,
  { left, currency, now }: { left: Outstanding | null; currency: TiedCurrency | null; now: Date },
): Promise<ReadMonth | null> {
  const { shopId, month, version, cutAt, header, leftOut, filedWithout, filedOn, incomingNumber, orders, total, vat, errors, missingRates } = row;
  const situation = storedSituation({ ...(await asListed(db, row, now)), isEmpty: row.entries === 0 && version === null && left === null }, row.since);
  if (situation === 'not-ours') return null;
  const state = row.state === 'nothing' && !row.isSettled ? 'open' : row.state;
  return {
    ...{ shopId, month, state, situation, orders, total, vat, version, filedOn, incomingNumber, filedWithout },
    ...(row.attempt === 'blocked' ? { errors, missingRates } : { errors: 0, missingRates: 0 }),
    currency: row.currency ?? currency ?? accountingCurrencyOf(month),
    lacks: async () =>
      situation === 'generated' && cutAt !== null && header !== null && leftOut !== null
        ? (await changesSince(db, { shopId, month, cutAt, header, leftOut }, now)).count
        : 0,
    outstanding: state === 'filed' ? null : left,
  };
}
