import { z } from 'zod';
import { typesWithoutReceipt } from '../../../contract/order-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { addDays, addMonths, monthOf, sofiaDay, sofiaTime } from '../../law/calendar.ts';
import { deadlineOf, firstMonthInTerm, LATEST_DAY, reminderOf } from '../../law/deadlines.ts';
import { termAt } from '../../term.ts';
import { isSettled, type MonthKey, THE_MONTH } from './month-state.ts';

/** On the shop's day its file is made after this hour in Bulgaria, when people are about to get up. */
const FROM_HOUR = 6;
/** How far back missed months are caught up. */
const MOST_MONTHS = 24;

const monthKeys = rowsOf('compliance.audit_months', z.object({ shopId: z.string(), month: z.string() }));
const sinceRows = rowsOf('compliance.audit_months', z.object({ since: z.string().nullable() }));

/** The last day whose shops are due. */
function servedUntil(now: Date): string {
  const today = sofiaDay(now.toISOString());
  return Number(sofiaTime(now.toISOString()).slice(0, 2)) >= FROM_HOUR ? today : addDays(today, -1);
}

const LAST = `select f.cut_at, f.header, f.left_out, compliance.left_out(shops.id, m::date, $6::date, $7::text[]) as left_now
  from compliance.audit_files f where f.shop_id = shops.id and f.month = m::date order by f.version desc limit 1`;
const CHANGED = `(
      with last as (${LAST})
      select exists (select from last where not (shops.header || coalesce((
          select one from jsonb_array_elements(shops.earlier) with ordinality as all_of(one, place)
          where to_char(m, 'YYYY-MM') < one ->> 'before' order by place limit 1), '{}')) @> last.header - '{companyName,companyAddress}'::text[])
        or exists (select from compliance.orders o, last where o.shop_id = shops.id and o.month = m::date and o.recorded_at > last.cut_at
          and o.payment_type <> all(last.left_now))
        or exists (select from last where last.left_out <> last.left_now)
        or exists (select from last, compliance.listed_then(shops.id, m::date, last.cut_at, last.left_out) d where d.sale_id is null)
        or exists (select from compliance.returns r, last where r.shop_id = shops.id and r.month = m::date and r.changed_at > last.cut_at)
    )`;

// A month whose last attempt failed is retried when something may have changed: rates that were missing, its orders, or the shop's settings. A file that
// lacks the latest changes is made again on the day of the reminder, on the shop's day if that is later, and on the last day of the term. A month may have
// sales that only a return or a closed month still knows. What the agency rejected waits for a correction: the same once more is not ready to be filed.
const DUE = `
  with shops as (
    select s.id, s.details || jsonb_build_object('eShopType', s.e_shop_type) as header, s.earlier_headers as earlier, (s.details ->> 'auditGenerationDay')::int as day, s.updated_at, least(
      date_trunc('month', s.created_at at time zone 'Europe/Sofia')::date, (select min(o.month) from compliance.orders o where o.shop_id = s.id),
      (select min(f.month) from compliance.filed_sales f where f.shop_id = s.id), (select min(r.month) from compliance.returns r where r.shop_id = s.id)) as first
    from compliance.shops s where not s.test and ($8::uuid is null or s.id = $8)
  )
  select shops.id as "shopId", to_char(m, 'YYYY-MM') as month
  from shops cross join lateral generate_series(greatest(shops.first, $2::date), $3::date, interval '1 month') m
    left join compliance.audit_months a on a.shop_id = shops.id and a.month = m::date
  where ($9::date is null or m::date = $9) and (m + interval '1 month')::date + least(shops.day, ${LATEST_DAY}) - 1 <= $1::date and coalesce(a.state, 'open') <> 'filed'
    and not coalesce(${isSettled('a')}, false) and (
    (a.scheduled_at is null and (a.state is distinct from 'rejected' or ${CHANGED}))
    or (a.state = 'generated' and m::date = $3::date
      and exists (select from unnest($5::date[] || ((m + interval '1 month')::date + shops.day - 1)) again
        where again <= $1::date and again > (a.scheduled_at at time zone 'Europe/Sofia')::date) and ${CHANGED})
    or (a.attempt is not null and a.attempted_at < $4::timestamptz - interval '55 minutes' and (
      jsonb_array_length(coalesce(a.attempt -> 'missingRates', '[]')) > 0
      or exists (select from compliance.orders o where o.shop_id = shops.id and o.month = m::date and o.recorded_at > a.attempted_at)
      or exists (select from compliance.deleted_orders d where d.shop_id = shops.id and d.affects = m::date and d.recorded_at > a.attempted_at)
      or (shops.updated_at > a.attempted_at and exists (select from compliance.orders o where o.shop_id = shops.id and o.month = m::date))
    ))
  ) order by m, shops.id limit 1000`;

/**
 * The months whose day has come and whose file was not made for it yet, missed ones included: the shop's day, and in time for the term at the latest.
 * `only`: none but this one.
 */
export async function dueMonths(db: Queryable, now: Date, only?: MonthKey): Promise<MonthKey[]> {
  const served = servedUntil(now);
  const last = lastEnded(now);
  const again = [reminderOf(last), deadlineOf(last)];
  const which = only === undefined ? [null, null] : [only.shopId, `${only.month}-01`];
  return readRows(db, monthKeys, {
    text: DUE,
    values: [served, `${addMonths(last, 1 - MOST_MONTHS)}-01`, `${last}-01`, now, again, termAt(now).firstOpen, [...typesWithoutReceipt], ...which],
  });
}

const laterEmpty = rowsOf('compliance.orders', z.object({ isEmpty: z.boolean() }));

/**
 * Is a later month that is over without orders as well? Then the mail of that one is enough: its page names those before it. It does not tell what they
 * have, so one with returns, or with orders that are left out, is mailed by itself.
 */
export async function isFollowedByEmpty(db: Queryable, { shopId, month }: MonthKey, now: Date): Promise<boolean> {
  const row = await readRow(db, laterEmpty, {
    text: `select exists (select from generate_series(to_date($2, 'YYYY-MM') + interval '1 month', to_date($3, 'YYYY-MM'), interval '1 month') m
       where not exists (select from compliance.orders o where o.shop_id = $1 and o.month = m::date)
         and not exists (select from compliance.filed_sales f where f.shop_id = $1 and f.month = m::date)
         and not exists (select from compliance.audit_months a where a.shop_id = $1 and a.month = m::date and a.state = 'nothing'))
       and not exists (select from compliance.returns r where r.shop_id = $1 and r.month = to_date($2, 'YYYY-MM'))
       and not exists (select from compliance.orders o where o.shop_id = $1 and o.month = to_date($2, 'YYYY-MM')) as "isEmpty"`,
    values: [shopId, month, lastEnded(now)],
  });
  return row?.isEmpty ?? false;
}

function lastEnded(now: Date): string {
  return addMonths(monthOf(sofiaDay(now.toISOString())), -1);
}

type Noted = MonthKey & { now: Date };

/** Notes that the file of this month was served on the shop's day. */
export function noteServed(db: Queryable, served: Noted): Promise<void> {
  return note(db, served, { column: 'scheduled_at', set: 'scheduled_at = $3, waiting_since = null, requested_at = null' });
}

/** Notes that the file waits for a replacement, and since when. */
export function noteWaiting(db: Queryable, waiting: Noted): Promise<void> {
  return note(db, waiting, { column: 'waiting_since', set: 'waiting_since = coalesce(audit_months.waiting_since, $3)' });
}

export function noteReminded(db: Queryable, reminded: Noted): Promise<void> {
  return note(db, reminded, { column: 'reminded_at', set: 'reminded_at = $3' });
}

async function note(db: Queryable, { shopId, month, now }: Noted, { column, set }: { column: string; set: string }): Promise<void> {
  await db.query(
    `insert into compliance.audit_months (shop_id, month, state, ${column}) values ($1, to_date($2, 'YYYY-MM'), 'open', $3)
     on conflict (shop_id, month) do update set ${set}`,
    [shopId, month, now],
  );
}

/** Since when a month's file waits for replacements, or its store was asked (ISO text); null if it does not, or was not. */
export async function noted(db: Queryable, column: 'waiting_since' | 'requested_at', { shopId, month }: MonthKey): Promise<string | null> {
  const row = await readRow(db, sinceRows, {
    text: `select ${isoText(column)} as since from compliance.audit_months where ${THE_MONTH}`,
    values: [shopId, month],
  });
  return row?.since ?? null;
}

/** SQL: is a shop `s`, with `a` its row of the month, yet to be reminded of the month? Not of one without orders: there is nothing to file. */
export function isToRemind(month: string): string {
  return `not s.test and coalesce(a.state, 'open') <> 'filed' and not coalesce(${isSettled('a')}, false) and a.reminded_at is null
    and (exists (select from compliance.orders o where o.shop_id = s.id and o.month = ${month})
      or exists (select from compliance.filed_sales f where f.shop_id = s.id and f.month = ${month})
      or (a.state in ('generated', 'rejected') and a.attempt ->> 'kind' is distinct from 'empty'))`;
}

// None on the day on which the file was mailed, or is still to be made, unless the term ends on it.
const TO_REMIND = `
  select s.id as "shopId", $1 as month from compliance.shops s
    left join compliance.audit_months a on a.shop_id = s.id and a.month = to_date($1, 'YYYY-MM')
  where ${isToRemind("to_date($1, 'YYYY-MM')")}
    and ($2::date = $4::date or case when a.scheduled_at is null then $2::date > $3::date else (a.scheduled_at at time zone 'Europe/Sofia')::date < $2::date end)
  order by s.id limit 1000`;

/** Months that are not marked as filed, from the day of the reminder to the end of the term. */
export async function monthsToRemindOf(db: Queryable, now: Date): Promise<MonthKey[]> {
  const served = servedUntil(now);
  const month = addMonths(monthOf(served), -1);
  if (served < reminderOf(month) || served > deadlineOf(month)) return [];
  return readRows(db, monthKeys, { text: TO_REMIND, values: [month, served, reminderOf(month), deadlineOf(month)] });
}

/** How long after the term a filed file may be rejected; the agency processes files within days. */
const REJECTION_DAYS = 30;
/** How long after the term a file that nobody marked as filed may still be made, or marked. */
const UNMARKED_DAYS = 365;

const old = (month: string) => `${month} < to_date($1, 'YYYY-MM') and (m.state = 'filed' or ${month} < to_date($2, 'YYYY-MM'))`;

/**
 * Removes the stored rows of deleted orders, which are kept to make a month's file again: once it is filed and no rejection is to be expected, or a year
 * after its term if nobody said so. Returns how many sales of closed months lost theirs.
 */
export async function purgeEntries(db: Queryable, now: Date): Promise<number> {
  const today = sofiaDay(now.toISOString());
  const values = [REJECTION_DAYS, UNMARKED_DAYS].map((days) => firstMonthInTerm(addDays(today, -days)));
  const { rowCount } = await db.query(
    `update compliance.filed_sales s set entry = null from compliance.filed_sales f left join compliance.audit_months m on m.shop_id = f.shop_id and m.month = f.month
     where s.id = f.id and f.entry is not null and ${old('f.month')}`,
    values,
  );
  await db.query(
    `update compliance.deleted_orders d set entry = null, listed_number = null, refund = null
     from compliance.deleted_orders e left join compliance.audit_months m on m.shop_id = e.shop_id and m.month = coalesce(e.month, e.affects)
     where d.id = e.id and (e.entry is not null or e.refund is not null) and ${old('coalesce(e.month, e.affects)')}`,
    values,
  );
  return rowCount ?? 0;
}
