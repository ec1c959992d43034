import { z } from 'zod';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import { codeOf } from '../../platform/error-words.ts';
import { allowLongStatements, inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import { isWorkingDay, sofiaDay } from '../law/calendar.ts';
import { publishedUntil } from './counting-days.ts';
import { type FilledIn, fillInMissing, missedSheetDays } from './missing-rates.ts';
import { parseRates } from './parse-rates.ts';
import { createRateLookup, importRates } from './stored-rates.ts';

/** `again`: to be retried in an hour. `days`: past days that orders waited for; null if there was none, or no address takes a day. */
export type Refreshed = { fetched: FetchedRates; days: FetchedDays | null; filledIn: FilledIn; again: boolean };

/** `dayUrl`: see `MissedDaysRequest`; null or absent: missed days are not fetched. */
type RefreshRequest = RatesRequest & { dayUrl?: string | null };

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

type RatesRequest = SheetRequest & { now: () => Date; said?: Authorship };

/** `sheet`: the newest day in the answer. `busy`: another process is fetching at this moment, so this one did not. */
type FetchedRates = { ok: true; sheet: string; added: number; unchanged: number } | { ok: false; busy: boolean; why: string };

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
type ToStore = { now: Date; until: string | null; said?: Authorship | undefined };

/** Fetches what an address answers and stores it. Only one process at a time may: see `alone`. */
async function storeSheet(pool: Pool, request: SheetRequest, { now, until, said }: ToStore): Promise<FetchedRates> {
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

const LOCK = "select pg_try_advisory_xact_lock(hashtext('compliance fetch of exchange rates')) as mine";

const lockRow = rowsOf('the locks', z.object({ mine: z.boolean() }));

/** Runs `work` unless a process is running it already; then null. The lock ends with its transaction, so a killed process leaves none. */
function alone<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  return inTransaction(pool, async (tx) => {
    // Fetching may take longer than a transaction may idle, or a connection be silent; this one holds the lock, and no snapshot.
    await allowLongStatements(tx, '10min');
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    const { mine } = await readOne(tx, lockRow, { text: LOCK });
    return mine ? await work() : null;
  });
}

type MissedDaysRequest = Omit<SheetRequest, 'url'> & {
  /** An address with {YYYY}, {MM} and {DD}, or {date}, in the place of the day. */
  dayUrl: string;
  now: () => Date;
  said?: Authorship;
};

/** Days ("2026-11-20") whose sheet came, and those whose did not. `why`: the last failure, for people. */
export type FetchedDays = { fetched: string[]; missed: string[]; why: string | null };

/** No more than this in one run: each is a request of its own. */
const MOST_DAYS = 31;

/** Fetches, one by one, the sheets of past days that recorded orders wait for. Null if another process is fetching at this moment. */
async function fetchMissedDays(pool: Pool, request: MissedDaysRequest): Promise<FetchedDays | null> {
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

type SheetRequest = { url: string; timeoutMs?: number; maxBytes?: number; signal?: AbortSignal };

/** `why` is a sentence for people: which host returned no sheet, and what happened. */
type FetchedSheet = { ok: true; content: Uint8Array } | { ok: false; why: string };

const TIMEOUT_MS = 30_000;
const LARGEST = 5 * 1024 * 1024;
const MOST_REDIRECTS = 3;

/**
 * GETs a sheet of rates. Redirects are followed within the same host (with or without www), never from https to http. Failures are returned as `why`;
 * only the caller's own `signal` throws.
 */
async function fetchSheet({ url, timeoutMs = TIMEOUT_MS, maxBytes = LARGEST, signal }: SheetRequest): Promise<FetchedSheet> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const start = withoutCredentials(new URL(url));
  const { host } = start;
  try {
    const response = await follow(start, either);
    if (typeof response === 'string') return { ok: false, why: `${host} ${response}` };
    const content = await readUpTo(response, maxBytes);
    return content === null ? { ok: false, why: `${host} sends more than ${maxBytes} bytes, which is no sheet of rates` } : { ok: true, content };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { ok: false, why: `${host} gave no answer: ${timeout.aborted ? `it took more than ${timeoutMs / 1000} s` : networkWords(thrown)}` };
  }
}

// Fetch refuses credentials in an address, with an error text that contains them.
function withoutCredentials(url: URL): URL {
  url.username = '';
  url.password = '';
  return url;
}

/** The response with status 200, or words that follow the host's name. */
async function follow(start: URL, signal: AbortSignal): Promise<Response | string> {
  let url = start;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const response = await fetch(url.href, { signal, redirect: 'manual', headers: { accept: 'application/xml, text/xml', 'user-agent': 'orderbridge' } });
    if (response.status === 200) return response;
    await response.body?.cancel();
    const location = isRedirect(response.status) ? response.headers.get('location') : null;
    if (location === null) return `answers ${response.status}`;
    const next = URL.parse(location, url.href);
    if (next === null || !isSamePlace(url, next)) return `redirects to ${next?.host || 'an address that is none'}; if that is right, set it as the address`;
    url = withoutCredentials(next);
  }
  return `redirects more than ${MOST_REDIRECTS} times`;
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function isSamePlace(from: URL, to: URL): boolean {
  const bare = ({ host }: URL) => host.replace(/^www\./, '');
  const isSafe = to.protocol === 'https:' || to.protocol === from.protocol;
  return bare(from) === bare(to) && isSafe;
}

// Counted after decompression: a small response may expand to a large one.
async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the transfer.
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
};

// The error of fetch says only that it failed; its cause says why.
function networkWords(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const code = codeOf(cause);
  return NETWORK_WORDS[code] ?? (cause instanceof Error ? cause.message || code : String(cause));
}
