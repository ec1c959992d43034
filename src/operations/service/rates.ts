import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { nothingBetween } from '../../service/rates/counting-days.ts';
import type { ExchangeRate } from '../../service/rates/exchange-rate.ts';
import { type Refreshed, refreshRates } from '../../service/rates/fetch-rates.ts';
import { allMissingRates, type FilledIn, fillInMissing, type MissingRate } from '../../service/rates/missing-rates.ts';
import { parseRates } from '../../service/rates/parse-rates.ts';
import { createRateLookup, importRates, listRates, listSheets, type RateSheet } from '../../service/rates/stored-rates.ts';
import { Refusal } from '../refusal.ts';

/** The newest sheets and the rates of the newest one; and what orders wait for. `newest` null: no sheet is stored. */
export type ShownRates = { newest: string | null; sheets: RateSheet[]; rates: ExchangeRate[]; missing: Omit<MissingRate, 'numbers'>[] };

const SHEETS = 20;

export async function showRates({ pool }: { pool: Pool }): Promise<ShownRates> {
  const [sheets, rates, missing] = await Promise.all([listSheets(pool, SHEETS), listRates(pool, {}), allMissingRates(pool)]);
  return { newest: sheets[0]?.publishedOn ?? null, sheets, rates, missing };
}

/** An XML file of the bank. `replace`: its values come before stored ones. `complete`: it lists every sheet from its first day to its last. */
export type RatesFile = { content: Uint8Array; replace: boolean; complete: boolean; by: Actor };

/** `different`: another value is stored for the same day, and `replace` was not given. */
export type ImportedSheets =
  | { ok: true; sheets: [string, ...string[]]; added: number; unchanged: number; replaced: number; waiting: FilledIn }
  | { ok: false; problems: readonly string[]; different: boolean };

/** Imports a file, all of it or nothing; orders that wait for a rate then get it. */
export async function importSheets({ pool }: { pool: Pool }, { content, replace, complete, by }: RatesFile): Promise<ImportedSheets> {
  const parsed = parseRates(content);
  if (!parsed.ok) return { ok: false, problems: parsed.problems, different: false };
  const counting = complete ? nothingBetween(parsed.sheets) : [];
  const imported = await importRates(pool, { rates: parsed.rates, now: new Date(), replace, counting, said: { by } });
  if (!imported.ok) return { ok: false, problems: imported.problems, different: imported.reason === 'different' };
  const { added, unchanged, replaced } = imported;
  return { ok: true, sheets: parsed.sheets, added, unchanged, replaced, waiting: await fillInMissing(pool, createRateLookup({ pool })) };
}

/** `url` null: BNB_RATES_URL is off. */
type Source = { url: string | null; dayUrl?: string | null | undefined; signal: AbortSignal; by: Actor };

export type FetchedSheet = Omit<Refreshed, 'fetched'> & { fetched: Extract<Refreshed['fetched'], { ok: true }> };

/** Fetches the newest sheet now, and those of missed days that orders wait for, as the service does every day. */
export async function fetchNewestSheet({ pool }: { pool: Pool }, { url, dayUrl = null, signal, by }: Source): Promise<FetchedSheet> {
  if (url === null)
    throw new Refusal('misconfigured', {
      en: 'BNB_RATES_URL is off: set it to the address of the bank’s XML sheet, or import a file',
      bg: 'BNB_RATES_URL е изключен: задайте адреса на XML таблицата на БНБ или внесете файл',
    });
  const { fetched, ...rest } = await refreshRates(pool, { url, dayUrl, now: () => new Date(), signal, said: { by } });
  if (!fetched.ok) throw new Refusal('unavailable', { en: `no rates were fetched: ${fetched.why}`, bg: `не бяха изтеглени курсове: ${fetched.why}` });
  return { fetched, ...rest };
}
