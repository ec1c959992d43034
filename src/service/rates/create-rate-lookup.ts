import { z } from 'zod';
import { AnswerCache } from '../../platform/answer-cache.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { countsOn } from './counting-days.ts';
import type { ExchangeRate, RateLookup } from './exchange-rate.ts';
import { storedRate } from './stored-rate.ts';

type Deps = { pool: Pool; now?: () => number };

const CACHE_SIZE = 1_000;
const KNOWN_MS = 60_000;
/** Long enough for a burst of orders, short enough that a new rate is soon used. */
const UNKNOWN_MS = 2_000;

/** Finds the rate that counts for a currency on a day; never a guess. A known one is remembered for a minute, an unknown one for two seconds. */
export function createRateLookup({ pool, now = Date.now }: Deps): RateLookup {
  const cache = new AnswerCache<ExchangeRate | null>({ freshMs: (rate) => (rate === null ? UNKNOWN_MS : KNOWN_MS), size: CACHE_SIZE, now });
  return (currency, day) => cache.get(`${currency} ${day}`, () => findRate(pool, currency, day));
}

const FIND = `
  select r.currency, r.base, r.multiply::text, r.divide::text, r.source,
    to_char(r.published_on, 'YYYY-MM-DD') as "publishedOn", to_char(s.counts_until, 'YYYY-MM-DD') as "countsUntil",
    exists (select from compliance.rate_sheets later where later.published_on > r.published_on and later.published_on <= $2) as superseded
  from compliance.exchange_rates r join compliance.rate_sheets s on s.published_on = r.published_on
  where r.currency = $1 and r.published_on <= $2 order by r.published_on desc limit 1`;

const foundRate = rowsOf('compliance.exchange_rates', storedRate.extend({ countsUntil: z.string(), superseded: z.boolean() }));

async function findRate(pool: Pool, currency: string, day: string): Promise<ExchangeRate | null> {
  const row = await readRow(pool, foundRate, { name: 'compliance.find-rate', text: FIND, values: [currency, day] });
  if (row === null || !countsOn(day, row)) return null;
  const { countsUntil: _, superseded: __, ...rate } = row;
  return rate;
}
