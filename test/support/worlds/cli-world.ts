import type pg from 'pg';
import { createLog } from '../../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { openPool } from '../servers/open-pool.ts';
import { startPostgres } from '../servers/postgres.ts';
import { Program } from '../servers/program.ts';
import { ENCRYPTION_KEYS } from './bridge.ts';
import { until } from './settled.ts';

export type CliWorld = {
  program: Program;
  databaseUrl: string;
  /** Of the ledger. */
  pool: pg.Pool;
} & AsyncDisposable;

/**
 * The program on a database of the worker's server that has all tables, so that no command makes and starts a PostgreSQL of its own. That server is
 * fast, so `doctor` and `status` find its database unsafe.
 */
export async function startCliWorld(env: Record<string, string> = {}): Promise<CliWorld> {
  await using setup = new AsyncDisposableStack();
  const { url: databaseUrl } = setup.use(await startPostgres('whole'));
  const { pool, end } = openPool(databaseUrl, { max: 1, options: '-c search_path=bridge,jobs' });
  setup.defer(end);
  const program = setup.use(await Program.prepare({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS, ...env }));
  const owned = setup.move();
  return { program, databaseUrl, pool, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Keeps the embedded PostgreSQL of its DATA_DIR running, where that is the subject: else each command without a server starts and stops it. */
export function keepRunning({ dataDir }: Pick<Program, 'dataDir'>): Promise<AsyncDisposable> {
  return joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'test' }) });
}

type Listed = { orderId: string; state: string; review: { code: string } | null };
type Awaited = { orderId: string; state: string; code?: string | null };

/** Waits until each order of this id is in this state, in review with this code, in the ledger and as `orders` lists it: they, as it lists them. */
export async function listedOrders<T extends Listed>({ program, pool }: Pick<CliWorld, 'program' | 'pool'>, { orderId, state, code }: Awaited): Promise<T[]> {
  const what = `order ${orderId} to be ${state} ${code ?? ''}`;
  // Asking the ledger costs a tenth of a command.
  const inLedger = `select count(*)::int as n, bool_and(state = $2 and ($3::text is null or review_code = $3)) as reached from orders where order_id = $1`;
  return until(
    async () => {
      const { rows } = await pool.query<{ n: number; reached: boolean | null }>(inLedger, [orderId, state, code ?? null]);
      if (rows[0]?.reached !== true) throw new Error(`not one of ${rows[0]?.n} such orders, or not each`);
      const orders = (await program.json<T[]>(['orders'])).filter((order) => order.orderId === orderId);
      const reached = orders.every((order) => order.state === state && (code === undefined || (order.review?.code ?? null) === code));
      if (orders.length === 0 || !reached) throw new Error(JSON.stringify(orders));
      return orders;
    },
    { what },
  );
}
