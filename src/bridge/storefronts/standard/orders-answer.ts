import { z } from 'zod';
import { DECIMAL } from '../amounts.ts';
import { id, instant, order } from './payload.ts';

/** Where the next page begins: any text of the shop's own. */
const next = z.string().min(1).max(1000).nullable().meta({ description: 'Where the next page begins, any text of yours; null on the last page.' });

const deletedOrder = z
  .strictObject({
    id,
    deleted: z.literal(true).meta({ description: 'The order is gone for good.' }),
    updatedAt: instant.optional().meta({ description: 'When it was deleted. Required in a list of changes.' }),
  })
  .meta({ id: 'DeletedOrder', description: 'An order that you deleted.' });

/** What an own shop's endpoint answers: the published JSON Schema is made from this. */
export const ordersAnswer = z
  .strictObject({
    orders: z
      .array(z.union([order, deletedOrder]))
      .max(100)
      .meta({ description: 'Whole orders as they are now, the one that changed first at the front.' }),
    next,
  })
  .meta({ title: 'Orders of an own shop', description: 'Answer of the endpoint by which orderbridge reads the orders of a shop of your own.' });

/** The answer as it is read: one order that is not as described takes no other with it. */
export const ordersPage = z.looseObject({ orders: z.array(z.looseObject({ id })), next });

export type ListedOrder = z.output<typeof ordersPage>['orders'][number];

/** As much of a listed order as its place in the list needs, whatever else is wrong with it. */
export const listedChange = z.looseObject({
  id,
  updatedAt: instant,
  deleted: z.literal(true).optional().catch(undefined),
  number: z.string().optional().catch(undefined),
  status: z.string().catch('unreadable'),
  createdAt: instant.optional().catch(undefined),
  currency: z.string().catch(''),
  total: z.string().regex(DECIMAL).catch('0.00'),
});
