import { z } from 'zod';
import { endedBy, isTied } from '../../contract/money.ts';
import { recordLine } from '../../contract/record.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { readEach, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { sofiaDay } from '../law/calendar.ts';
import { countsOn, publishedUntil, sheetDayOf } from './counting-days.ts';
import { declaredAmounts, type RateAmounts } from './declared-amounts.ts';
import type { ExchangeRate, RateLookup } from './exchange-rate.ts';

/**
 * Orders in a currency on a day ("2026-11-20") whose rate is not known; `numbers` are those of the first twenty. `never`: it will never be known, because
 * the currency had ended, or is not in the sheet that counts on that day.
 */
export const missingRate = z.object({
  currency: z.string(),
  day: z.string(),
  orders: z.int(),
  numbers: z.array(z.string()),
  never: z.literal(true).exactOptional(),
});
export type MissingRate = z.output<typeof missingRate>;

const counted = missingRate.omit({ numbers: true, never: true }).extend({ isLacking: z.boolean() });

// A sheet that has it gives its rate with the next fetch or file.
const LACKS_IT = `exists (select from compliance.rate_sheets s where s.published_on <= m.day::date and s.counts_until >= m.day::date
  and not exists (select from compliance.exchange_rates r where r.published_on = s.published_on and r.currency = m.currency)) as "isLacking"`;

function withNever<Row extends z.output<typeof counted>>({ isLacking, ...row }: Row): Omit<Row, 'isLacking'> & Pick<MissingRate, 'never'> {
  return isLacking || endedBy(row.currency, row.day) !== null ? { ...row, never: true } : row;
}

const OFFSET = "'(Z|[+-][0-9]{2}:[0-9]{2})$'";

/** The day in Bulgaria of an order `o`, as `sofiaDay` computes it. PostgreSQL reads no offset of 16 hours or more in a timestamp. */
export const ORDER_DAY = `case when o.internal_created_at ~ ${OFFSET}
  then to_char((left(o.internal_created_at, 19)::timestamp - replace(substring(o.internal_created_at from ${OFFSET}), 'Z', '00:00')::interval)
    at time zone 'UTC' at time zone 'Europe/Sofia', 'YYYY-MM-DD') else left(o.internal_created_at, 10) end`;

// A replacement of a sale that a closed month lists counts in the month of the return, which shows its difference.
const MISSING = `
  select o.currency, ${ORDER_DAY} as day, count(*)::int as orders, (array_agg(o.internal_number order by o.document_number))[1:20] as numbers
  from compliance.orders o where o.shop_id = $1 and o.accounting_total is null and (o.month = $2 or o.month is null and exists (
    select from compliance.returns r where r.sale_id = o.sale_id and r.month = $2 and r.amount is null))
  group by 1, 2`;

const missingRows = rowsOf('compliance.orders', counted.extend({ numbers: missingRate.shape.numbers }));

/** The currencies and days whose rate is missing for a month's file ("2026-10") of a shop. */
export async function missingRates(pool: Queryable, { shopId, month }: { shopId: string; month: string }): Promise<MissingRate[]> {
  const text = `select m.*, ${LACKS_IT} from (${MISSING}) m order by m.day, m.currency`;
  return (await readRows(pool, missingRows, { text, values: [shopId, `${month}-01`] })).map(withNever);
}

const allRows = rowsOf('compliance.orders', counted);

/** The currencies and days for which recorded orders of any shop wait, the newest first. */
export async function allMissingRates(pool: Queryable): Promise<Omit<MissingRate, 'numbers'>[]> {
  const text = `select m.*, ${LACKS_IT} from (
    select o.currency, ${ORDER_DAY} as day, count(*)::int as orders from compliance.orders o where o.accounting_total is null group by 1, 2 order by 2 desc, 1 limit 200
  ) m order by m.day desc, m.currency`;
  return (await readRows(pool, allRows, { text })).map(withNever);
}

const missedRows = rowsOf('compliance.orders', z.object({ day: z.string() }));

/**
 * The days ("2026-11-20"), oldest first, whose sheet is not stored although it must be out and recorded orders wait for it. Without those on which the
 * sheet before is known to count: the currency is then not in it.
 */
export async function missedSheetDays(pool: Queryable, now: Date): Promise<string[]> {
  const rows = await readRows(pool, missedRows, { text: `select distinct ${ORDER_DAY} as day from compliance.orders o where o.accounting_total is null` });
  const until = publishedUntil(now);
  const days = [...new Set(rows.map(({ day }) => sheetDayOf(day)))].filter((day) => day <= until).sort();
  const known = await readRows(pool, sheetRows, { text: KNOWN_SHEETS, values: [days] });
  return days.filter((day) => !known.some(({ day: asked, ...sheet }) => asked === day && countsOn(day, sheet)));
}

const sheetRows = rowsOf(
  'compliance.rate_sheets',
  z.object({ day: z.string(), publishedOn: z.string(), countsUntil: z.string(), superseded: z.literal(false) }),
);

const KNOWN_SHEETS = `
  select asked.day, to_char(s.published_on, 'YYYY-MM-DD') as "publishedOn", to_char(s.counts_until, 'YYYY-MM-DD') as "countsUntil", false as superseded
  from unnest($1::text[]) asked(day) cross join lateral (
    select published_on, counts_until from compliance.rate_sheets where published_on <= asked.day::date order by published_on desc limit 1) s`;

/** How many orders got their accounting amounts, and how many still wait for a rate. */
export type FilledIn = { filled: number; missing: number };

const PAGE = 200;

const waitingOrder = z.object({
  id: z.string(),
  createdAt: z.string(),
  currency: z.string(),
  precision: z.int(),
  lineItems: z.array(recordLine),
  to: z.enum(['EUR', 'BGN']),
});
type WaitingOrder = z.output<typeof waitingOrder>;

const waitingOrders = rowsOf('compliance.orders', waitingOrder);

type Amounts = { id: string; currency: string; total: string; vat: string; byRate: readonly RateAmounts[]; exchange: ExchangeRate | null };

/** Fills in accounting amounts that are missing, where the rate is known by now. Page by page; several processes may run it at once. */
export async function fillInMissing(pool: Pool, lookup: RateLookup): Promise<FilledIn> {
  const result = { filled: 0, missing: 0 };
  for (let page = await waitingAfter(pool, null); page.last !== null; page = await waitingAfter(pool, page.last)) {
    const found: Amounts[] = [];
    for (const order of page.orders) {
      const amounts = await amountsOf(order, lookup);
      if (amounts !== null) found.push(amounts);
    }
    result.missing += page.size - found.length;
    result.filled += await store(pool, found);
  }
  return result;
}

const WAITING = `
  select id, internal_created_at as "createdAt", currency, precision, line_items as "lineItems", accounting_currency as "to"
  from compliance.orders where accounting_total is null and ($1::uuid is null or id > $1) order by id limit ${PAGE}`;

// An order that can't be read keeps waiting, and its month's file says why; the others get their amounts.
async function waitingAfter(pool: Pool, id: string | null): Promise<{ orders: WaitingOrder[]; size: number; last: string | null }> {
  const { readable, unreadable } = await readEach(pool, waitingOrders, { text: WAITING, values: [id] });
  const ids = [...readable, ...unreadable].map((row) => String(row.id)).sort();
  return { orders: readable, size: ids.length, last: ids.at(-1) ?? null };
}

async function amountsOf(order: WaitingOrder, lookup: RateLookup): Promise<Amounts | null> {
  const { id, to } = order;
  const exchange = isTied(order.currency) ? null : await lookup(order.currency, sofiaDay(order.createdAt));
  const declared = declaredAmounts(order, { to, rate: exchange });
  return declared === null ? null : { id, currency: to, total: declared.total, vat: declared.vat, byRate: declared.byRate, exchange };
}

// Rows that another process has locked are left to it.
const STORE = `
  with amounts as (
    select * from jsonb_to_recordset($1::jsonb) as a(id uuid, currency text, total numeric, vat numeric, "byRate" jsonb, exchange jsonb)
  ), mine as materialized (
    select o.id from compliance.orders o where o.id in (select a.id from amounts a) and o.accounting_total is null order by o.id for update skip locked
  )
  update compliance.orders o set accounting_total = a.total, accounting_vat = a.vat, accounting_by_rate = a."byRate", exchange = nullif(a.exchange, 'null'::jsonb)
  from amounts a, mine where mine.id = a.id and o.id = a.id and o.accounting_currency = a.currency`;

async function store(pool: Pool, amounts: readonly Amounts[]): Promise<number> {
  if (amounts.length === 0) return 0;
  const { rowCount } = await pool.query(STORE, [JSON.stringify(amounts)]);
  return rowCount ?? 0;
}
