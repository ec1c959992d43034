import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';

/** Where one checkout of orderbridge works: a database of its own, made by its own program, with one connected store. */
export type Home = { root: string; databaseUrl: string; connectionId: string; env: Record<string, string> };

export type HomeOptions = {
  root: string;
  /** The address of the server, and the name of the database that is made there. */
  server: { url: string; database: string };
  directory: string;
  complianceUrl: string;
  store: { secret: string; shopId: string };
  quietSeconds: number;
};

export const API = { key: 'bench-key', secret: 'bench-secret' };

const settings = { recordFrom: '2020-01-01T00:00:00Z', transactionWaitSeconds: 0, vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D' } };
const connected = z.object({ connectionId: z.string() });
const run = promisify(execFile);

/** Makes the database and connects the store with the commands of the checkout, which other commits have, too. */
export async function makeHome({ root, server, directory, complianceUrl, store, quietSeconds }: HomeOptions): Promise<Home> {
  const databaseUrl = await createDatabase(server);
  const env = {
    DATA_DIR: join(directory, server.database),
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('hex'),
    COMPLIANCE_API_URL: complianceUrl,
    COMPLIANCE_API_KEY: API.key,
    COMPLIANCE_API_SECRET: API.secret,
    COMPLIANCE_AMOUNTS: 'decimal',
    COMPLIANCE_IDEMPOTENCY_KEY: 'supported',
    QUIET_SECONDS: String(quietSeconds),
    STOP_DELAY_SECONDS: '0',
  };
  const file = join(directory, `${server.database}.json`);
  writeFileSync(file, JSON.stringify({ ...settings, quietSeconds }));
  const given = ['--platform', 'shopify', '--name', 'roza-books.myshopify.com', '--secret', store.secret, '--compliance-shop', store.shopId];
  const { stdout } = await run(process.execPath, [join(root, 'bin/orderbridge.mjs'), 'connect', ...given, '--settings', file, '--json'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd: directory,
  });
  return { root, databaseUrl, connectionId: connected.parse(JSON.parse(stdout)).connectionId, env };
}

/** Its address. */
export async function createDatabase({ url, database }: HomeOptions['server']): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(database)}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

/** A store's secret, and its shop at the compliance service, for all contestants alike. */
export function makeStore(): HomeOptions['store'] {
  return { secret: `shpss_${randomBytes(16).toString('hex')}`, shopId: randomUUID() };
}
