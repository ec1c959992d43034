import { z } from 'zod';
import { type Pool, reserveConnection } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';

const statistics = rowsOf('pg_stat_xact_user_tables', z.object({ table: z.string(), looks: z.coerce.number(), rows: z.coerce.number() }));

/** `looks`: how often a table was read by an index, or whole. `rows`: how many of its own rows were read; those that an index alone answers are not among them. */
export type Read = { looks: number; rows: number };

/** What the work reads of each table of a schema, as its transaction counts it: always the same, however busy the machine is. */
export async function rowsRead(pool: Pool, schema: string, work: (db: Pool) => Promise<unknown>): Promise<(table: string) => Read> {
  using reserved = await reserveConnection(pool);
  const { client } = reserved;
  try {
    // What the session read before is not counted.
    await client.query('select pg_stat_force_next_flush()');
    await client.query('begin');
    await work(client as unknown as Pool);
    const read = await readRows(client, statistics, {
      text: `select relname as table, seq_scan + coalesce(idx_scan, 0) as looks, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows
        from pg_stat_xact_user_tables where schemaname = $1`,
      values: [schema],
    });
    return (table) => read.find((one) => one.table === table) ?? { looks: 0, rows: 0 };
  } finally {
    await client.query('rollback');
  }
}
