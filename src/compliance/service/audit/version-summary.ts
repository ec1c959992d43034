import { formatMoney, parseMoney, sum } from '../../../domain/money.ts';
import type { AuditReturn } from './audit-file.ts';
import type { MonthCounts } from './read-month.ts';
import type { MonthSummary } from './summary/month-summary.ts';
import type { MonthFigures } from './summary/month-tally.ts';

/** What is kept of a month beside its file: bounded, without personal data, in the accounting currency. */
export type VersionSummary = Pick<MonthSummary, 'currency' | 'figures' | 'returns' | 'voided' | 'foreign' | 'leftOut'>;

/** The figures of a month that no file was made of. */
export function noFigures({ orders, total, vat }: MonthCounts, returns: readonly AuditReturn[]): MonthFigures {
  return {
    orders,
    net: formatMoney(cents(total) - cents(vat), 2),
    vat,
    total,
    discount: '0.00',
    returns: returns.length,
    returned: formatMoney(sum(returns.map(({ amount }) => cents(amount))), 2),
    byRate: [],
    byPayment: [],
    byDay: [],
    list: null,
  };
}

function cents(amount: string): bigint {
  return parseMoney(amount, 2) ?? 0n;
}
