import { type DescribedOperation, json } from './described-operations.ts';

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
