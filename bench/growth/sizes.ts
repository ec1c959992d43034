/** What a table takes for each order, in KB, with its partitions. */
export type Size = { table: string; rows: number; indexes: number };

type Ask = (statement: string) => Promise<Record<string, unknown>[]>;

const TABLES = `select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, sum(pg_table_size(c.oid))::float8 as rows, sum(pg_indexes_size(c.oid))::float8 as indexes
  from pg_class c where c.relkind = 'r' and c.relnamespace in (to_regnamespace('bridge'), to_regnamespace('compliance'))
  group by 1 order by sum(pg_total_relation_size(c.oid)) desc`;
/** Below it a table does not grow with orders. */
const LEAST_KB = 0.05;

/** The tables that grow with orders, the largest first, and their sum. */
export async function sizesOf(ask: Ask, orders: number): Promise<Size[]> {
  const kilobytes = (bytes: unknown) => Math.round(Number(bytes) / orders / 10) / 100;
  const all = (await ask(TABLES)).map(({ name, rows, indexes }) => ({ table: String(name), rows: kilobytes(rows), indexes: kilobytes(indexes) }));
  const large = all.filter(({ rows, indexes }) => rows + indexes >= LEAST_KB);
  const sum = (of: 'rows' | 'indexes') => Math.round(large.reduce((before, size) => before + size[of], 0) * 100) / 100;
  return [...large, { table: 'all', rows: sum('rows'), indexes: sum('indexes') }];
}
