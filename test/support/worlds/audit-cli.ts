import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { runCli } from '../../../src/cli/run-cli.ts';
import { type KeyProcess, openKeyProcess } from '../keys/key-process.ts';
import { newCompany } from '../samples/new-company.ts';
import { SEALING_KEY } from '../servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { scratchDir } from '../servers/scratch-dir.ts';
import { type AuditWorld, startAuditWorld } from './audit-world.ts';

/** `bytes`: raw standard output. */
export type CommandRan = { code: number; out: string; err: string; bytes: Buffer };
type Options = { terminal?: boolean; signal?: AbortSignal; onNote?: () => void; onOut?: () => void };

/** A shop of its own at a compliance service whose clock is in June 2026, and the command line beside it, today: June is over and its deadline has passed. */
export type AuditCli = Omit<AuditWorld, keyof AsyncDisposable> & {
  /** Options that name the shop and its month of June. */
  of: readonly string[];
  directory: string;
  /** `orderbridge service …` in `directory`. */
  service(args: readonly string[], options?: Options): Promise<CommandRan>;
  /** Any other command. */
  run(args: readonly string[], options?: Options): Promise<CommandRan>;
  read(file: string): Promise<Buffer>;
} & AsyncDisposable;

export const MONTH = '2026-06';
const JUNE = '2026-06-20T10:00:00Z';

/** One service and database for the tests of a file; each call makes a shop of a company of its own, an empty folder, and sets the clock back. */
export function useAuditCli(): () => Promise<AuditCli> {
  let postgres: TestPostgres;
  let process: KeyProcess;
  let world: AuditWorld;
  beforeAll(async () => {
    postgres = await startPostgres('whole');
    process = await openKeyProcess(postgres.url, SEALING_KEY.toString('base64'));
    world = await startAuditWorld(postgres.url, JUNE, { sealing: process.keys.sealer });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await process[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });
  return async () => {
    world.setClock(JUNE);
    return cliOf(world, postgres.url);
  };
}

async function cliOf(world: AuditWorld, databaseUrl: string): Promise<AuditCli> {
  const shopId = await world.newShop({ companyUic: newCompany() });
  const { path: directory, [Symbol.asyncDispose]: remove } = await scratchDir();
  const env = { DATA_DIR: directory, DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: SEALING_KEY.toString('base64'), BNB_RATES_URL: 'off' };
  const run: AuditCli['run'] = async (args, { terminal = false, signal = new AbortController().signal, onNote, onOut } = {}) => {
    const [stdout, stderr] = [collected(onOut), collected(onNote)];
    const context = { args, env, cwd: directory, stdin: Readable.from([]), signal };
    const code = await runCli({ ...context, stdout: stdout.stream, stderr: Object.assign(stderr.stream, { isTTY: terminal }) });
    return { code, out: stdout.all().toString(), err: stderr.all().toString(), bytes: stdout.all() };
  };
  return {
    ...world,
    shopId,
    create: (changes = {}) => world.create({ shopId, ...changes }),
    list: (month, of = shopId) => world.list(month, of),
    of: ['--shop', shopId, '--month', MONTH],
    directory,
    run,
    service: (args, options) => run(['service', ...args], options),
    read: (file) => readFile(join(directory, file)),
    [Symbol.asyncDispose]: remove,
  };
}

/** An order of June, right in every field. */
export function juneOrder(n: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { internalId: `id-${n}`, internalNumber: `#${n}`, internalCreatedAt: '2026-06-20T10:15:00+03:00', ...changes };
}

function collected(onWrite: () => void = () => undefined): { stream: Writable; all: () => Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      onWrite();
      done();
    },
  });
  return { stream, all: () => Buffer.concat(chunks) };
}
