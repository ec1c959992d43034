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

/** Lets the n-th statement that makes or changes a table, a function or the like meet its fate. */
export async function gateAt(client: pg.Client, place: number, fate: Fate): Promise<Gate> {
  // A sequence counts on where a transaction is rolled back.
  await client.query(`create sequence public.statements_seen;
    create function public.meet_fate() returns event_trigger language plpgsql as $$
    begin
      if pg_catalog.nextval('public.statements_seen') = ${place} then
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
