import { realpath } from 'node:fs/promises';
import pg from 'pg';
import { z } from 'zod';
import { readRows, rowsOf } from '../read-rows.ts';
import { type Cluster, SUPERUSER } from './postgres-cluster.ts';

/**
 * What answers on a port. ours: the server of this cluster. busy: it is starting or stopping. refused: nothing listens. locked: it does not take
 * our password. foreign: something else.
 */
export type Probe = 'ours' | 'busy' | 'refused' | 'locked' | 'foreign';

const DATABASE = 'orderbridge';
const CONNECT_MS = 5_000;
const answers: Readonly<Record<string, Probe>> = {
  '57P03': 'busy',
  '53300': 'ours',
  '28P01': 'locked',
  '28000': 'locked',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'busy',
};

/** The address of orderbridge's database on a port of this machine. */
export function databaseUrl({ password }: Pick<Cluster, 'password'>, port: number, database: string = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Checks whether the server on a port serves this cluster: a copied DATA_DIR names the server of its original. */
export async function probeServer(cluster: Cluster, port: number): Promise<Probe> {
  if (port === 0) return 'refused';
  try {
    const rows = await query(databaseUrl(cluster, port, 'postgres'), 'show data_directory');
    const [row] = rows;
    const serves = row?.['data_directory'];
    return typeof serves === 'string' && (await realpath(serves)) === (await realpath(cluster.directory)) ? 'ours' : 'foreign';
  } catch (thrown) {
    return answers[codeOf(thrown)] ?? 'foreign';
  }
}

/** Makes orderbridge's database if it is not there. */
export async function ensureDatabase(cluster: Cluster, port: number): Promise<void> {
  const url = databaseUrl(cluster, port, 'postgres');
  const found = await query(url, `select 1 from pg_database where datname = '${DATABASE}'`);
  if (found.length === 0) await query(url, `create database ${DATABASE}`);
}

const anyRow = rowsOf('pg_catalog', z.record(z.string(), z.unknown()));

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: 30_000 });
  // A server that is stopping also emits an error event; the query rejects anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await readRows(client, anyRow, { text: sql });
  } finally {
    await client.end();
  }
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}
