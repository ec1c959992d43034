import { reserveConnection } from '../../src/platform/postgres/postgres.ts';
import { type Ledger, withPool } from './ledgers.ts';

/** Seconds. `vacuum`: freezing all rows. `dump`: reading them as pg_dump does. `day`: dropping one of bodies. */
export type Upkeep = { vacuum: number; dump: number; day: number };

const TABLES = ['orders', 'order_facts', 'customers', 'steps', 'deliveries', 'bodies'];
const all = (statement: (table: string) => string): string[] => TABLES.map(statement);

export async function measureUpkeep({ home }: Ledger): Promise<Upkeep> {
  return withPool(home, async (pool) => {
    using reserved = await reserveConnection(pool);
    const { client } = reserved;
    await client.query('set statement_timeout = 0');
    const seconds = async (...statements: string[]): Promise<number> => {
      const began = performance.now();
      for (const statement of statements) await client.query(statement);
      return (performance.now() - began) / 1000;
    };
    return {
      vacuum: await seconds(...all((table) => `vacuum (freeze, disable_page_skipping) ${table}`)),
      dump: await seconds(...all((table) => `copy (select * from ${table}) to '/dev/null'`)),
      day: await seconds(`select keep_days_of_bodies((now() at time zone 'UTC')::date - 30, 1)`),
    };
  });
}
