import { join } from 'node:path';
import pg from 'pg';
import { createLog } from '../../../src/platform/log.ts';
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { scratchDir } from './scratch-dir.ts';
import { SERVERS_FOLDER } from './servers-of-run.ts';

export type TestPostgres = {
  /** An empty database. */
  url: string;
  /** Makes one more empty database and returns its address. */
  createDatabase(): Promise<string>;
} & AsyncDisposable;

type Server = Pick<EmbeddedPostgres, 'url'> & AsyncDisposable;

let ofWorker: Promise<Server> | undefined;
let made = 0;

/**
 * Databases of its own for one test file, on a PostgreSQL that is fast because nothing is forced to disk. The files of a worker run one after the other
 * on one server; who stops it, or changes its settings, takes `startOwnPostgres`.
 */
export async function startPostgres(): Promise<TestPostgres> {
  await using setup = new AsyncDisposableStack();
  const { url } = setup.use(await serverOfWorker());
  const names: string[] = [];
  const createDatabase = async (): Promise<string> => {
    made += 1;
    const name = `test_${made}`;
    await onServer(url, `create database ${name}`);
    names.push(name);
    return addressOf(url, name);
  };
  setup.defer(() => onServer(url, ...names.map((name) => `drop database ${name} with (force)`)));
  const first = await createDatabase();
  const owned = setup.move();
  return { url: first, createDatabase, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Outside the tests, where nobody stops it at the end of the run, each has a server of his own. */
async function serverOfWorker(): Promise<Server> {
  const folder = process.env[SERVERS_FOLDER];
  if (folder === undefined) return privateServer();
  ofWorker ??= startIn(join(folder, String(process.pid)));
  const { url } = await ofWorker;
  return { url, [Symbol.asyncDispose]: async () => undefined };
}

async function privateServer(): Promise<Server> {
  await using setup = new AsyncDisposableStack();
  const directory = setup.use(await scratchDir());
  const { url } = setup.use(await startIn(directory.path));
  const owned = setup.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function startIn(dataDir: string): Promise<EmbeddedPostgres> {
  return joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'test' }), durable: false });
}

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function addressOf(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
