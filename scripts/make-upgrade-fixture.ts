/**
 * Makes the fixture of an old release by really running it: `node scripts/make-upgrade-fixture.ts CHECKOUT FOLDER`, where CHECKOUT is a checkout of that
 * release with its node_modules. test/fixtures/upgrade/*\/ORIGIN.md describes the result.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../test/support/servers/postgres.ts';
import { startRedis } from '../test/support/servers/redis.ts';
import { scratchDir } from '../test/support/servers/scratch-dir.ts';
import { ScriptedCompliance } from '../test/support/servers/scripted-compliance.ts';
import { dumpDatabase } from './upgrade-fixture/dump-database.ts';
import { dumpRedis } from './upgrade-fixture/dump-redis.ts';
import { history } from './upgrade-fixture/history.ts';
import { holdPostgresQueue, holdRedis } from './upgrade-fixture/hold-queue.ts';
import { lastDay } from './upgrade-fixture/last-day.ts';
import { leaveWaiting } from './upgrade-fixture/left-waiting.ts';
import { OldProgram } from './upgrade-fixture/old-program.ts';
import { whatItSays } from './upgrade-fixture/what-it-says.ts';
import type { World } from './upgrade-fixture/world.ts';

// Used nowhere else.
const ENCRYPTION_KEY = '0123456789abcdef'.repeat(4);
/** Placeholder for the address of the other compliance API, which differs with each use. */
const REMOTE = 'http://127.0.0.1:1';

type Queue = 'postgres' | 'redis';
type Made = { sql: string; redis: unknown; says: object };

const [, , checkout, folder] = process.argv;
if (checkout === undefined || folder === undefined) throw new Error('usage: node scripts/make-upgrade-fixture.ts CHECKOUT FOLDER');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'encryption.key'), `${ENCRYPTION_KEY}\n`);
for (const queue of ['postgres', 'redis'] as const) await write(queue, await make(queue, resolve(checkout)));

async function write(queue: Queue, { sql, redis, says }: Made): Promise<void> {
  const at = (name: string) => join(folder ?? '', `${queue}.${name}`);
  await writeFile(at('sql'), sql);
  if (redis !== null) await writeFile(at('keys.json'), `${JSON.stringify(redis, null, 1)}\n`);
  await writeFile(at('says.json'), `${JSON.stringify(says, null, 1)}\n`);
}

async function make(queue: Queue, from: string): Promise<Made> {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(await scratchDir());
  const postgres = resources.use(await startPostgres());
  const redis = queue === 'redis' ? resources.use(await startRedis({ appendFsync: 'always' })) : null;
  const remote = resources.use(await ScriptedCompliance.start());
  const smtpUrl = await silentMailServer(resources);
  const program = new OldProgram(from, path, { DATABASE_URL: postgres.url, ENCRYPTION_KEY, ...(redis === null ? {} : { REDIS_URL: redis.url }) });
  const holdQueue = redis === null ? () => holdPostgresQueue(postgres.url) : () => holdRedis(redis);
  const world: World = { program, databaseUrl: postgres.url, remote, holdQueue };
  const env = {
    ...{ COMPLIANCE_API_URL: remote.url, COMPLIANCE_API_KEY: 'key', COMPLIANCE_API_SECRET: 'secret', COMPLIANCE_AMOUNTS: 'decimal' },
    SMTP_URL: smtpUrl,
  };
  const stores = await lastDay(world, await history(world), env);
  await leaveWaiting(world, stores, env);
  const says = await whatItSays(program, stores, env);
  const portable = portably([
    [remote.url, REMOTE],
    [new URL(remote.url).host, new URL(REMOTE).host],
    [from, '/orderbridge'],
  ]);
  const sql = await dumpDatabase(postgres.url);
  await expectSame(sql, await postgres.createDatabase());
  return {
    sql: portable(sql),
    redis: redis === null ? null : JSON.parse(portable(JSON.stringify(await dumpRedis(redis.url)))),
    says: JSON.parse(portable(JSON.stringify(says))),
  };
}

/** Checks that the dump makes the same database again. */
async function expectSame(sql: string, emptyUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: emptyUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
  if ((await dumpDatabase(emptyUrl)) !== sql) throw new Error('the dump makes another database than it was made of');
}

/** Removes what is particular to the machine. */
function portably(words: readonly (readonly [from: string, to: string])[]): (text: string) => string {
  return (text) => words.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

/** A mail server that accepts connections and never answers: senders wait. */
async function silentMailServer(resources: AsyncDisposableStack): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  resources.defer(async () => void server.close());
  const address = server.address();
  return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
