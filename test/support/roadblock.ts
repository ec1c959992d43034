import pg from 'pg';
import { until } from './settled.ts';

/** Stops a process at a known statement, by locks that the test holds. */
export type Roadblock = {
  /** Resolves when a connection of the program stands at the block. */
  reached(): Promise<void>;
  /** Ends those connections, so that what they were about to do is not done once the way is free. */
  cut(): Promise<void>;
  /** Lets go; what stood there goes on. */
  lift(): Promise<void>;
} & AsyncDisposable;

const WAITING = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'orderbridge'`;

/** Whoever writes to the table waits. */
export function blockTable(databaseUrl: string, table: 'orders' | 'steps' | 'deliveries'): Promise<Roadblock> {
  return block(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(`lock table bridge.${table} in access exclusive mode`);
  });
}

/** Whoever journals this step of an order, before it is sent, waits. */
export function blockStep(databaseUrl: string, seq: number): Promise<Roadblock> {
  return block(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock(4711)');
    await client.query(
      `create function bridge.roadblock() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$`,
    );
    await client.query(`create trigger roadblock before insert on bridge.steps for each row when (new.seq = ${seq}) execute function bridge.roadblock()`);
  });
}

async function block(databaseUrl: string, set: (client: pg.Client) => Promise<void>): Promise<Roadblock> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'roadblock' });
  const watcher = new pg.Client({ connectionString: databaseUrl, application_name: 'watcher' });
  await Promise.all([client.connect(), watcher.connect()]);
  await set(client);
  let isLifted = false;
  const lift = async (): Promise<void> => {
    if (isLifted) return;
    isLifted = true;
    await Promise.all([client.end(), watcher.end()]);
  };
  return {
    reached: async () => void (await until(async () => (await watcher.query(WAITING)).rowCount !== 0, { what: 'the program to stand at the block' })),
    cut: async () => void (await watcher.query(`select pg_terminate_backend(pid) from (${WAITING}) waiting`)),
    lift,
    [Symbol.asyncDispose]: lift,
  };
}
