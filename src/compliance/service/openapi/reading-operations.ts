import { ofShopAndMonthQuery, ordersQuery, shopsQuery } from '../reading/queries.ts';
import type { DescribedOperation } from './described-operations.ts';

const json = (schema: string) => ({ 'application/json': schema });

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
    answer: { description: 'The shop.', content: json('ShopDto') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/orders',
    id: 'listOrders',
    tag: 'Reading',
    summary: 'List standing orders, oldest first',
    query: ordersQuery,
    answer: { description: 'A part of the list.', content: json('OrderPage') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/service/v1/orders/{id}',
    id: 'readOrder',
    tag: 'Reading',
    summary: 'Show a standing order',
    answer: { description: 'The order, with document, month and accounting amounts.', content: json('ReadOrderDto') },
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
      headers: [
        { name: 'Content-Disposition', description: 'A name to save it under.' },
        { name: 'Repr-Digest', description: 'SHA-256 of the bytes (RFC 9530).' },
      ],
    },
    problems: ['not-found'],
  },
];
