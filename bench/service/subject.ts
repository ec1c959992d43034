import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isCompanyId } from '../../src/contract/shop-dto.ts';
import { freePort } from '../../test/support/servers/free-port.ts';
import { type Credentials, callerOf, shopDto } from '../../test/support/worlds/compliance-caller.ts';
import { MALLOC } from '../as-started.ts';
import { type Program, startChild, startProgram } from '../child.ts';
import type { LoadResult } from '../processes/messages.ts';
import type { CreateLoad } from './processes/create-load.ts';
import { ask, type Stage } from './stage.ts';

const run = promisify(execFile);
const CONNECTIONS = 64;
const MERCHANTS = 20;

/** A checkout of orderbridge under measurement: its service on a separate database, with one shop, and twenty of as many merchants. */
export type Subject = AsyncDisposable & {
  name: string;
  root: string;
  databaseUrl: string;
  program: Program;
  shops: { one: string[]; twenty: string[] };
  /** Creates orders flat out or at a rate; throws if one was not created. */
  create(load: { shopIds: string[]; count: number; rate?: number; lines?: number; day: string }): Promise<LoadResult>;
};

type Checkout = { name: string; root: string };

export async function openSubject(stage: Stage, { name, root }: Checkout): Promise<Subject> {
  await using setup = new AsyncDisposableStack();
  const databaseUrl = await stage.createDatabase(name);
  const env = environment(stage, { name, databaseUrl });
  const program = setup.use(await startProgram('compliance', { root, port: await freePort(), env, logFile: stage.logFile(`service-${name}`) }));
  const credentials = await createKey(root, env);
  await knowDollars(databaseUrl);
  const [one = '', ...twenty] = await createShops(program.url, credentials);
  const owned = setup.move();
  let taken = 1;
  return {
    name,
    root,
    databaseUrl,
    program,
    shops: { one: [one], twenty },
    async create({ count, ...load }) {
      await using child = await startChild('../service/processes/create-load', { logFile: stage.logFile('create-load') });
      const first = taken;
      taken += count;
      const order: CreateLoad = { lines: null, ...load, ...credentials, count, first, url: program.url, connections: CONNECTIONS };
      const result = await child.ask<LoadResult>(order);
      if (result.failed > 0) throw new Error(`${result.failed} of ${count} orders were not created by ${name}`);
      return result;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Starts a process of the subject's own bench. */
export function startOwn(stage: Stage, { root }: Subject, process: string) {
  const path = relative(join(import.meta.dirname, '../processes'), join(root, 'bench/service/processes', process));
  return startChild(path, { env: { NODE_OPTIONS: stage.options.nodeOptions, ...MALLOC }, logFile: stage.logFile(process) });
}

function environment({ directory, redisUrl, options }: Stage, { name, databaseUrl }: { name: string; databaseUrl: string }): Record<string, string> {
  return {
    DATA_DIR: join(directory, name),
    DATABASE_URL: databaseUrl,
    STOP_DELAY_SECONDS: '0',
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: '22'.repeat(32),
    COMPLIANCE_API_URL: 'http://127.0.0.1:9',
    COMPLIANCE_AMOUNTS: 'decimal',
    BNB_RATES_URL: 'off',
    NODE_OPTIONS: options.nodeOptions,
  };
}

async function createKey(root: string, env: Record<string, string>): Promise<Credentials> {
  const args = [join(root, 'bin/orderbridge.mjs'), 'service', 'keys', 'create', '--multi-shop', '--json'];
  const { stdout } = await run(process.execPath, args, { env: { PATH: process.env['PATH'], ...env }, cwd: tmpdir() });
  return JSON.parse(stdout);
}

async function createShops(url: string, credentials: Credentials): Promise<string[]> {
  const call = callerOf(url, credentials);
  const ids: string[] = [];
  for (const companyUic of companyIds(MERCHANTS + 1)) {
    const { status, body } = await call('POST', '/shop', { body: shopDto({ companyUic, name: `Магазин ${companyUic}` }) });
    if (status !== 200) throw new Error(`no shop was created: ${JSON.stringify(body)}`);
    ids.push(String(body['id']));
  }
  return ids;
}

function companyIds(count: number): string[] {
  const candidates = Array.from({ length: count * 10 }, (_, i) => String(200_000_000 + i));
  return candidates.filter(isCompanyId).slice(0, count);
}

// A sheet for each day on which the bench makes orders: an old one is not believed.
async function knowDollars(databaseUrl: string): Promise<void> {
  await ask(
    databaseUrl,
    `insert into compliance.rate_sheets select current_date - n, current_date - n + (case n when 0 then 2 else 0 end) from generate_series(0, 90) n`,
  );
  const columns = 'currency, published_on, base, multiply, divide, source, imported_at';
  await ask(
    databaseUrl,
    `insert into compliance.exchange_rates (${columns}) select 'USD', current_date - n, 'EUR', 1, 1.0842, 'BNB', now() from generate_series(0, 90) n`,
  );
}
