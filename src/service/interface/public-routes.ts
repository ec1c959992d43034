import { limits } from '../../contract/limits.ts';
import { readIdempotencyKey } from '../http/read-request.ts';
import type { HttpAnswer } from '../http/send.ts';
import { issueReceipt } from '../receipts/issue-receipt.ts';
import { createShopOnce, deleteShop, updateShop } from '../shops/shops.ts';
import { json, ok, type Route, route } from './route.ts';
import { signedExample } from './signed-example.ts';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  description: 'Our extension: with it a create may be repeated safely; counted per owner of API keys, remembered for 90 days at least.',
  maxLength: limits.idempotencyKey,
};
const REPLAYED = { name: 'Idempotency-Replayed', description: '“true” if this is the answer to an earlier request with the same Idempotency-Key.' };

/** The documented interface under /public-api/v1, and the receipt of an order, which public documentation of such a service has. */
export const publicRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/public-api/v1/shop',
    id: 'createShop',
    tag: 'Shops',
    summary: 'Create a shop',
    description: 'A key for one shop gets 403 if its owner has one. A company that belongs to another owner of keys is 422.',
    faults: 'shop',
    body: 'CreateShopDto',
    headers: [IDEMPOTENCY_KEY],
    answer: { description: 'The shop.', content: json('ShopDto'), headers: [REPLAYED] },
    problems: ['not-found', 'one-shop-only', 'company-claimed', 'idempotency-key-reused'],
    async handle({ req, caller, input }, { pool, now }) {
      const { shop, replayed } = await createShopOnce(pool, { caller, body: input, now: now(), idempotencyKey: readIdempotencyKey(req) });
      return created(shop, replayed);
    },
  }),
  route({
    method: 'put',
    path: '/public-api/v1/shop/{id}',
    id: 'updateShop',
    tag: 'Shops',
    summary: 'Change fields of a shop',
    description: 'Any of the fields, one at least; the others stay. A higher receiptStartNumber skips the numbers between for good.',
    faults: 'shop',
    of: 'shop',
    body: 'UpdateShopDto',
    answer: { description: 'The shop as it is now.', content: json('ShopDto') },
    problems: ['company-claimed'],
    handle: async ({ caller, id, input }, { pool, now }) => ok(await updateShop(pool, { caller, id, change: input, now: now() })),
  }),
  route({
    method: 'delete',
    path: '/public-api/v1/shop/{id}',
    id: 'deleteShop',
    tag: 'Shops',
    summary: 'Delete a shop for good',
    description: 'Its orders, receipts and audit files go with it. This can’t be undone.',
    faults: 'shop',
    of: 'shop',
    body: 'DeleteShopDto',
    answer: { description: 'What was deleted.', content: json('DeleteShopResponseDto') },
    problems: ['shop-name-mismatch'],
    handle: async ({ caller, id, input: { name } }, { pool, now }) => ok(await deleteShop(pool, { caller, id, name, now: now() })),
  }),
  route({
    method: 'post',
    path: '/public-api/v1/order',
    id: 'createOrder',
    tag: 'Orders',
    summary: 'Record an order',
    description: 'The order gets a document number and is listed in the audit file of its month.',
    faults: 'create',
    body: 'CreateOrderDto',
    signed: signedExample,
    headers: [IDEMPOTENCY_KEY],
    answer: { description: 'The order with its sums.', content: json('OrderDto'), headers: [REPLAYED] },
    problems: ['not-found', 'company-claimed', 'order-exists', 'document-numbers-used-up', 'currency-ended', 'idempotency-key-reused'],
    async handle({ req, caller, input }, { orders }) {
      const { order, replayed } = await orders.create({ caller, body: input, idempotencyKey: readIdempotencyKey(req) });
      return created(order, replayed);
    },
  }),
  route({
    method: 'delete',
    path: '/public-api/v1/order/{id}',
    id: 'deleteOrder',
    tag: 'Orders',
    summary: 'Delete an order and its receipts for good',
    description: 'To change an order, delete it and create the one that replaces it, with the same internalId.',
    faults: 'delete',
    of: 'order',
    answer: { description: 'What was deleted.', content: json('DeleteOrderResponseDto') },
    handle: async ({ caller, id }, { orders }) => ok(await orders.delete({ caller, id })),
  }),
  route({
    method: 'post',
    path: '/public-api/v1/order/{id}/receipt',
    id: 'issueReceipt',
    tag: 'Orders',
    summary: 'Issue the receipt of an order',
    description: 'It is mailed to the buyer if there is an e-mail address. A repeated request returns the same receipt and mails nothing. The body is empty.',
    faults: 'receipt',
    of: 'order',
    answer: { description: 'The receipt.', content: json('ReceiptDto') },
    problems: ['receipt-not-due'],
    handle: async ({ caller, id }, { pool, now }) => ok(await issueReceipt(pool, { caller, orderId: id, now: now() })),
  }),
];

/** `replayed`: it is the answer to an earlier request with the same Idempotency-Key. */
function created(body: unknown, replayed: boolean): HttpAnswer {
  return { ...ok(body), ...(replayed && { headers: { 'idempotency-replayed': 'true' } }) };
}
