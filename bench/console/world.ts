import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { countHours } from '../../src/bridge/ledger/counts/count-hours.ts';
import { LEDGER_SCHEMA } from '../../src/bridge/ledger/migrate-ledger.ts';
import { createLog } from '../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.ts';
import { createPool } from '../../src/platform/postgres/postgres.ts';
import { scratchDir } from '../../test/support/servers/scratch-dir.ts';
import { superuserUrl } from '../../test/support/servers/superuser.ts';
import { BulkLoader } from './bulk-load.ts';
import { fillLedger } from './fill-ledger.ts';
import { fillService } from './fill-service.ts';
import type { Options } from './options.ts';
import { makeSamples } from './sample-orders.ts';

/** A database with many orders, and whom its console lets in. `madeInS` null: it was kept from before. */
export type BenchWorld = { folder: string; databaseUrl: string; token: string; madeInS: number | null; postmaster: number } & AsyncDisposable;

type Kept = Pick<Options, 'orders' | 'stores' | 'seed'> & { token: string };

export async function openWorld(options: Options): Promise<BenchWorld> {
  await using setup = new AsyncDisposableStack();
  const folder = options.keep === null ? setup.use(await scratchDir()).path : resolve(options.keep);
  mkdirSync(folder, { recursive: true });
  const dataDir = join(folder, 'data');
  const server = setup.use(await joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'bench' }), durable: false }));
  const url = await superuserUrl(dataDir, server.url);
  const databaseUrl = Object.assign(new URL(url), { pathname: '/console' }).href;
  const note = join(folder, 'console.json');
  const known: Kept | null = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : null;
  const began = performance.now();
  const { orders, stores, seed } = options;
  const isKept = known?.orders === orders && known.stores === stores && known.seed === seed;
  const token = isKept ? known.token : await make({ url, databaseUrl }, options);
  if (!isKept) writeFileSync(note, JSON.stringify({ orders, stores, seed, token } satisfies Kept));
  await letIn(databaseUrl);
  const owned = setup.move();
  const madeInS = isKept ? null : (performance.now() - began) / 1000;
  return { folder, databaseUrl, token, madeInS, postmaster: await postmasterOf(databaseUrl), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function make({ url, databaseUrl }: { url: string; databaseUrl: string }, { orders, stores, seed }: Options): Promise<string> {
  await once(url, 'drop database if exists console');
  await once(url, 'create database console');
  const { token } = await makeSamples(databaseUrl, stores);
  await using loader = await BulkLoader.open(databaseUrl);
  await fillLedger(loader, { orders, seed });
  await fillService(loader);
  await loader.run('vacuum analyze');
  const pool = createPool({ url: databaseUrl, schema: LEDGER_SCHEMA, max: 2, onError: () => undefined });
  await countHours(pool, new AbortController().signal).finally(() => pool.end());
  await loader.run('vacuum analyze counts');
  return token;
}

/** The session of a world that was kept goes on; its owner was here two weeks ago, which is as far as Today goes back. */
async function letIn(databaseUrl: string): Promise<void> {
  await once(databaseUrl, `update bridge.sessions set created_at = now(), seen_at = now()`);
  await once(databaseUrl, `update bridge.people set seen_at = now(), left_at = now() - interval '14 days'`);
}

async function once(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`).finally(() => client.end());
  return rows[0]?.pid ?? 0;
}
