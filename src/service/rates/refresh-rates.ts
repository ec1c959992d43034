import type { Pool } from '../../platform/postgres/postgres.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { isWorkingDay } from '../law/working-days.ts';
import { publishedUntil } from './counting-days.ts';
import { createRateLookup } from './create-rate-lookup.ts';
import { type FetchedRates, fetchRates, type RatesRequest } from './fetch-rates.ts';
import { type FilledIn, fillInMissing } from './fill-in-missing.ts';

/** `again`: to be retried in an hour. */
export type Refreshed = { fetched: FetchedRates; filledIn: FilledIn; again: boolean };

/**
 * The daily job: fetches the newest sheet, then fills in the rate of orders that wait for one. May be called at any time, by several processes.
 * `again` is true if there was no sheet, or if it is past 18:00 of a working day and the sheet is not of that day.
 */
export async function refreshRates(pool: Pool, request: RatesRequest): Promise<Refreshed> {
  const fetched = await fetchRates(pool, request);
  const filledIn = await fillInMissing(pool, createRateLookup({ pool }));
  return { fetched, filledIn, again: fetched.ok ? isLate(fetched.sheet, request.now()) : !fetched.busy };
}

function isLate(sheet: string, now: Date): boolean {
  const today = sofiaDay(now.toISOString());
  return publishedUntil(now) === today && isWorkingDay(today) && sheet < today;
}
