import type { Page } from '../../base/page.ts';
import { actOnOrders } from './act-on-orders.ts';
import { inAddress, ordersAsked } from './orders-asked.ts';
import { ordersFile } from './orders-file.ts';
import { showList } from './orders-list.ts';

/** `/console/orders`: find orders, and decide many of them at once. */
export const ordersPage: Page = {
  path: '/orders',
  right: 'orders.see',
  async get(context) {
    const text = inAddress(context);
    return showList(context, await ordersAsked(context, text), { after: text('after') });
  },
  post: { right: 'orders.decide', act: actOnOrders },
};

/** `GET /console/orders.csv`: all orders of a list. */
export const ordersCsv: Page = { path: '/orders.csv', right: 'orders.see', get: ordersFile };
