import { z } from 'zod';
import { limits } from '../../contract/limits.ts';
import { parseCursor } from './page.ts';

const limit = z
  .string()
  .regex(/^([1-9]\d?|100)$/, `must be a whole number from 1 to ${limits.pageSize}`)
  .transform(Number)
  .default(limits.pageSizeDefault)
  .meta({ description: 'How many items at most.', example: 50 });

const after = z
  .string()
  .transform((text, context) => {
    const cursor = parseCursor(text);
    if (cursor === undefined) context.addIssue({ code: 'custom', message: 'must be the next of an earlier answer' });
    return cursor;
  })
  .meta({ description: 'The `next` of an earlier answer: the list goes on from there.' });

const shopId = z
  .guid('must be a UUID')
  .transform((id) => id.toLowerCase())
  .meta({ description: 'Only of this shop.' });

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10')
  .meta({ description: 'Only of this month (`2026-10`), that of the audit file.' });

// No stored text has what the database could not compare.
const text = z.string().refine((given) => given.isWellFormed() && !given.includes('\0'), 'must not contain NUL or broken Unicode');

const paging = { limit, after: after.optional() };

/** The query parameters of the lists. Unknown ones are refused. */
export const shopsQuery = z.strictObject(paging);
export const ordersQuery = z.strictObject({
  ...paging,
  shopId: shopId.optional(),
  month: month.optional(),
  internalId: text.optional().meta({ description: 'Only the order with this `internalId`.' }),
  internalNumber: text.optional().meta({ description: 'Only orders with this `internalNumber`.' }),
});
export const ofShopAndMonthQuery = z.strictObject({ ...paging, shopId: shopId.optional(), month: month.optional() });

export type ShopsQuery = z.output<typeof shopsQuery>;
export type OrdersQuery = z.output<typeof ordersQuery>;
export type OfShopAndMonthQuery = z.output<typeof ofShopAndMonthQuery>;
