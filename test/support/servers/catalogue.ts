import { z } from 'zod';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';

// Columns in their order, since functions insert whole rows; a dropped column leaves a gap in attnum, which does not count.
const LINES = `
with relations as (
  select c.oid, c.relname, c.relkind, c.reloptions, c.relnamespace from pg_class c where c.relnamespace = $1::regnamespace
)
select 'table ' || relname || ' ' || relkind::text || coalesce(' ' || array_to_string(reloptions, ','), '') as line from relations where relkind in ('r', 'c', 'v', 'S')
union all
select 'column ' || r.relname || ' ' || row_number() over (partition by r.oid order by a.attnum) || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end || ' ' || a.attstorage::text || a.attidentity::text || a.attgenerated::text
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') || coalesce(' -- ' || col_description(r.oid, a.attnum), '')
  from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
  where r.relkind in ('r', 'c', 'v')
union all
select 'index ' || pg_get_indexdef(i.indexrelid) from pg_index i join relations r on r.oid = i.indrelid
union all
select 'constraint ' || c.conrelid::regclass || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid) from pg_constraint c where c.connamespace = $1::regnamespace
union all
select 'function ' || pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = $1::regnamespace
union all
select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal
order by 1`;

const lines = rowsOf('pg_catalog', z.object({ line: z.string() }));

/** All parts of a schema, one a line: two databases with the same lines behave the same. */
export async function catalogueOf(db: Queryable, schema: string): Promise<string[]> {
  const rows = await readRows(db, lines, { text: LINES, values: [schema] });
  return rows.map(({ line }) => line);
}
