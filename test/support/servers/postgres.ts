import pg from 'pg';
import { createLog } from '../../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { scratchDir } from './scratch-dir.ts';

export type TestPostgres = {
  /** The empty database `orderbridge`. */
  url: string;
  /** Makes one more empty database and returns its address. */
  createDatabase(): Promise<string>;
} & AsyncDisposable;

/** A private PostgreSQL for one test file, fast because nothing is forced to disk. Takes about a second. */
export async function startPostgres(): Promise<TestPostgres> {
  await using setup = new AsyncDisposableStack();
  const directory = setup.use(await scratchDir());
  const log = createLog({ level: 'silent', name: 'test' });
  const { url } = setup.use(await joinEmbeddedPostgres({ dataDir: directory.path, log, durable: false }));
  const owned = setup.move();
  let made = 0;
  const createDatabase = async (): Promise<string> => {
    made += 1;
    return addDatabase(url, `test_${made}`);
  };
  return { url, createDatabase, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function addDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
