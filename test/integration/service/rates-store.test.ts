import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateService } from '../../../src/service/database/service-tables.ts';
import type { ExchangeRate } from '../../../src/service/rates/exchange-rate.ts';
import { parseRates } from '../../../src/service/rates/parse-rates.ts';
import { createRateLookup, importRates, listRates } from '../../../src/service/rates/stored-rates.ts';
import { publish } from '../../support/samples/rates.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';

const now = new Date('2026-11-20T10:00:00Z');
const usd: ExchangeRate = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1720', publishedOn: '2026-11-19', source: 'BNB' };
const gbp: ExchangeRate = { ...usd, currency: 'GBP', divide: '0.8731' };

let postgres: TestPostgres;
let pool: pg.Pool;
let endPool: () => Promise<void>;

beforeAll(async () => {
  postgres = await startPostgres();
  ({ pool, end: endPool } = openPool(postgres.url));
  await migrateService(pool);
});
beforeEach(async () => {
  await pool.query('truncate compliance.rate_sheets cascade');
});
afterAll(async () => {
  await endPool();
  await postgres[Symbol.asyncDispose]();
});

function lookUp(currency: string, day: string) {
  return createRateLookup({ pool })(currency, day);
}

describe('importing', () => {
  test('stores rates digit for digit', async () => {
    const imported = await importRates(pool, { rates: [usd, gbp], now });

    expect(imported).toEqual({ ok: true, added: 2, unchanged: 0, replaced: 0 });
    expect(await listRates(pool, {})).toEqual([gbp, usd]);
  });

  test('known values change nothing, in any notation', async () => {
    await importRates(pool, { rates: [usd], now });

    const again = await importRates(pool, { rates: [{ ...usd, divide: '1.172' }, gbp], now });

    expect(again).toEqual({ ok: true, added: 1, unchanged: 1, replaced: 0 });
    expect(await listRates(pool, {})).toEqual([gbp, usd]);
  });

  test('another value for the same day is refused, with the rest of its sheet', async () => {
    await importRates(pool, { rates: [usd], now });

    const other = await importRates(pool, { rates: [{ ...usd, divide: '1.2' }, gbp], now });

    expect(other).toEqual({ ok: false, reason: 'different', problems: ['USD of 2026-11-19: 1 EUR = 1.1720 USD is stored, 1 EUR = 1.2 USD is given'] });
    expect(await listRates(pool, {})).toEqual([usd]);
  });

  test('unless `replace` is set', async () => {
    await importRates(pool, { rates: [usd, gbp], now });

    const other = await importRates(pool, { rates: [{ ...usd, divide: '1.2' }, gbp], now, replace: true });

    expect(other).toEqual({ ok: true, added: 0, unchanged: 1, replaced: 1 });
    expect(await listRates(pool, { currency: 'USD' })).toEqual([{ ...usd, divide: '1.2' }]);
  });

  test('a day in the future is refused', async () => {
    const imported = await importRates(pool, { rates: [{ ...usd, publishedOn: '2026-11-21' }], now });

    expect(imported).toEqual({ ok: false, reason: 'early', problems: ['USD of 2026-11-21: that day is yet to come'] });
  });

  test('ten at once store it once', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => importRates(pool, { rates: [usd, gbp], now })));

    expect(results.map((one) => one.ok && one.added).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  });

  test('whole sheets of both forms', async () => {
    for (const name of ['sheet-2025-01-10', 'sheet-2026-06-01']) {
      const parsed = parseRates(readFileSync(join(import.meta.dirname, `../../fixtures/bnb/${name}.xml`)));
      expect(parsed.ok && (await importRates(pool, { rates: parsed.rates, now }))).toMatchObject({ ok: true });
    }

    expect(await lookUp('BRL', '2025-01-10')).toMatchObject({ base: 'BGN', multiply: '3.13449', divide: '10', publishedOn: '2025-01-10' });
    expect(await lookUp('BRL', '2026-06-01')).toMatchObject({ base: 'EUR', multiply: '1', divide: '5.8515', publishedOn: '2026-06-01' });
  });
});

describe('looking up', () => {
  test('a day with a sheet is answered by it, a weekend by Friday’s', async () => {
    await publish(pool, { '2026-11-19': { USD: '1.1720' }, '2026-11-20': { USD: '1.1735' } });

    expect(await lookUp('USD', '2026-11-19')).toEqual(usd);
    expect(await lookUp('USD', '2026-11-20')).toEqual({ ...usd, divide: '1.1735', publishedOn: '2026-11-20' });
    expect(await lookUp('USD', '2026-11-22')).toMatchObject({ divide: '1.1735', publishedOn: '2026-11-20' });
  });

  test('a working day without a sheet is not known, and never guessed', async () => {
    await publish(pool, { '2026-11-18': { USD: '1.17' }, '2026-11-20': { USD: '1.18' } });

    expect(await lookUp('USD', '2026-11-17')).toBeNull();
    expect(await lookUp('USD', '2026-11-19')).toBeNull();
    expect(await lookUp('USD', '2026-11-23')).toBeNull();
  });

  test('unless a fetch showed that there was none', async () => {
    await publish(pool, { '2026-11-18': { USD: '1.17' } }, { counting: [{ sheet: '2026-11-18', until: '2026-11-19' }] });

    expect(await lookUp('USD', '2026-11-19')).toMatchObject({ publishedOn: '2026-11-18' });
    expect(await lookUp('USD', '2026-11-20')).toBeNull();
  });

  test('a sheet never counts past the next one, and an earlier fetch does not shorten that', async () => {
    await publish(pool, { '2026-11-16': { USD: '1.16' }, '2026-11-18': { USD: '1.17' } }, { counting: [{ sheet: '2026-11-16', until: '2026-11-20' }] });
    await publish(pool, {}, { counting: [{ sheet: '2026-11-16', until: '2026-11-16' }] });

    expect(await lookUp('USD', '2026-11-17')).toMatchObject({ publishedOn: '2026-11-16' });
    expect(await lookUp('USD', '2026-11-19')).toBeNull();
    expect((await pool.query("select to_char(counts_until, 'YYYY-MM-DD') as until from compliance.rate_sheets order by 1")).rows).toEqual([
      { until: '2026-11-17' },
      { until: '2026-11-18' },
    ]);
  });

  test('a currency that the newest sheet lacks has no rate, even at the weekend', async () => {
    await publish(pool, { '2026-11-19': { USD: '1.17', RUB: '95' }, '2026-11-20': { USD: '1.18' } });

    expect(await lookUp('RUB', '2026-11-19')).toMatchObject({ divide: '95' });
    expect(await lookUp('RUB', '2026-11-21')).toBeNull();
    expect(await lookUp('XXX', '2026-11-20')).toBeNull();
  });

  test('a new rate is found soon after it was missing; a known one is not queried again', async () => {
    let time = 0;
    const lookup = createRateLookup({ pool, now: () => time });
    const before = await lookup('USD', '2026-11-19');
    await publish(pool, { '2026-11-19': { USD: '1.1720' } });

    time = 2_000;
    const after = await lookup('USD', '2026-11-19');
    await pool.query('truncate compliance.rate_sheets cascade');
    time = 61_999;

    expect([before, after, await lookup('USD', '2026-11-19')]).toEqual([null, usd, usd]);
    time = 62_000;
    expect(await lookup('USD', '2026-11-19')).toBeNull();
  });
});

describe('listing', () => {
  beforeEach(() =>
    publish(pool, { '2026-11-18': { USD: '1.17', GBP: '0.87' }, '2026-11-19': { USD: '1.1720', GBP: '0.8731' }, '2026-11-20': { GBP: '0.88' } }),
  );

  test.each([
    ['the newest sheet', {}, ['2026-11-20 GBP']],
    ['the newest of a currency', { currency: 'USD' }, ['2026-11-19 USD']],
    ['the newest up to a day', { to: '2026-11-19' }, ['2026-11-19 GBP', '2026-11-19 USD']],
    ['from a day on', { from: '2026-11-19' }, ['2026-11-19 GBP', '2026-11-19 USD', '2026-11-20 GBP']],
    ['a currency from day to day', { currency: 'GBP', from: '2026-11-18', to: '2026-11-19' }, ['2026-11-18 GBP', '2026-11-19 GBP']],
    ['nothing where there is nothing', { to: '2026-01-01' }, []],
  ])('%s', async (_what, wanted, listed) => {
    expect((await listRates(pool, wanted)).map(({ publishedOn, currency }) => `${publishedOn} ${currency}`)).toEqual(listed);
  });
});
