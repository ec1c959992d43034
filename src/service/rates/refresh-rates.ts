import type { Pool } from '../../platform/postgres/postgres.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { isWorkingDay } from '../law/working-days.ts';
import { publishedUntil } from './counting-days.ts';
import { createRateLookup } from './create-rate-lookup.ts';
import { type FetchedDays, fetchMissedDays } from './fetch-missed-days.ts';
import { type FetchedRates, fetchRates, type RatesRequest } from './fetch-rates.ts';
import { type FilledIn, fillInMissing } from './fill-in-missing.ts';

/** `again`: to be retried in an hour. `days`: past days that orders waited for; null if there was none, or no address takes a day. */
export type Refreshed = { fetched: FetchedRates; days: FetchedDays | null; filledIn: FilledIn; again: boolean };

/** `dayUrl`: see `MissedDaysRequest`; null or absent: missed days are not fetched. */
export type RefreshRequest = RatesRequest & { dayUrl?: string | null };

/**
 * The daily job: fetches the newest sheet, fills in the rate of orders that wait for one, and fetches the sheets of past days that others still wait for.
 * May be called at any time, by several processes. `again` is true if there was no sheet, or if it is past 18:00 of a working day and the sheet is not of
 * that day.
 */
export async function refreshRates(pool: Pool, { dayUrl = null, ...request }: RefreshRequest): Promise<Refreshed> {
  const fetched = await fetchRates(pool, request);
  const filledIn = await fillInMissing(pool, createRateLookup({ pool }));
  const again = fetched.ok ? isLate(fetched.sheet, request.now()) : !fetched.busy;
  if (filledIn.missing === 0 || dayUrl === null) return { fetched, days: null, filledIn, again };
  const { url: _, ...rest } = request;
  const days = await fetchMissedDays(pool, { ...rest, dayUrl });
  if (days === null || days.fetched.length === 0) return { fetched, days, filledIn, again };
  const { filled, missing } = await fillInMissing(pool, createRateLookup({ pool }));
  return { fetched, days, filledIn: { filled: filledIn.filled + filled, missing }, again };
}

function isLate(sheet: string, now: Date): boolean {
  const today = sofiaDay(now.toISOString());
  return publishedUntil(now) === today && isWorkingDay(today) && sheet < today;
}
