import { z } from 'zod';
import { AnswerCache } from '../../platform/answer-cache.ts';
import { type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { sofiaDay } from '../law/calendar.ts';
import { type Counting, countsOn } from './counting-days.ts';
import { type ExchangeRate, type RateLookup, rateWords, storedRate } from './exchange-rate.ts';

type RatesToImport = {
  rates: readonly ExchangeRate[];
  now: Date;
  /** Replaces stored values that differ. */
  replace?: boolean;
  /** Days on which a sheet is known to count although they have none. */
  counting?: readonly Counting[];
  /** Absent: the daily work, which is not told. */
  said?: Authorship | undefined;
};

/** Not ok: nothing was stored, because of days in the future, or because other values are stored. */
type Imported =
  | { ok: true; added: number; unchanged: number; replaced: number }
  | { ok: false; reason: 'early' | 'different'; problems: [string, ...string[]] };

const MOST_PROBLEMS = 20;
const ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtext('compliance exchange rates'))";

/**
 * Stores published rates, all or none. Known values change nothing; another value for a currency and day is refused unless `replace` is set, and a day
 * in the future is refused. Orders that have their rate keep it.
 */
export async function importRates(pool: Pool, { rates, now, replace = false, counting = [], said }: RatesToImport): Promise<Imported> {
  const today = sofiaDay(now.toISOString());
  const [early, ...others] = rates.filter(({ publishedOn }) => publishedOn > today).map((rate) => `${name(rate)}: that day is yet to come`);
  if (early !== undefined) return refused('early', [early, ...others]);
  return await inTransaction(pool, async (tx) => {
    await tx.query(ONE_AT_A_TIME);
    const { same, different } = await compare(tx, rates);
    const [first, ...rest] = replace ? [] : different;
    if (first !== undefined) return refused('different', [first, ...rest]);
    await tx.query(INSERT_SHEETS, [JSON.stringify(rates)]);
    await tx.query(INSERT_RATES, [JSON.stringify(rates), now]);
    await tx.query(LET_COUNT, [JSON.stringify(counting)]);
    const done = { added: rates.length - same - different.length, unchanged: same, replaced: different.length };
    const days = rates.map(({ publishedOn }) => publishedOn).sort();
    const after = { from: days[0], to: days.at(-1), ...done };
    await writeServiceActs(tx, said === undefined ? [] : [{ ...authorOf(said), act: 'rates.imported', after }]);
    return { ok: true, ...done };
  });
}

function refused(reason: 'early' | 'different', [first, ...others]: [string, ...string[]]): Imported {
  return { ok: false, reason, problems: [first, ...others.slice(0, MOST_PROBLEMS - 1)] };
}

const GIVEN = `jsonb_to_recordset($1::jsonb) as g(currency text, base text, multiply numeric, divide numeric, "publishedOn" date, source text)`;

const COMPARE = `
  select r.currency, to_char(r.published_on, 'YYYY-MM-DD') as "publishedOn", r.base, r.multiply::text, r.divide::text,
    json_build_object('currency', g.currency, 'base', g.base, 'multiply', g.multiply::text, 'divide', g.divide::text) as given,
    (r.base, r.multiply, r.divide) = (g.base, g.multiply, g.divide) as same
  from ${GIVEN} join compliance.exchange_rates r on r.currency = g.currency and r.published_on = g."publishedOn"
  order by r.published_on, r.currency`;

const compared = rowsOf(
  'compliance.exchange_rates',
  storedRate.omit({ source: true }).extend({ given: storedRate.omit({ source: true, publishedOn: true }), same: z.boolean() }),
);

async function compare(tx: Queryable, rates: readonly ExchangeRate[]): Promise<{ same: number; different: string[] }> {
  const rows = await readRows(tx, compared, { text: COMPARE, values: [JSON.stringify(rates)] });
  const different = rows.filter(({ same }) => !same).map((row) => `${name(row)}: ${rateWords(row)} is stored, ${rateWords(row.given)} is given`);
  return { same: rows.length - different.length, different };
}

function name({ currency, publishedOn }: { currency: string; publishedOn: string }): string {
  return `${currency} of ${publishedOn}`;
}

const INSERT_SHEETS = `
  insert into compliance.rate_sheets (published_on, counts_until) select distinct g."publishedOn", g."publishedOn" from ${GIVEN} on conflict do nothing`;

const INSERT_RATES = `
  insert into compliance.exchange_rates (currency, published_on, base, multiply, divide, source, imported_at)
  select g.currency, g."publishedOn", g.base, g.multiply, g.divide, g.source, $2 from ${GIVEN}
  on conflict (currency, published_on) do update
    set base = excluded.base, multiply = excluded.multiply, divide = excluded.divide, source = excluded.source, imported_at = excluded.imported_at
    where (exchange_rates.base, exchange_rates.multiply, exchange_rates.divide) is distinct from (excluded.base, excluded.multiply, excluded.divide)`;

// Never past the next sheet, whether stored before or imported now.
const LET_COUNT = `
  update compliance.rate_sheets s set counts_until = greatest(s.counts_until, least(c.until,
    (select min(next.published_on) - 1 from compliance.rate_sheets next where next.published_on > s.published_on)))
  from jsonb_to_recordset($1::jsonb) as c(sheet date, until date) where s.published_on = c.sheet`;

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

const sheet = z.object({ publishedOn: z.string(), rates: z.int() });

/** A sheet of the bank, and how many rates of it are stored. */
export type RateSheet = z.output<typeof sheet>;

const sheets = rowsOf('compliance.exchange_rates', sheet);

/** The newest sheets, the newest first. */
export function listSheets(pool: Queryable, limit: number): Promise<RateSheet[]> {
  return readRows(pool, sheets, {
    text: `select to_char(published_on, 'YYYY-MM-DD') as "publishedOn", count(*) as rates from compliance.exchange_rates group by published_on
      order by published_on desc limit $1`,
    values: [limit],
  });
}

const CACHE_SIZE = 1_000;
const KNOWN_MS = 60_000;
/** Long enough for a burst of orders, short enough that a new rate is soon used. */
const UNKNOWN_MS = 2_000;

/** Finds the rate that counts for a currency on a day; never a guess. A known one is remembered for a minute, an unknown one for two seconds. */
export function createRateLookup({ pool, now = Date.now }: { pool: Pool; now?: () => number }): RateLookup {
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
