import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startPostgresUser } from '../servers/postgres-user.ts';

/** The data of an old release, from test/fixtures/upgrade. */
export type OldRelease = { says: Says; sql: string; keys: RedisKey[]; encryptionKey: string };

export type OldStore = { platform: 'shopify' | 'woocommerce' | 'standard'; name: string; connection: string; shop: string; secret: string };
export type StoreName = 'own' | 'woo' | 'shopify' | 'closed' | 'remote' | 'unknown';
export type ListedOrder = { orderId: string; connectionId: string; state: string; complianceId: string | null; recordedTotal: string | null };
export type ServiceOrder = {
  id: string;
  internalId: string;
  documentNumber: string;
  documentDate: string;
  edition: number;
  month: string | null;
  accountingTotal: number | null;
  /** Absent if nothing of the buyer is known. */
  customer?: Record<string, string> | null;
};
export type ServiceReceipt = { id: string; orderId: string; documentNumber: string; edition: number; emailed: string };
export type ServiceMail = { id: string; kind: string; state: string };
export type ServiceMonth = { month: string; state: string; orders: number; version: number | null; filedVersion: number | null };
export type OldShop = { orders: ServiceOrder[]; receipts: ServiceReceipt[]; mails: ServiceMail[]; months: ServiceMonth[]; files: Record<string, string> };
export type OldConnection = { connectionId: string; pauses: unknown[]; warnings: string[] } & Record<string, unknown>;

export type Export = { id: number; requestId: string; data: { orders: { order_id: string; customer?: object | null }[] } };

/** Its state, as its own command line prints it. */
export type Says = {
  stores: Record<StoreName, OldStore>;
  orders: ListedOrder[];
  exports: Export[];
  connections: OldConnection[];
  shops: Record<string, OldShop>;
};

type RedisKey = { key: string; expiresInMs: number | null } & (
  | { type: 'string'; value: string }
  | { type: 'list' | 'set'; value: string[] }
  | { type: 'hash'; value: Record<string, string> }
  | { type: 'zset'; value: [member: string, score: string][] }
  | { type: 'stream'; value: [id: string, fields: string[]][] }
);

/** The placeholder in the dump for the address of the other compliance API. */
const REMOTE = `'http://127.0.0.1:1'`;

/** `queue`: where the old release had its queues. */
export function oldRelease(commit: string, queue: 'postgres' | 'redis'): OldRelease {
  const read = (name: string) => readFileSync(new URL(`../../fixtures/upgrade/${commit}/${name}`, import.meta.url), 'utf8');
  return {
    says: JSON.parse(read(`${queue}.says.json`)),
    sql: read(`${queue}.sql`),
    keys: queue === 'redis' ? JSON.parse(read('redis.keys.json')) : [],
    encryptionKey: read('encryption.key').trim(),
  };
}

/** Puts the dump into an empty database. */
export async function loadDatabase(url: string, { sql }: OldRelease, remoteUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql.replaceAll(REMOTE, `'${remoteUrl}'`));
  } finally {
    await client.end();
  }
}

/** Makes a DATA_DIR with the dump in its embedded database, and the old key file. */
export async function loadDataDir(dataDir: string, old: OldRelease, remoteUrl: string): Promise<void> {
  await writeFile(join(dataDir, 'encryption.key'), `${old.encryptionKey}\n`, { mode: 0o600 });
  await using user = await startPostgresUser(dataDir);
  await loadDatabase(user.url, old, remoteUrl);
}

/** Puts every key into an empty Redis. */
export async function loadRedis(url: string, { keys }: OldRelease): Promise<void> {
  const redis = new Redis(url);
  try {
    for (const one of keys) {
      await put(redis, one);
      if (one.expiresInMs !== null) await redis.pexpire(one.key, one.expiresInMs);
    }
  } finally {
    redis.disconnect();
  }
}

async function put(redis: Redis, { key, type, value }: RedisKey): Promise<void> {
  switch (type) {
    case 'string':
      return void (await redis.set(key, value));
    case 'list':
      return void (await redis.rpush(key, ...value));
    case 'set':
      return void (await redis.sadd(key, ...value));
    case 'hash':
      return void (await redis.hset(key, value));
    case 'zset':
      return void (await redis.zadd(key, ...value.flatMap(([member, score]) => [score, member])));
    case 'stream':
      for (const [id, fields] of value) await redis.xadd(key, id, ...fields);
  }
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
