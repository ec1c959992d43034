import { ofShopAndMonthQuery, ordersQuery, shopsQuery } from '../reading/listing.ts';
import { type DescribedOperation, json, SAVED_AS } from './described-operations.ts';

/** The operations under /service/v1: our extension. */
export const readingOperations: readonly DescribedOperation[] = [
  {
    method: 'get',
    path: '/service/v1/shops',
    id: 'listShops',
    tag: 'Reading',
    summary: 'List shops, oldest first',
    query: shopsQuery,
    answer: { description: 'A part of the list.', content: json('ShopPage') },
    problems: [],
  },
  {
    method: 'get',
    path: '/service/v1/shops/{id}',
    id: 'readShop',
    tag: 'Reading',
    summary: 'Show a shop',
    answer: { description: 'The shop.', content: json('ReadShopDto') },
    problems: ['not-found'],
  },
  {
    method: 'put',
    path: '/service/v1/shops/{id}/outstanding',
    id: 'reportOutstanding',
    tag: 'Reading',
    summary: 'Report the paid orders of a shop that are not recorded',
    description:
      'It replaces the last report, and is shown with the months that it names; an empty list says that every paid order is recorded. A report that was counted before the one that is kept changes nothing.',
    body: 'OutstandingDto',
    answer: { description: 'The report that is kept now: this one, or a newer one.', content: json('OutstandingDto') },
    problems: ['body-not-json', 'body-invalid', 'not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/orders',
    id: 'listOrders',
    tag: 'Reading',
    summary: 'List recorded orders, oldest first',
    query: ordersQuery,
    answer: { description: 'A part of the list.', content: json('OrderPage') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/orders/{id}',
    id: 'readOrder',
    tag: 'Reading',
    summary: 'Show a recorded order',
    answer: { description: 'The order, with document, month and accounting amounts.', content: json('ReadOrderDto') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/receipts',
    id: 'listReceipts',
    tag: 'Reading',
    summary: 'List receipts, oldest first',
    query: ofShopAndMonthQuery,
    answer: { description: 'A part of the list.', content: json('ReceiptPage') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/receipts/{id}',
    id: 'readReceipt',
    tag: 'Reading',
    summary: 'Show a receipt',
    description: 'With Accept: text/html it is the document itself, to be shown or printed.',
    answer: { description: 'The receipt.', content: { 'application/json': 'ReceiptDto', 'text/html; charset=utf-8': null } },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/audit-files',
    id: 'listAuditFiles',
    tag: 'Reading',
    summary: 'List versions of audit files, oldest first',
    query: ofShopAndMonthQuery,
    answer: { description: 'A part of the list.', content: json('AuditFilePage') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/audit-files/{id}',
    id: 'readAuditFile',
    tag: 'Reading',
    summary: 'Show a version of an audit file',
    answer: { description: 'Its hash, size, sums and findings.', content: json('AuditFileDto') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/audit-files/{id}/content',
    id: 'downloadAuditFile',
    tag: 'Reading',
    summary: 'Download the XML of an audit file',
    answer: {
      description: 'The bytes as they were made, in windows-1251.',
      content: { 'application/xml; charset=windows-1251': null },
      headers: [SAVED_AS, { name: 'Repr-Digest', description: 'SHA-256 of the bytes (RFC 9530).' }],
    },
    problems: ['not-found'],
  },
];

const MONTH = '/service/v1/shops/{id}/months/{month}';
const BODY = ['body-not-json', 'body-invalid'] as const;
const SHOWN = { description: 'The month as it is now.', content: json('MonthDto') };

/** The operations on months. */
export const monthOperations: readonly DescribedOperation[] = [
  {
    method: 'get',
    path: '/service/v1/shops/{id}/months',
    id: 'listMonths',
    tag: 'Months',
    summary: 'List the months of a shop, newest first',
    answer: { description: 'All of them.', content: json('MonthPage') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: MONTH,
    id: 'readMonth',
    tag: 'Months',
    summary: 'Show a month',
    description: 'What its page shows, as fields: its situation, sums, changes since the last version, and every version of its file.',
    answer: { description: 'The month as it is now.', content: json('MonthDto') },
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: `${MONTH}/generate`,
    id: 'generateMonth',
    tag: 'Months',
    summary: 'Make the next version of a month’s file',
    description: 'Earlier versions stay. The body may be left out. If it takes longer than 20 seconds the answer is 202 and it goes on: read the month again.',
    body: 'GenerateMonthDto',
    bodyIsOptional: true,
    answer: { description: 'The version.', content: json('AuditFileDto') },
    later: {
      description: 'It is being made.',
      content: json('MonthBeingMadeDto'),
      headers: [
        { name: 'Location', description: 'The month: beingMade is false when it is done.' },
        { name: 'Retry-After', description: 'Seconds to wait.' },
      ],
    },
    problems: [...BODY, 'not-found', 'month-not-ready', 'month-empty', 'month-filed', 'month-not-ours'],
  },
  {
    method: 'post',
    path: `${MONTH}/filed`,
    id: 'markMonthFiled',
    tag: 'Months',
    summary: 'Say that a person filed a version of a month’s file',
    description:
      'It closes the month. Repeated for the same version it changes nothing but the number and the day that it names. A version that lacks the last changes, and a month with paid orders that are not recorded, are refused unless the body says otherwise.',
    body: 'MonthFiledDto',
    answer: SHOWN,
    problems: [...BODY, 'not-found', 'month-filed', 'month-outdated', 'month-incomplete'],
  },
  {
    method: 'post',
    path: `${MONTH}/rejected`,
    id: 'markMonthRejected',
    tag: 'Months',
    summary: 'Say that the filed version is wrong',
    description:
      'The agency found errors in it, or you found a mistake of your own within the term: of several files the agency takes the last one. Then another version can be made; within its term the month is open again.',
    body: 'MonthRejectedDto',
    answer: SHOWN,
    problems: [...BODY, 'not-found', 'month-not-filed', 'month-too-late'],
  },
  {
    method: 'post',
    path: `${MONTH}/nothing-to-file`,
    id: 'markMonthNothing',
    tag: 'Months',
    summary: 'Say that an empty month has nothing to file',
    description:
      'After a person agreed so with the accountant. An order or a return that comes into the month opens it again. A month with returns alone is settled withReturns.',
    body: 'MonthNothingDto',
    answer: SHOWN,
    problems: [...BODY, 'not-found', 'month-not-ready', 'month-not-empty', 'month-has-returns', 'month-not-ours'],
  },
];

const CSV = 'text/csv; charset=utf-8';
const headers = [SAVED_AS];

/** What is kept beside a version of an audit file. */
export const auditFileOperations: readonly DescribedOperation[] = [
  {
    method: 'get',
    path: '/service/v1/audit-files/{id}/csv',
    id: 'downloadAuditFileCsv',
    tag: 'Reading',
    summary: 'Download the orders of an audit file as CSV',
    description: 'A row for each article, with refunds within the month and returns: UTF-8 with a byte order mark, semicolons, decimal commas.',
    answer: { description: 'The bytes as they were made.', content: { [CSV]: null }, headers },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/audit-files/{id}/bookkeeping-csv',
    id: 'downloadBookkeepingCsv',
    tag: 'Reading',
    summary: 'Download the sums of an audit file by day, VAT rate and payment as CSV',
    description: 'A version that was made before it was kept has none: 404.',
    answer: { description: 'The bytes as they were made.', content: { [CSV]: null }, headers },
    problems: ['not-found'],
  },
];

/** The operations under /service/v1 with which a shop says what it asks for, and receipts are mailed again. */
export const receiptOperations: readonly DescribedOperation[] = [
  {
    method: 'patch',
    path: '/service/v1/shops/{id}',
    id: 'changeShopOptions',
    tag: 'Reading',
    summary: 'Change what a shop asks for beyond the documented interface',
    description: 'Any of the fields, one at least; the others stay. They hold for what is recorded, issued and made from now on.',
    body: 'ShopOptionsDto',
    answer: { description: 'The shop as it is now.', content: json('ReadShopDto') },
    problems: ['body-not-json', 'body-invalid', 'not-found'],
  },
  {
    method: 'post',
    path: '/service/v1/receipts/{id}/resend',
    id: 'resendReceipt',
    tag: 'Reading',
    summary: 'Mail a receipt to its buyer again',
    description: 'Once in 10 minutes and 5 times a day at most. While its last mail still waits to be sent, nothing is added. The body is empty.',
    answer: { description: 'The receipt.', content: json('ReceiptDto') },
    problems: ['body-not-json', 'body-invalid', 'not-found', 'receipt-without-address', 'receipt-just-sent'],
  },
];

/** When orders were delivered: our extension. */
export const deliveryOperations: readonly DescribedOperation[] = [
  {
    method: 'put',
    path: '/service/v1/orders/{id}/delivered',
    id: 'deliverOrder',
    tag: 'Orders',
    summary: 'Say when an order was delivered',
    description:
      'The file of the month of the delivery lists the order, as long as the month that lists it now is open; then inMonthOfDelivery is true. Without it the day of the order counts, and so it does if the delivery was before that day. The same again changes nothing; another time moves the order again. A replacement with the same internalId keeps it.',
    body: 'DeliveredDto',
    answer: { description: 'The order, with the month that lists it now.', content: { 'application/json': 'DeliveredOrderDto' } },
    problems: ['body-not-json', 'body-invalid', 'not-found'],
  },
];

/** The operations by which buyers are forgotten: our extension. */
export const privacyOperations: readonly DescribedOperation[] = [
  {
    method: 'post',
    path: '/service/v1/orders/{id}/forget-buyer',
    id: 'forgetBuyer',
    tag: 'Reading',
    summary: 'Forget the buyer of an order',
    description:
      'Without a body. Name, e-mail address and telephone number go from the order for good, and its receipt is mailed no more; amounts, document and month stay. A repeat changes nothing. A deleted order has no buyer any more, and is answered like the others.',
    answer: { description: 'The buyer is forgotten.', content: { 'application/json': 'ForgottenDto' } },
    problems: ['body-not-json', 'body-invalid', 'not-found'],
  },
];
