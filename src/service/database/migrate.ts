import type pg from 'pg';
import { migrations } from './migrations.ts';

/** Brings the schema `compliance` up to date; processes that start at once wait for each other. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await applyMissing(client);
    await client.query('commit');
    client.release();
  } catch (thrown) {
    // Closing the connection rolls back, whatever state it is in.
    client.release(true);
    throw thrown;
  }
}

async function applyMissing(client: pg.PoolClient): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtext('migrate compliance service'))");
  await client.query('create schema if not exists compliance');
  await client.query(
    'create table if not exists compliance.migrations (version int primary key, name text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ done: number }>('select coalesce(max(version), 0)::int as done from compliance.migrations');
  const done = rows[0]?.done ?? 0;
  for (const { version, name, sql } of migrations.filter((migration) => migration.version > done)) {
    await client.query(sql);
    await client.query('insert into compliance.migrations (version, name) values ($1, $2)', [version, name]);
  }
}
