import type pg from 'pg';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startAlerter } from '../../../src/app/alerter.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { FailedCheck, HealthStatus } from '../../../src/operations/health/health-status.ts';
import { Jobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { StopBudget } from '../../../src/platform/stop-budget.ts';
import { openPool } from '../servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { scratchDir } from '../servers/scratch-dir.ts';
import { until } from './settled.ts';

export const ALERT_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

const paused: FailedCheck = {
  ...{ code: 'destination.paused', level: 'failing', subject: 'd1', count: 12, total: '36.00 EUR', since: null },
  ...{ words: 'The compliance service takes no orders of <Corner & Sons>.', verb: 'doctor' },
};

/** A log line, as far as tests look. */
type Line = { event?: string; channel?: string; kind?: string; why?: string };
type Row = { channel: string; kind: string; attempts: number; state: string; error: string | null };

/** Processes that evaluate a health status of the test, by a clock of the test, and tell by the channels of `env`. */
export class Alerted implements AsyncDisposable {
  failedChecks: FailedCheck[] = [];
  readonly lines: Line[] = [];
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly #resources: AsyncDisposableStack;
  #clock = Date.parse('2026-11-22T08:00:00.000Z');
  #rounds = 0;

  constructor({ pool, databaseUrl, dataDir }: { pool: pg.Pool; databaseUrl: string; dataDir: string }, resources: AsyncDisposableStack) {
    this.pool = pool;
    this.databaseUrl = databaseUrl;
    this.dataDir = dataDir;
    this.#resources = resources;
  }

  /** Starts a process; disposing stops it. */
  start(env: Record<string, string>): AsyncDisposable {
    const loaded = loadConfig({ DATA_DIR: this.dataDir, SWEEP_SECONDS: '0.1', ...env }, { role: 'all', cwd: '/' });
    if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
    const log = createLog({ level: 'trace', name: 'test', destination: { write: (line) => this.lines.push(JSON.parse(line)) } });
    const pool = createPool({ url: this.databaseUrl, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
    const stop = new StopBudget({ totalMs: 20_000, onCut: () => undefined });
    const { config } = loaded;
    const jobs = new Jobs({ pool, everyMs: config.sweepSeconds * 1_000, random: Math.random, onFailed: () => undefined });
    const alerter = startAlerter({
      core: { config, jobs, log, pool, stop },
      now: () => new Date(this.#clock),
      sweepsPerRound: 1,
      readHealth: async () => {
        this.#rounds += 1;
        return { health: this.#health(), notAsked: new Set() };
      },
    });
    let ended: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      await alerter[Symbol.asyncDispose]();
      await pool.end();
    };
    const dispose = (): Promise<void> => {
      ended ??= end();
      return ended;
    };
    return this.#resources.use({ [Symbol.asyncDispose]: dispose });
  }

  /** Lets time pass, and waits until that was seen. */
  async pass(minutes: number): Promise<void> {
    this.#clock += minutes * 60_000;
    await this.pool.query(`update jobs.jobs set due_at = due_at - $1 * interval '1 minute' where lease is null`, [minutes]);
    const seen = this.#rounds;
    // The second round from now begins after the clock was set.
    await until(() => this.#rounds >= seen + 2, { what: 'two rounds' });
  }

  /** Waits until so many messages were refused and wait for their next try: time that passes earlier does not count for them. */
  async refused(count: number): Promise<void> {
    const waiting = `select count(*)::int as count from jobs.jobs where kind = 'alerts' and error is not null and lease is null`;
    await until(async () => (await this.pool.query(waiting)).rows[0].count === count, { what: `${count} refused messages` });
  }

  /** Lets time pass, and waits for nothing. */
  leap(minutes: number): void {
    this.#clock += minutes * 60_000;
  }

  /** The compliance service is paused, and long enough to be told. */
  async fail(): Promise<void> {
    this.failedChecks = [paused];
    await this.pass(0);
    await this.pass(3);
    await this.pass(3);
  }

  async recover(): Promise<void> {
    this.failedChecks = [];
    await this.pass(0);
    await this.pass(6);
  }

  async rows(): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>(
      `select channel, kind, attempts, last_error as error, case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting' end as state
       from bridge.alert_messages order by created_at, channel, kind`,
    );
    return rows;
  }

  #health(): HealthStatus {
    return { health: this.failedChecks[0]?.level ?? 'ok', at: new Date(this.#clock).toISOString(), failedChecks: this.failedChecks };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

async function migrate(url: string): Promise<void> {
  const pool = createPool({ url, schema: LEDGER_SCHEMA, max: 2, onError: () => undefined });
  try {
    await migrateLedger(pool);
  } finally {
    await pool.end();
  }
}

/** One PostgreSQL for a test file, and a ledger of its own for each test that asks. */
export function useAlerted(): () => Promise<Alerted> {
  let postgres: TestPostgres;
  let opened: AsyncDisposable[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterEach(async () => {
    for (const one of opened) await one[Symbol.asyncDispose]();
    opened = [];
  });
  afterAll(() => postgres[Symbol.asyncDispose]());
  return async () => {
    await using setup = new AsyncDisposableStack();
    const { path: dataDir } = setup.use(await scratchDir());
    const databaseUrl = await postgres.createDatabase('bridge');
    const { pool, end } = openPool(databaseUrl);
    // Some tests cut its idle connections off.
    pool.on('error', () => undefined);
    setup.defer(end);
    await migrate(databaseUrl);
    const alerted = new Alerted({ pool, databaseUrl, dataDir }, setup.move());
    opened.push(alerted);
    return alerted;
  };
}
