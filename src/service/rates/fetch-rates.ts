import { z } from 'zod';
import { holdConnection, type Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { publishedUntil } from './counting-days.ts';
import { fetchSheet, type SheetRequest } from './fetch-sheet.ts';
import { importRates } from './import-rates.ts';
import { parseRates } from './parse-rates.ts';

export type RatesRequest = SheetRequest & { now: () => Date; said?: Said };

/** `sheet`: the newest day in the answer. `busy`: another process is fetching at this moment, so this one did not. */
export type FetchedRates = { ok: true; sheet: string; added: number; unchanged: number } | { ok: false; busy: boolean; why: string };

/**
 * Fetches the bank's newest sheet and stores it, and that it was the newest at this moment. Only one process fetches at a time. Failed fetches are
 * returned with a sentence for people; errors of the database are thrown.
 */
export async function fetchRates(pool: Pool, request: RatesRequest): Promise<FetchedRates> {
  return (
    (await alone(pool, () => fetchAndStore(pool, request))) ?? { ok: false, busy: true, why: 'the rates are being fetched by another process at this moment' }
  );
}

async function fetchAndStore(pool: Pool, { now, said, ...request }: RatesRequest): Promise<FetchedRates> {
  // The sheet was the newest when it was requested; a newer one may be out when it arrives.
  const requestedAt = now();
  return storeSheet(pool, request, { now: requestedAt, until: publishedUntil(requestedAt), said });
}

/** `until`: the last day up to which the newest sheet of the answer is the newest of all; null: that is not known. */
type ToStore = { now: Date; until: string | null; said?: Said | undefined };

/** Fetches what an address answers and stores it. Only one process at a time may: see `alone`. */
export async function storeSheet(pool: Pool, request: SheetRequest, { now, until, said }: ToStore): Promise<FetchedRates> {
  const fetched = await fetchSheet(request);
  if (!fetched.ok) return failed(fetched.why);
  const parsed = parseRates(fetched.content);
  if (!parsed.ok) return failed(`${new URL(request.url).host} sent no rates: ${parsed.problems.join('; ')}`);
  const sheet = parsed.sheets.at(-1) ?? parsed.sheets[0];
  const imported = await importRates(pool, { rates: parsed.rates, now, counting: until === null ? [] : [{ sheet, until }], said });
  if (!imported.ok) {
    const advice = imported.reason === 'different' ? '; if the new values are right, import the sheet with --replace' : '';
    return failed(`the sheet of ${new URL(request.url).host} was not stored: ${imported.problems.join('; ')}${advice}`);
  }
  return { ok: true, sheet, added: imported.added, unchanged: imported.unchanged };
}

function failed(why: string): FetchedRates {
  return { ok: false, busy: false, why };
}

const LOCK = "hashtext('compliance fetch of exchange rates')";

const lockRow = rowsOf('the locks', z.object({ mine: z.boolean() }));

/** Runs `work` unless a process is running it already; then null. The lock ends with the connection, so a killed process leaves none. */
export async function alone<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  using held = await holdConnection(pool);
  const { client } = held;
  const { mine } = await readOne(client, lockRow, { text: `select pg_try_advisory_lock(${LOCK}) as mine` });
  if (!mine) return null;
  try {
    return await work();
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`).catch(held.broken);
  }
}
