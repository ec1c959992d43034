import type { Migration } from '../../platform/postgres/migrate.ts';
import { keysShopsOrders } from './migrations/001-keys-shops-orders.ts';
import { documentNumbers } from './migrations/003-document-numbers.ts';
import { exchangeRates } from './migrations/004-rates.ts';
import { receipts } from './migrations/005-receipts.ts';
import { auditFiles } from './migrations/006-audit-files.ts';
import { listing } from './migrations/007-listing.ts';
import { outstanding } from './migrations/008-outstanding.ts';
import { trail } from './migrations/009-trail.ts';
import { monthsWithoutUs } from './migrations/010-months-without-us.ts';
import { actsOfSubject } from './migrations/011-acts-of-subject.ts';
import { sumsOfMonths } from './migrations/011-sums-of-months.ts';
import { doubtfulOrders } from './migrations/012-doubtful-orders.ts';
import { grantedCompanies } from './migrations/012-granted-companies.ts';
import { headersOfFiles } from './migrations/012-headers-of-files.ts';

/**
 * The tables, version by version. One whose `sql` is empty marks a change of functions alone: programs from before it then refuse the database,
 * instead of putting their own functions back.
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'keys, shops, orders', sql: keysShopsOrders },
  // It made only a function, which version 3 drops.
  { version: 2, name: 'create_order', sql: '' },
  { version: 3, name: 'document numbers, months, returns', sql: documentNumbers },
  { version: 4, name: 'exchange rates', sql: exchangeRates },
  { version: 5, name: 'receipts and mails', sql: receipts },
  { version: 6, name: 'audit files', sql: auditFiles },
  { version: 7, name: 'orders by age', sql: listing },
  { version: 8, name: 'outstanding orders', sql: outstanding },
  { version: 9, name: 'trail', sql: trail },
  { version: 10, name: 'months without us', sql: monthsWithoutUs },
  { version: 11, name: 'one number, one sale', sql: actsOfSubject + sumsOfMonths },
  { version: 12, name: 'nothing ends wrong in silence', sql: doubtfulOrders + grantedCompanies + headersOfFiles },
];
