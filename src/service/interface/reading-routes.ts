import type { Request } from 'express';
import type { z } from 'zod';
import type { outstandingDto } from '../../contract/outstanding-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { keepOutstanding } from '../audit/month/outstanding.ts';
import { invalidBody } from '../http/http-problem.ts';
import type { HttpAnswer } from '../http/send.ts';
import { deliverOrder } from '../orders/deliver-order.ts';
import { forgetBuyer } from '../privacy/forget-buyer.ts';
import { ofShopAndMonthQuery, ordersQuery, shopsQuery } from '../reading/listing.ts';
import { listOrders, readOrder } from '../reading/read-orders.ts';
import { listShops, readShop } from '../reading/read-shops.ts';
import { listReceipts, readReceipt } from '../receipts/read-receipts.ts';
import { resendReceipt } from '../receipts/resend-receipt.ts';
import { changeOptions } from '../shops/shops.ts';
import { found, json, ok, type Route, route } from './route.ts';

/** Throws a `HttpProblem` unless the caller has this shop: an empty list would hide that its id is mistyped. */
export async function mustOwn(pool: Pool, keyId: string, shopId: string | undefined): Promise<void> {
  if (shopId !== undefined) found(await readShop(pool, { keyId, id: shopId }), 'shop');
}

/** Shops, orders and receipts under /service/v1: our extension. */
export const readingRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/service/v1/shops',
    id: 'listShops',
    tag: 'Reading',
    summary: 'List shops, oldest first',
    query: shopsQuery,
    answer: { description: 'A part of the list.', content: json('ShopPage') },
    handle: async ({ keyId, query }, { pool }) => ok(await listShops(pool, { ...query, keyId })),
  }),
  route({
    method: 'get',
    path: '/service/v1/shops/{id}',
    id: 'readShop',
    tag: 'Reading',
    summary: 'Show a shop',
    of: 'shop',
    answer: { description: 'The shop.', content: json('ReadShopDto') },
    handle: async (call, { pool }) => ok(found(await readShop(pool, call), 'shop')),
  }),
  route({
    method: 'put',
    path: '/service/v1/shops/{id}/outstanding',
    id: 'reportOutstanding',
    tag: 'Reading',
    summary: 'Report the paid orders of a shop that are not recorded',
    description:
      'It replaces the last report, and is shown with the months that it names; an empty list says that every paid order is recorded. A report that was counted before the one that is kept changes nothing.',
    of: 'shop',
    body: 'OutstandingDto',
    answer: { description: 'The report that is kept now: this one, or a newer one.', content: json('OutstandingDto') },
    async handle({ keyId, id: shopId, input: list }, { pool, now }) {
      mustBePast(list, now());
      return ok(found(await keepOutstanding(pool, { keyId, shopId, list }), 'shop'));
    },
  }),
  route({
    method: 'get',
    path: '/service/v1/orders',
    id: 'listOrders',
    tag: 'Reading',
    summary: 'List recorded orders, oldest first',
    query: ordersQuery,
    answer: { description: 'A part of the list.', content: json('OrderPage') },
    problems: ['not-found'],
    async handle({ keyId, caller: { dialect }, query }, { pool }) {
      await mustOwn(pool, keyId, query.shopId);
      return ok(await listOrders(pool, { ...query, keyId, dialect }));
    },
  }),
  route({
    method: 'get',
    path: '/service/v1/orders/{id}',
    id: 'readOrder',
    tag: 'Reading',
    summary: 'Show a recorded order',
    of: 'order',
    answer: { description: 'The order, with document, month and accounting amounts.', content: json('ReadOrderDto') },
    handle: async ({ keyId, id, caller: { dialect } }, { pool }) => ok(found(await readOrder(pool, { keyId, id, dialect }), 'order')),
  }),
  route({
    method: 'get',
    path: '/service/v1/receipts',
    id: 'listReceipts',
    tag: 'Reading',
    summary: 'List receipts, oldest first',
    query: ofShopAndMonthQuery,
    answer: { description: 'A part of the list.', content: json('ReceiptPage') },
    problems: ['not-found'],
    async handle({ keyId, caller: { dialect }, query }, { pool }) {
      await mustOwn(pool, keyId, query.shopId);
      return ok(await listReceipts(pool, { ...query, keyId, dialect }));
    },
  }),
  route({
    method: 'get',
    path: '/service/v1/receipts/{id}',
    id: 'readReceipt',
    tag: 'Reading',
    summary: 'Show a receipt',
    description: 'With Accept: text/html it is the document itself, to be shown or printed.',
    of: 'receipt',
    answer: { description: 'The receipt.', content: { 'application/json': 'ReceiptDto', 'text/html; charset=utf-8': null } },
    handle: async ({ req, keyId, id, caller: { dialect } }, { pool }) => receiptAs(req, await readReceipt(pool, { keyId, id, dialect })),
  }),
  route({
    method: 'get',
    path: '/service/v1/orders/{id}/receipt',
    id: 'readReceiptOfOrder',
    tag: 'Reading',
    summary: 'Show the receipt of an order',
    description: 'As the receipt itself; none is issued for it.',
    of: 'order',
    answer: { description: 'The receipt.', content: { 'application/json': 'ReceiptDto', 'text/html; charset=utf-8': null } },
    handle: async ({ req, keyId, id: orderId, caller: { dialect } }, { pool }) => receiptAs(req, await readReceipt(pool, { keyId, orderId, dialect })),
  }),
  route({
    method: 'patch',
    path: '/service/v1/shops/{id}',
    id: 'changeShopOptions',
    tag: 'Reading',
    summary: 'Change what a shop asks for beyond the documented interface',
    description: 'Any of the fields, one at least; the others stay. They hold for what is recorded, issued and made from now on.',
    of: 'shop',
    body: 'ShopOptionsDto',
    answer: { description: 'The shop as it is now.', content: json('ReadShopDto') },
    handle: async ({ keyId, id, said, input }, { pool, now }) => ok(await changeOptions(pool, { keyId, id, said, patch: input, now: now() })),
  }),
  route({
    method: 'post',
    path: '/service/v1/receipts/{id}/resend',
    id: 'resendReceipt',
    tag: 'Reading',
    summary: 'Mail a receipt to its buyer again',
    description: 'Once in 10 minutes and 5 times a day at most. While its last mail still waits to be sent, nothing is added. The body is empty.',
    of: 'receipt',
    answer: { description: 'The receipt.', content: json('ReceiptDto') },
    problems: ['receipt-without-address', 'receipt-just-sent'],
    handle: async ({ keyId, id, said, caller: { dialect } }, { pool, now }) =>
      ok(await resendReceipt(pool, { caller: { keyId, dialect }, id, said, now: now() })),
  }),
  route({
    method: 'put',
    path: '/service/v1/orders/{id}/delivered',
    id: 'deliverOrder',
    tag: 'Orders',
    summary: 'Say when an order was delivered',
    description:
      'The file of the month of the delivery lists the order, as long as the month that lists it now is open; then inMonthOfDelivery is true. Without it the day of the order counts, and so it does if the delivery was before that day. The same again changes nothing; another time moves the order again. A replacement with the same internalId keeps it.',
    of: 'order',
    body: 'DeliveredDto',
    answer: { description: 'The order, with the month that lists it now.', content: json('DeliveredOrderDto') },
    async handle({ keyId, id, caller, input: { at } }, { pool, recording }) {
      const month = await deliverOrder(recording, { caller, id, at });
      const order = found(await readOrder(pool, { keyId, id, dialect: caller.dialect }), 'order');
      return ok({ ...order, inMonthOfDelivery: order.month === month });
    },
  }),
  route({
    method: 'post',
    path: '/service/v1/orders/{id}/forget-buyer',
    id: 'forgetBuyer',
    tag: 'Reading',
    summary: 'Forget the buyer of an order',
    description:
      'Without a body. Name, e-mail address and telephone number go from the order for good, and its receipt is mailed no more; amounts, document and month stay. A repeat changes nothing. A deleted order has no buyer any more, and is answered like the others.',
    of: 'order',
    answer: { description: 'The buyer is forgotten.', content: json('ForgottenDto') },
    handle: async ({ keyId, id, said }, { pool }) => ok(found(await forgetBuyer(pool, { keyId, id, said }), 'order')),
  }),
];

/** A clock that is further ahead would have its list kept for longer than it is true. */
const MOST_AHEAD_MS = 10 * 60_000;

function mustBePast({ at }: z.output<typeof outstandingDto>, now: Date): void {
  if (Date.parse(at) > now.getTime() + MOST_AHEAD_MS) throw invalidBody([{ path: 'at', message: 'must not be in the future; check the clock of the sender' }]);
}

// The receipt has its style inline and runs no script.
const RECEIPT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

function receiptAs(req: Request, receipt: Awaited<ReturnType<typeof readReceipt>>): HttpAnswer {
  const { dto, html } = found(receipt, 'receipt');
  return req.accepts(['application/json', 'text/html']) === 'text/html' ? page(html) : ok(dto);
}

function page(html: string): HttpAnswer {
  return { status: 200, content: html, type: 'text/html; charset=utf-8', headers: { 'content-security-policy': RECEIPT_POLICY, vary: 'Accept' } };
}
