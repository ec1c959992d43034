import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { migrateJobs } from '../../platform/jobs/job-store.ts';
import { type Migration, migrate, newestOf, type Replaceable } from '../../platform/postgres/migrate.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import { programFile } from '../../platform/program-file.ts';

const MIGRATIONS: readonly Migration[] = [{ version: 1, name: 'service', runsBeside: 1, sql: programFile('service/database/version-1.sql') }];
export const SERVICE_VERSION = newestOf(MIGRATIONS);

/** Creates the service's tables and functions and the table of jobs, or brings those of an earlier version up to date. */
export async function migrateService(pool: Pool): Promise<void> {
  await migrateJobs(pool);
  await migrate(pool, { schema: 'compliance', migrations: MIGRATIONS, functions: await readFunctions() });
}

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

const known = rowsOf('pg_class', z.object({ known: z.boolean() }));

/** Does this database hold our compliance service, with the tables that this program reads? Whichever process serves it. */
export async function hasService(db: Queryable): Promise<boolean> {
  return (await readOne(db, known, { text: `select to_regclass('compliance.company_owners') is not null as known` })).known;
}
