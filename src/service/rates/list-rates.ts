import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { ExchangeRate } from './exchange-rate.ts';
import { storedRate } from './stored-rate.ts';

/** Days are "2026-11-20". Without `from`: the newest sheet up to `to`. */
export type RatesWanted = { currency?: string; from?: string; to?: string };

const LIST = `
  with wanted as (
    select currency, published_on, base, multiply, divide, source from compliance.exchange_rates
    where ($1::text is null or currency = $1) and ($3::date is null or published_on <= $3)
  )
  select currency, base, multiply::text, divide::text, to_char(published_on, 'YYYY-MM-DD') as "publishedOn", source from wanted
  where published_on >= coalesce($2::date, (select max(published_on) from wanted)) order by published_on, currency`;

const rates = rowsOf('compliance.exchange_rates', storedRate);

/** Stored rates by day, then currency. */
export async function listRates(pool: Queryable, { currency, from, to }: RatesWanted): Promise<ExchangeRate[]> {
  return readRows(pool, rates, { text: LIST, values: [currency ?? null, from ?? null, to ?? null] });
}
