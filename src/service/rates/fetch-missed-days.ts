import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { alone, storeSheet } from './fetch-rates.ts';
import type { SheetRequest } from './fetch-sheet.ts';
import { missedSheetDays } from './missing-rates.ts';

export type MissedDaysRequest = Omit<SheetRequest, 'url'> & {
  /** An address with {YYYY}, {MM} and {DD}, or {date}, in the place of the day. */
  dayUrl: string;
  now: () => Date;
  said?: Said;
};

/** Days ("2026-11-20") whose sheet came, and those whose did not. `why`: the last failure, for people. */
export type FetchedDays = { fetched: string[]; missed: string[]; why: string | null };

/** No more than this in one run: each is a request of its own. */
const MOST_DAYS = 31;

/** Fetches, one by one, the sheets of past days that recorded orders wait for. Null if another process is fetching at this moment. */
export async function fetchMissedDays(pool: Pool, request: MissedDaysRequest): Promise<FetchedDays | null> {
  return alone(pool, async () => {
    const result: FetchedDays = { fetched: [], missed: [], why: null };
    for (const day of (await missedSheetDays(pool, request.now())).slice(-MOST_DAYS)) {
      const why = await fetchDay(pool, day, request);
      if (why === null) result.fetched.push(day);
      else Object.assign(result, { missed: [...result.missed, day], why });
    }
    return result;
  });
}

/** Null if the sheet of that day is stored; else why not. */
async function fetchDay(pool: Pool, day: string, { dayUrl, now, said, ...request }: MissedDaysRequest): Promise<string | null> {
  const fetched = await storeSheet(pool, { ...request, url: addressOf(dayUrl, day) }, { now: now(), until: null, said });
  if (!fetched.ok) return fetched.why;
  return fetched.sheet === day ? null : `it has no sheet of ${day}: it sent that of ${fetched.sheet}`;
}

function addressOf(template: string, day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return template.replaceAll('{YYYY}', year).replaceAll('{MM}', month).replaceAll('{DD}', date).replaceAll('{date}', day);
}
