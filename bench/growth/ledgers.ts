import pg from 'pg';
import { z } from 'zod';
import { createPool, type Pool, type Queryable, reserveConnection } from '../../src/platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../src/platform/postgres/read-rows.ts';
import { fillHistory } from '../../test/support/ledger/fill-history.ts';
import { until } from '../../test/support/worlds/settled.ts';
import { bridges, type Contestant } from '../contestants.ts';
import type { Home } from '../home.ts';
import { drained, drive } from '../measure.ts';
import { names } from '../names.ts';
import { checkpointLater, type Stage } from '../stage.ts';
import { type Size, sizesOf } from './sizes.ts';

/**
 * A ledger with so many orders of history, which take so many bytes, by table in `sizes`; `sample`: the id of the order of which they are copies. `stage`: the stage whose program
 * works on it.
 */
export type Ledger = { orders: number; bytes: number; sizes: Size[]; sample: number; home: Home; stage: Stage };

/** What history is spread over. */
const DAYS = 730;
const SAMPLES = 20;

const bytesRow = rowsOf('pg_database', z.object({ bytes: z.number() }));
const tableRow = rowsOf('pg_class', z.object({ name: z.string(), rows: z.number(), indexes: z.number() }));
const sampleRow = rowsOf('orders', z.object({ id: z.int() }));

/** Ledgers of these sizes, each a copy of the one before it with more orders. */
export async function makeLedgers(stage: Stage, histories: readonly number[]): Promise<Ledger[]> {
  const root = stage.options.root;
  let home = stage.home(root, 0);
  const sample = await makeSample(stage, home);
  const ledgers: Ledger[] = [];
  let first = 1;
  // Else the log of what is filled in takes as much of the disk as the ledgers.
  await stage.pool.query(`alter system set max_wal_size = '4GB'`);
  await stage.pool.query('select pg_reload_conf()');
  for (const orders of histories) {
    if (ledgers.length > 0) home = await copyOf(stage, home, `growth_${orders}`);
    const began = performance.now();
    await fill(home, { sample, first, count: orders - first + 1 });
    const seconds = (performance.now() - began) / 1000;
    const bytes = await bytesOf(home);
    const sizes = await withPool(home, (pool) => sizesOf((text) => readRows(pool, tableRow, { text }), orders));
    ledgers.push({ orders, bytes, sizes, sample, home, stage: on(stage, home) });
    console.error(`a ledger of ${orders} orders, ${(bytes / 1e6).toFixed(0)} MB, ${orders - first + 1} of them filled in ${seconds.toFixed(0)} s`);
    first = orders + 1;
  }
  await checkpointLater(stage.pool);
  return ledgers;
}

/** Receiver and worker, without a quiet time. */
export function splitOf(stage: Stage): Contestant {
  return bridges(stage.options.root, { all: names.all, split: names.split, label: 'growth' }).split.atOnce;
}

/** The stage, with the program on another database. */
function on(stage: Stage, home: Home): Stage {
  return Object.create(stage, { home: { value: () => home } });
}

/** Orders that came the usual way, so that what is copied is what the program writes. */
async function makeSample(stage: Stage, home: Home): Promise<number> {
  await using running = await splitOf(stage).start(stage, true);
  await stage.stub.ask('reset');
  await drive(stage, running, { count: SAMPLES });
  await drained(stage, SAMPLES);
  return await withPool(home, async (pool) => {
    const isWritten = async () => (await pool.query(`select from orders where state = 'recorded'`)).rowCount === SAMPLES;
    await until(isWritten, { what: 'the samples to be written' });
    return (await readOne(pool, sampleRow, { text: 'select id from orders order by id limit 1' })).id;
  });
}

/** A database like this one; `name` becomes its own. */
export async function copyOf(stage: Stage, home: Home, name: string): Promise<Home> {
  const template = new URL(home.databaseUrl).pathname.slice(1);
  using reserved = await reserveConnection(stage.pool);
  // Gigabytes, by a copy of their files.
  await reserved.client.query('set statement_timeout = 0');
  await reserved.client.query(`create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)} strategy = file_copy`);
  const url = new URL(home.databaseUrl);
  url.pathname = `/${name}`;
  const copy = { ...home, databaseUrl: url.href, env: { ...home.env, DATABASE_URL: url.href } };
  // Else nothing would be recorded in a copy.
  await withPool(copy, (pool) => pool.query('update jobs.database set id = gen_random_uuid(), place = jobs.place(), verified = jobs.server_start()'));
  return copy;
}

async function bytesOf(home: Home): Promise<number> {
  return await withPool(home, async (pool) => (await readOne(pool, bytesRow, { text: 'select pg_database_size(current_database())::float8 as bytes' })).bytes);
}

async function fill(home: Home, { sample, first, count }: { sample: number; first: number; count: number }): Promise<void> {
  await inBulk(home, (db) => fillHistory(db, { sample, first, count, days: DAYS }));
}

/** Writes without checks of references, and leaves the database as autovacuum would. */
export async function inBulk(home: Home, work: (db: Queryable) => Promise<void>): Promise<void> {
  await withPool(home, async (pool) => {
    using reserved = await reserveConnection(pool);
    await reserved.client.query('set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0');
    await work(reserved.client);
    await reserved.client.query('vacuum (freeze, analyze)');
    await reserved.client.query('checkpoint');
  });
}

export async function withPool<T>({ databaseUrl: url }: Home, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, schema: 'bridge', max: 1, onError: (error) => console.error(error.message) });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
