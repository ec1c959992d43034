import type { DescribedOperation } from './described-operations.ts';

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
