import type { Queryable } from '../../../src/platform/postgres/postgres.ts';

/**
 * Gives the planner its figures as of so many rows of these tables and their indexes, by name with schema or not. It takes rows a page from the figures, and the
 * pages from the files, which stay as they are. Autovacuum would write the real ones again.
 */
export async function planFor(db: Queryable, rows: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, count] of Object.entries(rows)) {
    await db.query(
      `select pg_restore_relation_stats('schemaname', c.relnamespace::regnamespace::text, 'relname', c.relname::text, 'relpages', (pg_relation_size(c.oid) / 8192)::int, 'reltuples', $2::real,
         'relallvisible', (pg_relation_size(c.oid) / 8192)::int) from pg_class c where c.oid = $1::regclass`,
      [name, count],
    );
  }
}
