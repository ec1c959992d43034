import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { LEDGER_SCHEMA, migrateLedger } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { createPool, type Pool } from '../../../src/platform/postgres/postgres.ts';
import { migrateService } from '../../../src/service/database/service-tables.ts';
import { starts } from '../starts.ts';
import { MEMORY_FOLDER } from './memory-of-run.ts';
import { scratchDir } from './scratch-dir.ts';
import { SERVERS_FOLDER } from './servers-of-run.ts';
import { superuserUrl } from './superuser.ts';

/** What a database begins with: nothing, the tables of the bridge, of the compliance service, or both. */
export type Beginning = 'empty' | 'bridge' | 'service' | 'whole';

export type TestPostgres = {
  /** A database. */
  url: string;
  /** Makes one more database, empty unless it is said, and returns its address. */
  createDatabase(beginning?: Beginning): Promise<string>;
} & AsyncDisposable;

type Server = Pick<EmbeddedPostgres, 'url'> & AsyncDisposable;

let ofWorker: Promise<Server> | undefined;

/** Copied instead of made anew, which takes longer than most tests: by the server's address. */
const templates = new Map<string, Promise<string>>();

/**
 * Databases of its own for one test file, on a PostgreSQL that is fast because nothing is forced to disk. The files of a worker run one after the other
 * on one server; who stops it, or changes its settings, takes `startOwnPostgres`.
 */
export async function startPostgres(beginning: Beginning = 'empty'): Promise<TestPostgres> {
  await using setup = new AsyncDisposableStack();
  const { url } = setup.use(await serverOfWorker());
  const names: string[] = [];
  const createDatabase = async (begins: Beginning = 'empty'): Promise<string> => {
    const template = begins === 'empty' ? null : await templateOf(url, begins);
    starts.databases += 1;
    const name = `test_${starts.databases}`;
    await onServer(url, ...creating(name, template));
    names.push(name);
    if (template !== null)
      await onServer(addressOf(url, name), 'update jobs.database set id = gen_random_uuid(), place = jobs.place(), verified = jobs.server_start()');
    return addressOf(url, name);
  };
  setup.defer(() => onServer(url, ...names.map((name) => `drop database ${name} with (force)`)));
  const first = await createDatabase(beginning);
  const owned = setup.move();
  return { url: first, createDatabase, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Copying whole files is the fastest way in memory, and the slowest on a disk. */
function creating(name: string, template: string | null): string[] {
  const create = `create database ${name}${template === null ? '' : ` template ${template}`}`;
  return process.env[MEMORY_FOLDER] === undefined ? [create] : ['set file_copy_method = clone', `${create} strategy file_copy`];
}

function templateOf(url: string, beginning: Tables): Promise<string> {
  const key = `${url} ${beginning}`;
  const known = templates.get(key) ?? makeTemplate(url, beginning);
  templates.set(key, known);
  return known;
}

type Tables = Exclude<Beginning, 'empty'>;

async function makeTemplate(url: string, beginning: Tables): Promise<string> {
  const name = `begins_${beginning}`;
  await onServer(url, `create database ${name}`);
  if (beginning !== 'service') await withPool(addressOf(url, name), LEDGER_SCHEMA, migrateLedger);
  if (beginning !== 'bridge') await withPool(addressOf(url, name), 'compliance', migrateService);
  return name;
}

async function withPool(url: string, schema: string, work: (pool: Pool) => Promise<void>): Promise<void> {
  const pool = createPool({ url, schema, max: 2, onError: () => undefined });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

/** Outside the tests, where nobody stops it at the end of the run, each has a server of their own. */
async function serverOfWorker(): Promise<Server> {
  const folder = process.env[SERVERS_FOLDER];
  if (folder === undefined) return privateServer();
  ofWorker ??= dataDirIn(folder).then(startIn);
  const { url } = await ofWorker;
  return { url, [Symbol.asyncDispose]: async () => undefined };
}

/** The worker's folder in `folder`, whose server is stopped at the end of the run; its data is in memory if there is room. */
async function dataDirIn(folder: string): Promise<string> {
  const path = join(folder, String(process.pid));
  const memory = process.env[MEMORY_FOLDER];
  if (memory !== undefined) {
    const inMemory = join(memory, String(process.pid));
    await mkdir(inMemory);
    await symlink(inMemory, path);
  }
  return path;
}

async function privateServer(): Promise<Server> {
  await using setup = new AsyncDisposableStack();
  const directory = setup.use(await scratchDir());
  const { url } = setup.use(await startIn(directory.path));
  const owned = setup.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startIn(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'test' }), durable: false });
  return { ...server, url: await superuserUrl(dataDir, server.url) };
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
