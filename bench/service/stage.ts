import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createLog } from '../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.ts';
import { startRedis } from '../../test/support/servers/redis.ts';
import { scratchDir } from '../../test/support/servers/scratch-dir.ts';
import { superuserUrl } from '../../test/support/servers/superuser.ts';
import { family } from '../usage.ts';
import type { Options } from './options.ts';

/** The base of every measurement: one PostgreSQL that forces every commit to disk, and one Redis. */
export type Stage = AsyncDisposable & {
  options: Options;
  directory: string;
  redisUrl: string;
  logFile(name: string): string;
  createDatabase(name: string): Promise<string>;
  postgresPids(): number[];
};

export async function openStage(options: Options): Promise<Stage> {
  await using setup = new AsyncDisposableStack();
  const { path: directory } = setup.use(await scratchDir());
  const logs = join(directory, 'logs');
  mkdirSync(logs);
  const redis = setup.use(await startRedis({ appendFsync: 'everysec' }));
  const dataDir = join(directory, 'data');
  const server = setup.use(await joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'bench' }) }));
  const url = await superuserUrl(dataDir, server.url);
  const [postmaster = 0] = await ask<number>(url, `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as answer`);
  const owned = setup.move();
  return {
    options,
    directory,
    redisUrl: redis.url,
    logFile: (name) => join(logs, `${name}.log`),
    async createDatabase(name) {
      await ask(url, `create database ${name}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    postgresPids: () => family(postmaster),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The column `answer` of the rows of a statement, on a separate connection. */
export async function ask<Answer>(url: string, sql: string, values: readonly unknown[] = []): Promise<Answer[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: Answer }>(sql, [...values]);
    return rows.map(({ answer }) => answer);
  } finally {
    await client.end();
  }
}
