import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Replaceable } from '../../platform/postgres/migrate.ts';
import { programFile } from '../../platform/program-file.ts';

/** The files that hold the service's functions, each beside the code that calls it; in the order in which they need each other. */
const FILES = [
  'audit/month/is-closed.sql',
  'audit/month/left-out.sql',
  'audit/month/month-for.sql',
  'keys/is-claimed.sql',
  'orders/internal-key.sql',
  'orders/listed-as.sql',
  'orders/by-rate-of.sql',
  'orders/refund-of.sql',
  'orders/keep-listed.sql',
  'orders/replace-order.sql',
  'orders/create-plain-orders.sql',
  'orders/create-single-order.sql',
  'receipts/issue-receipt.sql',
  'receipts/issue-automatic-receipts.sql',
  'orders/create-orders.sql',
  'orders/order-doubts.sql',
  'receipts/mail-keys.sql',
  'receipts/went-out.sql',
  'receipts/withdraw-receipt.sql',
  'orders/delete-order.sql',
  'orders/deliver-order.sql',
  'audit/month/keep-to-filed.sql',
  'shops/void-numbers-of-shop.sql',
];

/** The functions as this program has them. */
export function readFunctions(): Promise<Replaceable[]> {
  return Promise.all(FILES.map(async (file) => ({ name: basename(file, '.sql'), sql: await readFile(programFile(`service/${file}`), 'utf8') })));
}
