import pg from 'pg';

/** What the tables of a database had when this was made. */
export type FirstRows = {
  /**
   * Brings the rows back to that, whatever programs on it do meanwhile. False: the schema was changed, or connections were taken away. `numbers`: ids are
   * counted from the beginning, too, which no program on it survives.
   */
  bringBack(wanted?: { numbers?: boolean }): Promise<boolean>;
} & AsyncDisposable;

const TABLES = `select quote_ident(schemaname) || '.' || quote_ident(tablename) as "table" from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema', 'at_first') order by 1`;

/** Columns that are not computed, of each table. */
const COLUMNS = `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;

const NUMBERS = `select setval((quote_ident(schemaname) || '.' || quote_ident(sequencename))::regclass, start_value, false)
  from pg_sequences where last_value is not null`;

/** Everything of the schema that a test may change. */
const SCHEMA = `with ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'at_first'))
  select md5(string_agg(part, ' ' order by part)) as now from (
    select 'relation ' || oid || relname as part from pg_class where relnamespace in (select oid from ours)
    union all select 'function ' || oid || ' ' || xmin from pg_proc where pronamespace in (select oid from ours)
    union all select 'trigger ' || oid from pg_trigger where not tgisinternal
    union all select 'constraint ' || oid from pg_constraint where connamespace in (select oid from ours)) as parts`;

/** A locked row of a program that waits for one of ours. */
const DEADLOCK = '40P01';
const TRIES = 5;

/** Notes what the tables have: making a database anew takes several times as long as bringing one back. */
export async function firstRowsOf(databaseUrl: string): Promise<FirstRows> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A database that refuses connections ends this one.
  client.on('error', () => undefined);
  await client.connect();
  // No foreign key is checked, and nothing that a table does by itself is done.
  await client.query(`set session_replication_role = replica; create schema if not exists at_first`);
  const tables = (await client.query<{ table: string }>(TABLES)).rows.map(({ table }) => table);
  const back: string[] = [];
  for (const [n, table] of tables.entries()) {
    const { rows } = await client.query(`select 1 from ${table} limit 1`);
    if (rows.length === 0) continue;
    const columns = String((await client.query(COLUMNS, [table])).rows[0].columns);
    await client.query(`create table at_first.t${n} as select ${columns} from ${table}`);
    back.push(`insert into ${table} (${columns}) overriding system value select ${columns} from at_first.t${n}`);
  }
  const schema = async () => String((await client.query(SCHEMA)).rows[0].now);
  const atFirst = await schema();
  // A program on it would see that it lacks what it had.
  const another = tables.includes('jobs.database') ? ['update jobs.database set id = gen_random_uuid()'] : [];
  const all = ['begin', ...tables.map((table) => `delete from ${table}`), ...back, ...another, 'commit'].join('; ');
  return {
    async bringBack({ numbers = false } = {}) {
      if ((await schema().catch(() => null)) !== atFirst) return false;
      await unlocked(client, all);
      if (numbers) await client.query(NUMBERS);
      return true;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function unlocked(client: pg.Client, statements: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await client.query(statements);
      return;
    } catch (thrown) {
      await client.query('rollback').catch(() => undefined);
      if (!(thrown instanceof pg.DatabaseError) || thrown.code !== DEADLOCK || tried === TRIES) throw thrown;
    }
  }
}
