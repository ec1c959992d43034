import type { Migration } from '../../../platform/postgres/migrate.ts';

/** Which deliveries and erasures the compliance service was told of. */
export const delivered: Migration = { version: 7, name: 'delivered', sql: '' };
