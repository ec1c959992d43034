import pg from 'pg';
import { until } from './settled.ts';

/** Stops a process at a known statement, by locks of the test. */
export type Roadblock = {
  /** Resolves when a connection of the program waits at the block. */
  reached(): Promise<void>;
  /** Ends those connections, so that their statements do not run once the locks are released. */
  cut(): Promise<void>;
  /** Releases the locks; waiting statements go on. */
  lift(): Promise<void>;
} & AsyncDisposable;

const WAITING = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'orderbridge'`;

// The sweeper waits at the same tables, too, so each place is also recognized by its statement, of which PostgreSQL shows the first 1,024 bytes. Claims read the journal: they go on.
const places = {
  /** A delivery is about to be merged. */
  merge: { table: 'orders', mode: 'access exclusive', statement: '%as k(shop_id%' },
  /** A delivery is merged, all but committed. */
  merged: { table: 'deliveries', mode: 'access exclusive', statement: '%insert into deliveries%' },
  /** A claimed order's step is about to be journaled. */
  begin: { table: 'steps', mode: 'share row exclusive', statement: '%fence int, seq int, kind text%' },
  /** A reply is about to be written down. */
  write: { table: 'orders', mode: 'access exclusive', statement: '%sets_standing%' },
} as const;

/** Stops every process that reaches a place. */
export function blockAt(databaseUrl: string, place: keyof typeof places): Promise<Roadblock> {
  const { table, mode, statement } = places[place];
  return block({ databaseUrl, statement, lifting: 'rollback' }, async (client) => {
    await client.query('begin');
    await client.query(`lock table bridge.${table} in ${mode} mode`);
  });
}

const UNBLOCK = 'select pg_advisory_unlock(4711); drop function bridge.roadblock() cascade';

/** Stops anyone who meets the trigger; `when`: the trigger's moment, table and condition. */
async function blockByTrigger(client: pg.Client, { kind = 'trigger', when }: { kind?: 'trigger' | 'constraint trigger'; when: string }): Promise<void> {
  await client.query('select pg_advisory_lock(4711)');
  await client.query(
    `create function bridge.roadblock() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$`,
  );
  await client.query(`create ${kind} roadblock ${when} execute function bridge.roadblock()`);
}

/** Stops every process that is about to send an alert, which is in the outbox. */
export function blockAlerts(databaseUrl: string): Promise<Roadblock> {
  return block({ databaseUrl, statement: '%update alert_messages%', lifting: UNBLOCK }, (client) =>
    blockByTrigger(client, { when: 'before update on bridge.alert_messages for each row' }),
  );
}

/** Stops every process that is about to journal this step of an order. */
export function blockStep(databaseUrl: string, seq: number): Promise<Roadblock> {
  return block({ databaseUrl, statement: places.begin.statement, lifting: UNBLOCK }, (client) =>
    blockByTrigger(client, { when: `before insert on bridge.steps for each row when (new.seq = ${seq})` }),
  );
}

/** Stops every process that is about to commit steps with the claims of their orders. */
export function blockCommit(databaseUrl: string): Promise<Roadblock> {
  return block({ databaseUrl, statement: 'commit%', lifting: UNBLOCK }, (client) =>
    blockByTrigger(client, { kind: 'constraint trigger', when: 'after insert on bridge.steps deferrable initially deferred for each row' }),
  );
}

type Block = { databaseUrl: string; statement: string; lifting: string };

async function block({ databaseUrl, statement, lifting }: Block, set: (client: pg.Client) => Promise<void>): Promise<Roadblock> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'roadblock' });
  const watcher = new pg.Client({ connectionString: databaseUrl, application_name: 'watcher' });
  await Promise.all([client.connect(), watcher.connect()]);
  await set(client);
  let isLifted = false;
  const lift = async (): Promise<void> => {
    if (isLifted) return;
    isLifted = true;
    await client.query(lifting);
    await Promise.all([client.end(), watcher.end()]);
  };
  return {
    reached: async () => {
      const waits = async () => (await watcher.query(`${WAITING} and query ilike $1`, [statement])).rowCount !== 0;
      await until(waits, { what: 'the program to wait at the block' });
    },
    cut: async () => void (await watcher.query(`select pg_terminate_backend(pid) from (${WAITING}) waiting`)),
    lift,
    [Symbol.asyncDispose]: lift,
  };
}
