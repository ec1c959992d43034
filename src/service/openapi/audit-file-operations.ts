import { type DescribedOperation, SAVED_AS } from './described-operations.ts';

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
