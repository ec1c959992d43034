import type { DescribedOperation } from './described-operations.ts';

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
