import type pg from 'pg';

/** The fate of the statement: it fails, or never ends. */
export type Fate = 'fails' | 'hangs';

export type Gate = {
  /** Has a statement met its fate? */
  reached(): Promise<boolean>;
  /** Lifts it. A statement that hangs is broken off, as if its connection had ended. */
  lift(): Promise<void>;
};

const FATES: Record<Fate, string> = { fails: `raise exception 'broken off by the test'`, hangs: 'perform pg_catalog.pg_sleep(600)' };

/** Lets the n-th statement that makes or changes a table, a function or the like meet its fate; BullMQ's own tables are not affected. */
export async function gateAt(client: pg.Client, place: number, fate: Fate): Promise<Gate> {
  // A sequence counts on where a transaction is rolled back.
  await client.query(`create sequence public.statements_seen;
    create function public.meet_fate() returns event_trigger language plpgsql as $$
    begin
      if pg_catalog.current_setting('application_name') <> 'orderbridge-queue' and pg_catalog.nextval('public.statements_seen') = ${place} then
        ${FATES[fate]};
      end if;
    end $$;
    create event trigger gate on ddl_command_start execute function public.meet_fate()`);
  return {
    async reached() {
      const { rows } = await client.query<{ reached: boolean }>(`select is_called and last_value >= ${place} as reached from public.statements_seen`);
      return rows[0]?.reached === true;
    },
    async lift() {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`);
      await client.query('drop event trigger gate');
      await client.query('drop function public.meet_fate; drop sequence public.statements_seen');
    },
  };
}

export type Structure = { columns: string[]; rows: Record<string, number> };

/** Every column, and how many rows each table has; without the queue's own. */
export async function structureOf(client: pg.Client): Promise<Structure> {
  const ours = `table_schema not in ('pg_catalog', 'information_schema', 'public', 'bullmq')`;
  const columns = await client.query<{ text: string }>(
    `select format('%I.%I.%I %s %s', table_schema, table_name, column_name, data_type, is_nullable) as text from information_schema.columns where ${ours} order by 1`,
  );
  const tables = await client.query<{ name: string }>(`select format('%I.%I', table_schema, table_name) as name from information_schema.tables where ${ours}`);
  const rows: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const counted = await client.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    rows[name] = counted.rows[0]?.count ?? 0;
  }
  return { columns: columns.rows.map(({ text }) => text), rows };
}
