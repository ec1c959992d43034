import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openCore } from '../../src/app/core.ts';
import type { Config } from '../../src/config/config.ts';
import { KEY_FILE } from '../../src/config/encryption-key.ts';
import { Secret } from '../../src/config/secret.ts';
import { reportKeys } from '../../src/operations/keys/report-keys.ts';
import { rotateKeys } from '../../src/operations/keys/rotate-keys.ts';
import { PROGRAM } from '../../src/platform/audit-log/audit-log.ts';
import { createLog } from '../../src/platform/log.ts';
import { KnownData } from '../support/at-rest/known-data.ts';
import { dumped, filesIn, found } from '../support/at-rest/search-dump.ts';
import { minuteLater, newMaster, rotateKilled } from '../support/keys/killed-rotation.ts';
import { SEED } from '../support/run-size.ts';
import { BUILT } from '../support/servers/built-program.ts';
import { askPostgres } from '../support/servers/copied-postgres.ts';
import { installedPostgres } from '../support/servers/other-postgres.ts';
import { startRedis } from '../support/servers/redis.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { superuserUrl } from '../support/servers/superuser.ts';
import { Bridge, ENCRYPTION_KEYS } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';

const COUNT = 200;
const KILLS = 50;
/** A command takes some seconds, since each process that runs has to read the keys. */
const COMMAND_KILLS = 5;
const COMMAND_MS = 12_000;
const log = createLog({ level: 'silent', name: 'test' });
/** Of what is left plain: a line of each order. */
const PLAIN = 'Тениска';

let random = SEED;
function below(most: number): number {
  random = (random * 48_271 + 11) % 2_147_483_647;
  return random % most;
}

/** From now on its files have long values as they are, so that the search sees what they say. */
const UNPACKED = `do $$ declare c record; begin
  for c in select a.attrelid::regclass as t, a.attname from pg_attribute a join pg_class r on r.oid = a.attrelid
    where r.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attstorage in ('x', 'm') and a.attlen = -1
      and r.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
  loop execute format('alter table %s alter column %I set storage external', c.t, c.attname); end loop;
end $$`;

type Part = { where: string; bytes: Buffer };
type Copies = Record<string, AsyncIterable<Part>>;

async function* text(where: string, read: () => Promise<string>): AsyncGenerator<Part> {
  yield { where, bytes: Buffer.from(await read()) };
}

/** Those that are files are for people to open, and go: see docs/security.md. */
function withoutMails(all: readonly string[]): string[] {
  return all.filter((one) => !one.includes('/outbox/'));
}

/** Nothing is found in any of them, which are no empty ones. */
async function showNothing(wanted: readonly string[], copies: Copies): Promise<void> {
  for (const [name, parts] of Object.entries(copies)) {
    const all = await found([...wanted, PLAIN], parts);
    const isPlain = (one: string) => one.startsWith(PLAIN);
    expect([name, withoutMails(all).filter((one) => !isPlain(one))]).toEqual([name, []]);
    expect([name, all.some(isPlain)]).toEqual([name, true]);
  }
}

test(`a dump, WAL and Redis' files show none of ${COUNT} buyers, mailboxes, tokens and bodies; nor do they after rotations, of which ${KILLS} were killed`, async (context) => {
  await using server = await installedPostgres();
  if (server === null) return context.skip('no PostgreSQL with pg_dump is installed');
  await using redis = await startRedis({ appendFsync: 'everysec', args: ['--rdbcompression', 'no'] });
  await using folder = await scratchDir();
  const { url } = server;
  const config = (keys: string): Partial<Config> => ({ encryptionKeys: new Secret(keys), dataDir: folder.path });
  const start = (keys: string) => Bridge.start({ databaseUrl: url, redisUrl: redis.url, config: config(keys) });
  const bridge = await start(ENCRYPTION_KEYS);
  await using _ = bridge;
  // What runs meanwhile locks tables in another order.
  await until(() => askPostgres(url, UNPACKED).then(() => true), { what: 'the columns to be unpacked' });
  const known = await KnownData.fill(bridge, COUNT);
  const whole = bridge.app.core.config;
  const core = (keys: string) => openCore({ ...whole, ...config(keys) }, log);
  const wanted = [...known.all, ENCRYPTION_KEYS];
  const look = async (keys: readonly string[]) => {
    await askPostgres(url, 'checkpoint');
    await redis.save();
    const copies = { dump: text('dump', server.dump), 'data and WAL': filesIn(server.data), 'AOF and RDB': filesIn(redis.folder) };
    await showNothing([...wanted, ...keys], copies);
    expect(withoutMails(await found([...wanted, ...keys], filesIn(folder.path)))).toEqual([]);
  };
  await bridge[Symbol.asyncDispose]();
  {
    await using one = await core(ENCRYPTION_KEYS);
    await known.wait(one);
  }
  await look([]);

  const left = await rotateKilled({ databaseUrl: url, leaked: ENCRYPTION_KEYS, times: KILLS, below });

  await look([left]);
  {
    await using later = await start(left);
    await known.waitingRecorded(later);
    expect(await known.unread(later)).toEqual([]);
  }
  // A planned rotation, and another one.
  let keys = left;
  for (let n = 0; n < 2; n += 1) {
    const newest = newMaster();
    await using both = await core(`${newest},${keys}`);
    await rotateKeys(both, { isLeaked: false, by: PROGRAM });
    keys = newest;
  }
  await look([left, keys]);
  await using last = await start(keys);
  expect(await known.unread(last)).toEqual([]);
  const report = await reportKeys({ pool: last.pool, masters: [], jobs: async () => [] });
  expect([report.unknown, ...report.purposes.map(({ sealedBefore }) => sealedBefore)]).toEqual([0, ...report.purposes.map(() => 0)]);
});

test(`a DATA_DIR without its key shows none of ${COUNT}; nor after commands that were killed ${COMMAND_KILLS} times beside the program, and with the old key gone`, async () => {
  await using folder = await scratchDir();
  const keyFile = join(folder.path, KEY_FILE);
  const start = () =>
    Bridge.start({ databaseUrl: 'postgres://nowhere', config: { database: { kind: 'embedded' }, encryptionKeys: null, dataDir: folder.path } });
  const withBridge = async <T>(work: (bridge: Bridge) => Promise<T>): Promise<T> => {
    await using bridge = await start();
    return await work(bridge);
  };
  const known = await withBridge(async (bridge) => {
    const superuser = await superuserUrl(folder.path, bridge.app.core.databaseUrl);
    await until(() => askPostgres(superuser, UNPACKED).then(() => true), { what: 'the columns to be unpacked' });
    const filled = await KnownData.fill(bridge, COUNT);
    await putRest(bridge, filled);
    return filled;
  });
  const first = (await readFile(keyFile, 'utf8')).trim();
  const keys = [first];
  const look = () => showNothing([...known.all, ...keys], { DATA_DIR: filesIn(folder.path, KEY_FILE) });
  await look();

  for (const leaked of [true, false]) {
    const newest = newMaster();
    keys.unshift(newest);
    await writeFile(keyFile, `${newest}\n${keys[1]}\n`);
    await withBridge(async ({ app: { core } }) => {
      for (let killed = 0; leaked && killed < COMMAND_KILLS; killed += 1) {
        if ((await command(folder.path, ['keys', 'rotate', '--leaked'], below(COMMAND_MS))) !== null) break;
        await minuteLater(core.databaseUrl);
      }
      // With 1, everything was done when it was killed.
      expect(await command(folder.path, ['keys', 'rotate', ...(leaked ? ['--leaked'] : [])], null)).toBeLessThan(2);
      await showNothing([...known.all, ...keys], { COPY: dumped(core.pool) });
    });
    await writeFile(keyFile, `${newest}\n`);
    await withBridge(async (bridge) => expect(await known.unread(bridge)).toEqual([]));
    await look();
  }
});

/** The last two come as all others do. */
async function putRest(bridge: Bridge, known: KnownData): Promise<void> {
  await known.wait(bridge.app.core);
  await known.waitingRecorded(bridge);
}

/** The code with which a command of the program ended; null: it was killed so many ms after its beginning. */
async function command(dataDir: string, args: readonly string[], killedAfterMs: number | null): Promise<number | null> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const child = spawn(process.execPath, [BUILT, ...args], { env, cwd: dataDir, stdio: 'ignore' });
  const exit = once(child, 'exit');
  if (killedAfterMs !== null) {
    await Promise.race([sleep(killedAfterMs), exit]);
    child.kill('SIGKILL');
  }
  const [code] = await exit;
  return typeof code === 'number' ? code : null;
}
