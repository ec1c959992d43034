import { z } from 'zod';
import { MONTH } from './day.ts';
import { limits } from './limits.ts';
import { decimalsOf, formatMoney, parseMoney } from './money.ts';

const instant = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 timestamp with an offset' });
const count = z.int('must be a whole number').min(1, 'must be 1 or more').max(limits.outstandingOrders, `must be ${limits.outstandingOrders} at most`);

const month = z
  .strictObject({
    month: z.string().regex(MONTH, 'must be a month such as 2026-10').describe('Month whose audit file would list the orders if they were recorded now.'),
    orders: count.describe('How many paid orders are not recorded.'),
    total: z.string().max(20, 'is too long').describe('What was paid for them and not given back, with VAT: decimal text with the decimals of the `currency`.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters')
      .describe('ISO 4217; orders of another currency are another entry.'),
    oldest: instant.describe('When the first of them was sold.'),
    codes: z
      .record(z.string().regex(/^[a-z][a-z0-9.-]{0,59}$/, 'must be a code such as payment.unmapped'), count)
      .refine((codes) => Object.keys(codes).length <= limits.outstandingCodes, `must have ${limits.outstandingCodes} codes at most`)
      .describe('Why they are not recorded, and how many for each reason: no more than `orders`.'),
  })
  .superRefine(({ total, currency, orders, codes }, context) => {
    const decimals = decimalsOf(currency);
    const minor = parseMoney(total, decimals);
    if (minor === undefined || minor < 0n || formatMoney(minor, decimals) !== total)
      context.addIssue({
        code: 'custom',
        path: ['total'],
        message: `must be decimal text from 0 with ${decimals} decimals, such as ${formatMoney(3600n, decimals)}`,
      });
    for (const [code, of] of Object.entries(codes))
      if (of > orders) context.addIssue({ code: 'custom', path: ['codes', code], message: 'must not be more than orders' });
  });

/** The paid orders of a shop that are not recorded, by month and currency; an empty list says that there is none. */
export const outstandingDto = z.strictObject({
  at: instant.describe(
    'When they were counted, ten minutes ahead of the service’s clock at most. A list that is older than the one that is kept changes nothing.',
  ),
  months: z
    .array(month)
    .max(limits.outstandingMonths, `must hold ${limits.outstandingMonths} entries at most`)
    .superRefine((months, context) => {
      const seen = new Set<string>();
      months.forEach((one, i) => {
        const key = `${one.month} ${one.currency}`;
        if (seen.has(key)) context.addIssue({ code: 'custom', path: [i], message: 'repeats a month and currency' });
        seen.add(key);
      });
    })
    .describe('One entry for each month and currency; none if every paid order is recorded.'),
});

export type OutstandingDto = z.output<typeof outstandingDto>;
export type OutstandingMonth = OutstandingDto['months'][number];
