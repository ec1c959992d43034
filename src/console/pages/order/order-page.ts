import type { Page } from '../../base/page.ts';
import { noOrder, sheetOf, showOrder } from './show-order.ts';

/** `GET /console/orders/{id}`: one order, by its id in the ledger. */
export const orderPage: Page = {
  path: '/orders/:id',
  right: 'orders.see',
  async get(context) {
    const sheet = await sheetOf(context);
    return sheet === null ? noOrder(context) : showOrder(context, { sheet });
  },
};
