import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { until } from '../worlds/settled.ts';
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';
import { redisProgram } from './redis-program.ts';
import { scratchDir } from './scratch-dir.ts';

type RedisOptions = {
  /** `none` (default): nothing survives a stop. `always`: as in production, every write is on disk before it is answered. */
  appendFsync?: 'none' | 'everysec' | 'always';
  /** More arguments of redis-server. */
  args?: readonly string[];
};

export type TestRedis = {
  url: string;
  /** Of its files. */
  folder: string;
  /** The server's process; changes with each start. */
  pid(): number;
  /** Orderly stop; data that `appendFsync` keeps is there after `start`. */
  stop(): Promise<void>;
  /** As kill -9 does it. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with the same folder. */
  start(): Promise<void>;
  /** Deletes everything. */
  flush(): Promise<void>;
  /** Writes all that it keeps into a file, beside what `appendFsync` says. */
  save(): Promise<void>;
} & AsyncDisposable;

/** A private redis-server on a free port of 127.0.0.1, ready for commands. */
export async function startRedis({ appendFsync = 'none', args = [] }: RedisOptions = {}): Promise<TestRedis> {
  const { path, env } = await redisProgram();
  await using setup = new AsyncDisposableStack();
  const directory = setup.use(await scratchDir());
  const port = await freePort();
  const keeping = appendFsync === 'none' ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', appendFsync];
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory.path, '--save', '', '--maxmemory-policy', 'noeviction', ...args];
  const launch = () => spawn(path, [...fixed, ...keeping], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let server = launch();
  const end = (signal: NodeJS.Signals) => endProcess(server, signal);
  setup.defer(() => end('SIGKILL'));
  await answers(server, port);
  const owned = setup.move();
  const start = async (): Promise<void> => {
    await end('SIGTERM');
    server = launch();
    await answers(server, port);
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    folder: directory.path,
    pid: () => server.pid ?? 0,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    start,
    flush: () => withClient(port, async (client) => void (await client.flushall())),
    save: () => withClient(port, async (client) => void (await client.save())),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function answers(server: ChildProcess, port: number): Promise<void> {
  let output = '';
  server.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ready = until(() => withClient(port, (client) => client.ping()), { what: 'redis-server to answer', everyMs: 10 });
  const ended = once(server, 'exit').then(() => Promise.reject(new Error(`redis-server ended at once: ${output}`)));
  await Promise.race([ready, ended]);
}

async function withClient<T>(port: number, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  // The promise below reports a refused connection; without a listener it would be printed as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.disconnect();
  }
}
