import pg from 'pg';
import { type Relation, tableStatements } from './table-statements.ts';

/** Schemas that are the server's own. */
const OURS = `n.nspname !~ '^pg_' and n.nspname not in ('public', 'information_schema')`;

/**
 * A plain SQL script that makes the whole database anew, schemas, rows and counters, in the forms that orderbridge and BullMQ use (tables, enumerations,
 * composite types, sequences, functions, triggers). The PostgreSQL that npm brings along has no pg_dump.
 */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Without a search path every name is written in full.
    await client.query(`begin isolation level repeatable read read only; set local search_path = ''; set local timezone = 'UTC'; set local datestyle = 'ISO'`);
    return `${(await statements(client)).join('\n')}\n`;
  } finally {
    await client.end();
  }
}

/** The first column of each row. */
export type Read = (sql: string, values?: unknown[]) => Promise<string[]>;

async function statements(client: pg.Client): Promise<string[]> {
  const read: Read = async (sql, values = []) => (await client.query<[string]>({ text: sql, values, rowMode: 'array' })).rows.map(([first]) => first);
  const { rows: tables } = await client.query<Relation>(
    `select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as name, c.reloptions as options from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${OURS} order by 2`,
  );
  const { made, filled, tied } = await tableStatements(read, tables);
  return [
    `set timezone = 'UTC'; set check_function_bodies = off;`,
    ...(await read(`select format('create schema %I;', n.nspname) from pg_catalog.pg_namespace n where ${OURS} order by n.nspname`)),
    ...(await read(ENUMERATIONS)),
    ...(await read(COMPOSITES)),
    ...(await read(SEQUENCES)),
    ...made,
    ...(await read(FUNCTIONS)),
    ...filled,
    ...tied,
    ...(await read(OWNED)),
    ...(await counters(client, read)),
    ...(await read(TRIGGERS)),
    'reset timezone; reset check_function_bodies;',
  ];
}

const ENUMERATIONS = `
  select format('create type %I.%I as enum (%s);', n.nspname, t.typname, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder))
  from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace join pg_catalog.pg_enum e on e.enumtypid = t.oid
  where ${OURS} group by n.nspname, t.typname order by 1`;

const COMPOSITES = `
  select format('create type %I.%I as (%s);', n.nspname, c.relname,
    string_agg(format('%I %s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'c' and a.attnum > 0 and ${OURS} group by n.nspname, c.relname order by 1`;

// Those of identity columns come with their column.
const IS_IDENTITY = `exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype = 'i')`;

const SEQUENCES = `
  select format('create sequence %I.%I as %s;', n.nspname, c.relname, pg_catalog.format_type(s.seqtypid, null))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_sequence s on s.seqrelid = c.oid
  where ${OURS} and not ${IS_IDENTITY} order by 1`;

const OWNED = `
  select format('alter sequence %I.%I owned by %s.%I;', n.nspname, c.relname, d.refobjid::regclass, a.attname)
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_depend d on d.objid = c.oid and d.deptype = 'a' and d.refobjsubid > 0
    join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where c.relkind = 'S' and ${OURS} order by 1`;

const FUNCTIONS = `
  select pg_catalog.pg_get_functiondef(p.oid) || ';' from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where p.prokind in ('f', 'p') and ${OURS} order by p.oid`;

const TRIGGERS = `
  select pg_catalog.pg_get_triggerdef(t.oid) || ';' from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace where not t.tgisinternal and ${OURS} order by 1`;

async function counters(client: pg.Client, read: Read): Promise<string[]> {
  const names = await read(`select format('%I.%I', n.nspname, c.relname) from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' and ${OURS} order by 1`);
  const made: string[] = [];
  for (const name of names) {
    const { rows } = await client.query<{ last: string; called: boolean }>(`select last_value::text as last, is_called as called from ${name}`);
    for (const { last, called } of rows) made.push(`select pg_catalog.setval('${name}', ${last}, ${called});`);
  }
  return made;
}
