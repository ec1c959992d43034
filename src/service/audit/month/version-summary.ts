import { z } from 'zod';
import { exactMoney, formatMoney, sum } from '../../../contract/money.ts';
import { rateAmounts } from '../../rates/by-rate.ts';
import { storedRate } from '../../rates/stored-rate.ts';
import type { MonthReturn } from '../audit-file.ts';
import type { MonthCounts } from '../file/read-month.ts';
import type { MonthSummary } from '../summary/month-summary.ts';
import { type MonthFigures, returnsByRate } from '../summary/month-tally.ts';

/** The stored summary of a version: bounded, without personal data, in the accounting currency. */
export type VersionSummary = Pick<MonthSummary, 'currency' | 'figures' | 'returns' | 'voided' | 'foreign' | 'leftOut'>;

const money = z.string();
const excerptOf = <Row extends z.ZodType>(row: Row) => z.object({ count: z.int(), rows: z.array(row) });
const orderRow = z.object({
  number: z.string(),
  orderedOn: z.string(),
  documentNumber: z.string(),
  documentedOn: z.string(),
  net: money,
  discount: money,
  vat: money,
  total: money,
  payment: z.int(),
});
const figures = z.object({
  orders: z.int(),
  withoutRate: z.int().exactOptional(),
  net: money,
  vat: money,
  total: money,
  discount: money,
  returns: z.int(),
  returned: money,
  byRate: z.array(z.object({ rate: z.number(), net: money, vat: money, total: money })),
  byPayment: z.array(z.object({ payment: z.int(), orders: z.int(), total: money })),
  byDay: z.array(z.object({ day: z.string(), orders: z.int(), vat: money, total: money })),
  list: z.array(orderRow).nullable(),
  returnsByRate: z.object({ rates: z.array(rateAmounts), unknown: z.object({ count: z.int(), total: money }) }),
});

/** As it is stored. */
export const versionSummary: z.ZodType<VersionSummary> = z.object({
  currency: z.enum(['BGN', 'EUR']),
  figures,
  returns: excerptOf(z.object({ number: z.string(), amount: money, returnedOn: z.string(), way: z.int(), byRate: z.array(rateAmounts).nullable() })),
  voided: excerptOf(z.object({ documentNumber: z.string(), voidedOn: z.string() })),
  foreign: excerptOf(z.object({ number: z.string(), total: money, accountingTotal: money, rate: storedRate })),
  leftOut: z.object({ orders: z.int(), total: money }),
});

/** The figures of a month without a file. */
export function noFigures({ orders, total, vat, withoutRate }: MonthCounts, returns: readonly MonthReturn[]): MonthFigures {
  return {
    orders,
    ...(withoutRate > 0 ? { withoutRate } : {}),
    net: formatMoney(exactMoney(total, 2) - exactMoney(vat, 2), 2),
    vat,
    total,
    discount: '0.00',
    returns: returns.length,
    returned: formatMoney(sum(returns.map(({ amount }) => exactMoney(amount, 2))), 2),
    byRate: [],
    byPayment: [],
    byDay: [],
    list: null,
    returnsByRate: returnsByRate(returns),
  };
}
