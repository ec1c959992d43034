import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';

const place = { role: 'all', cwd: '/srv' } as const;

describe('the address of the sheet of a past day', () => {
  const own = 'https://mirror.example/{date}.xml';

  test.each([
    ['is the bank’s, if the newest sheet comes from it', {}, expect.stringContaining('firstDays={DD}&firstMonths={MM}&firstYear={YYYY}')],
    ['is none if the newest comes from elsewhere', { BNB_RATES_URL: 'https://mirror.example' }, null],
    ['can be set', { BNB_RATES_DAY_URL: own }, own],
    ['can be switched off', { BNB_RATES_DAY_URL: 'off' }, null],
    ['is none if nothing is fetched', { BNB_RATES_URL: 'off', BNB_RATES_DAY_URL: own }, null],
  ])('%s', (_what, variables, bnbRatesDayUrl) => {
    expect(loadConfig(variables, place)).toMatchObject({ ok: true, config: { bnbRatesDayUrl } });
  });
});
