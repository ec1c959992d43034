import { z } from 'zod';
import { decimalsOf, exactMoney, formatMoney } from '../../../contract/money.ts';
import { type OutstandingDto, outstandingDto } from '../../../contract/outstanding-dto.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { termAt } from '../../term.ts';
import type { Outstanding } from '../summary/month-summary.ts';
import type { MonthKey } from './month-state.ts';

const kept = rowsOf('compliance.outstanding', outstandingDto);
const owned = rowsOf('compliance.shops', z.object({ id: z.string() }));
const entries = rowsOf(
  'compliance.outstanding',
  z.object({ shopId: z.string(), at: z.string(), month: z.string(), entry: outstandingDto.shape.months.element }),
);

const KEPT = `${isoText('at')} as at, months`;

/**
 * Keeps what a shop reports, unless it is older than what is kept: lists may arrive in another order than they were counted. Returns what is kept then;
 * null if the key has no such shop.
 */
export async function keepOutstanding(
  pool: Pool,
  { keyId, shopId, list }: { keyId: string; shopId: string; list: OutstandingDto },
): Promise<OutstandingDto | null> {
  return inTransaction(pool, async (tx) => {
    // Waits while a month of the shop is being marked as filed.
    const shop = await readRow(tx, owned, { text: 'select id from compliance.shops where id = $1 and api_key_id = $2 for share', values: [shopId, keyId] });
    if (shop === null) return null;
    await tx.query(
      `insert into compliance.outstanding as o (shop_id, at, months) values ($1, $2, $3)
       on conflict (shop_id) do update set at = excluded.at, months = excluded.months where o.at <= excluded.at`,
      [shopId, new Date(list.at), JSON.stringify(list.months)],
    );
    return readOne(tx, kept, { text: `select ${KEPT} from compliance.outstanding where shop_id = $1`, values: [shopId] });
  });
}

// A month may have been closed since it was reported: its orders would be listed in the next open one now.
const BY_MONTH = `
  select o.shop_id as "shopId", ${isoText('o.at')} as at, one.entry,
    to_char(compliance.month_for(o.shop_id, to_date(one.entry ->> 'month', 'YYYY-MM'), $2, $3), 'YYYY-MM') as month
  from compliance.outstanding o cross join lateral jsonb_array_elements(o.months) with ordinality one(entry, place)
  where o.shop_id = any($1) order by o.shop_id, one.place`;

/** The paid orders of a shop that are not recorded, by the month that would list them now. */
export async function outstandingByMonth(db: Queryable, shopId: string, now: Date): Promise<Map<string, Outstanding>> {
  return new Map((await outstandingOfShops(db, [shopId], now)).map(({ month, outstanding }) => [month, outstanding]));
}

/** The same of many shops. */
export async function outstandingOfShops(db: Queryable, shopIds: readonly string[], now: Date): Promise<(MonthKey & { outstanding: Outstanding })[]> {
  const { today, firstOpen } = termAt(now);
  const rows = await readRows(db, entries, { text: BY_MONTH, values: [shopIds, today, firstOpen] });
  return [...Map.groupBy(rows, ({ shopId, month }) => `${shopId} ${month}`).values()].flatMap((of) => {
    const [first] = of;
    return first === undefined ? [] : [{ shopId: first.shopId, month: first.month, outstanding: together(of) }];
  });
}

/** Absent: none, or nothing was ever reported. */
export async function readOutstanding(db: Queryable, { shopId, month }: MonthKey, now: Date): Promise<Outstanding | undefined> {
  return (await outstandingByMonth(db, shopId, now)).get(month);
}

type Entry = z.output<typeof entries.schema>;

function together(rows: readonly Entry[]): Outstanding {
  const all = rows.map(({ entry }) => entry);
  return {
    at: rows[0]?.at ?? '',
    orders: all.reduce((sum, { orders }) => sum + orders, 0),
    totals: [...Map.groupBy(all, ({ currency }) => currency)].map(([currency, of]) => ({ currency, total: totalOf(of, currency) })),
    oldest: all.map(({ oldest }) => new Date(oldest).toISOString()).toSorted()[0] ?? '',
    codes: codesOf(all),
  };
}

function totalOf(of: readonly Entry['entry'][], currency: string): string {
  const decimals = decimalsOf(currency);
  return formatMoney(
    of.reduce((sum, { total }) => sum + exactMoney(total, decimals), 0n),
    decimals,
  );
}

function codesOf(all: readonly Entry['entry'][]): Outstanding['codes'] {
  const counts = new Map<string, number>();
  for (const [code, orders] of all.flatMap(({ codes }) => Object.entries(codes))) counts.set(code, (counts.get(code) ?? 0) + orders);
  return [...counts].map(([code, orders]) => ({ code, orders })).toSorted((a, b) => b.orders - a.orders || a.code.localeCompare(b.code));
}

const listingRows = rowsOf('compliance.audit_months', z.object({ own: z.string(), listed: z.string() }));

/** The month that would list an order now, for each of these months of a shop: one that was closed lists nothing more. */
export async function monthsListing(
  db: Queryable,
  { shopId, months, now }: { shopId: string; months: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, string>> {
  const { today, firstOpen } = termAt(now);
  const rows = await readRows(db, listingRows, {
    text: `select m as own, to_char(compliance.month_for($1, to_date(m, 'YYYY-MM'), $3, $4), 'YYYY-MM') as listed from unnest($2::text[]) m`,
    values: [shopId, months, today, firstOpen],
  });
  return new Map(rows.map(({ own, listed }) => [own, listed]));
}
