import { limits } from '../../contract/limits.ts';
import { type DescribedOperation, json } from './described-operations.ts';
import { signedExample } from './signed-example.ts';

const BODY = ['body-not-json', 'body-invalid'] as const;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  description: 'Our extension: with it a create may be repeated safely; counted per owner of API keys, remembered for 90 days at least.',
  maxLength: limits.idempotencyKey,
};
const REPLAYED = { name: 'Idempotency-Replayed', description: '“true” if this is the answer to an earlier request with the same Idempotency-Key.' };

/** The operations under /public-api/v1. */
export const publicOperations: readonly DescribedOperation[] = [
  {
    method: 'post',
    path: '/public-api/v1/shop',
    id: 'createShop',
    tag: 'Shops',
    summary: 'Create a shop',
    description: 'A key for one shop gets 403 on its second. A company that belongs to another owner of keys is 409.',
    body: 'CreateShopDto',
    headers: [IDEMPOTENCY_KEY],
    answer: { description: 'The shop.', content: json('ShopDto'), headers: [REPLAYED] },
    problems: [...BODY, 'one-shop-only', 'company-claimed', 'idempotency-key-reused'],
  },
  {
    method: 'put',
    path: '/public-api/v1/shop/{id}',
    id: 'updateShop',
    tag: 'Shops',
    summary: 'Change fields of a shop',
    description: 'Any of the fields, one at least; the others stay. A higher receiptStartNumber skips the numbers between for good.',
    body: 'UpdateShopDto',
    answer: { description: 'The shop as it is now.', content: json('ShopDto') },
    problems: [...BODY, 'not-found', 'company-claimed'],
  },
  {
    method: 'delete',
    path: '/public-api/v1/shop/{id}',
    id: 'deleteShop',
    tag: 'Shops',
    summary: 'Delete a shop for good',
    description: 'Its orders, receipts and audit files go with it. This can’t be undone.',
    body: 'DeleteShopDto',
    answer: { description: 'What was deleted.', content: json('DeleteShopResponseDto') },
    problems: [...BODY, 'not-found', 'shop-name-mismatch'],
  },
  {
    method: 'post',
    path: '/public-api/v1/order',
    id: 'createOrder',
    tag: 'Orders',
    summary: 'Record an order',
    description: 'The order gets a document number and is listed in the audit file of its month.',
    body: 'CreateOrderDto',
    signed: signedExample,
    headers: [IDEMPOTENCY_KEY],
    answer: {
      description: 'The order with its sums.',
      content: json('OrderDto'),
      headers: [REPLAYED],
    },
    problems: [...BODY, 'not-found', 'company-claimed', 'order-exists', 'document-numbers-used-up', 'currency-ended', 'idempotency-key-reused'],
  },
  {
    method: 'delete',
    path: '/public-api/v1/order/{id}',
    id: 'deleteOrder',
    tag: 'Orders',
    summary: 'Delete an order and its receipts for good',
    description: 'To change an order, delete it and create the one that replaces it, with the same internalId.',
    answer: { description: 'What was deleted.', content: json('DeleteOrderResponseDto') },
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: '/public-api/v1/order/{id}/receipt',
    id: 'issueReceipt',
    tag: 'Orders',
    summary: 'Issue the receipt of an order',
    description: 'It is mailed to the buyer if there is an e-mail address. A repeated request returns the same receipt and mails nothing. The body is empty.',
    answer: { description: 'The receipt.', content: json('ReceiptDto') },
    problems: [...BODY, 'not-found', 'content-type-unsupported', 'receipt-not-due'],
  },
];
