import { ownValue } from './own-value.ts';

/**
 * The last day ("2026-01-31") on which one could still pay in a currency that the euro replaced: the end of dual circulation, as the European Central
 * Bank and the European Commission give it (ecb.europa.eu, “Our money”; Закон за въвеждане на еврото в Република България, чл. 5: one month from 01.01.2026).
 */
export const endedCurrencies: Readonly<Record<string, string>> = {
  BGN: '2026-01-31',
  HRK: '2023-01-14',
  LTL: '2015-01-15',
  LVL: '2014-01-14',
  EEK: '2011-01-14',
  SKK: '2009-01-16',
  ...Object.fromEntries(['CYP', 'MTL'].map((code) => [code, '2008-01-31'])),
  SIT: '2007-01-14',
  ...Object.fromEntries(['ATS', 'BEF', 'DEM', 'ESP', 'FIM', 'FRF', 'GRD', 'IEP', 'ITL', 'LUF', 'NLG', 'PTE'].map((code) => [code, '2002-02-28'])),
};

/** The last day of a currency that had ended when an order was made (ISO 8601; without an offset it is Bulgarian time); null if it had not. */
export function endedBy(currency: string, madeAt: string): string | null {
  const lastDay = ownValue(endedCurrencies, currency);
  if (lastDay === undefined) return null;
  // All of them ended in winter, when Bulgarian time is two hours ahead of UTC.
  const hasEnded = /(Z|[+-]\d{2}:?\d{2})$/.test(madeAt) ? Date.parse(madeAt) >= Date.parse(`${lastDay}T22:00:00Z`) : madeAt.slice(0, 10) > lastDay;
  return hasEnded ? lastDay : null;
}
