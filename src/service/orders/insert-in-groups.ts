import { z } from 'zod';
import type { TiedCurrency } from '../../contract/money.ts';
import { batcher } from '../../platform/batcher.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Accounting } from '../rates/accountant.ts';
import { EURO_FROM, termAt } from '../term.ts';
import { doubtsOf, orderDoubts } from './questionable-orders.ts';

/** How long, at least, a repeated Idempotency-Key is recognized. */
const KEEP_IDEMPOTENCY_KEYS_MS = 90 * 24 * 3_600_000;
/** Orders per transaction, and transactions at a time: while one is committed, the next is computed. */
const GROUP = { max: 200, parallel: 2 };

/** The arguments of `compliance.create_orders` for one order; the keys of `order` are column names. */
export type InsertCall = {
  apiKey: string;
  key: string | null;
  fingerprint: string | null;
  orderMonth: string;
  accounting: Accounting;
  /** Ids of its receipt and of the mail with it, should the shop want them; `mail` null: the buyer has no usable address. */
  receipt: { id: string; mail: string | null } | null;
  order: Record<string, unknown>;
};

const inserted = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['created', 'replayed', 'existing', 'key-reused']),
    id: z.string(),
    createdAt: z.string(),
    documentNumber: z.string().nullable(),
    doubts: orderDoubts,
  }),
  z.object({ outcome: z.enum(['shop-unknown', 'company-claimed', 'numbers-used-up']), id: z.null(), createdAt: z.null(), documentNumber: z.null() }),
]);

const insertedRows = rowsOf('compliance.orders', inserted);

type Inserted = z.output<typeof inserted>;
export type Insert = (call: InsertCall) => Promise<Inserted>;

const INSERT = `select outcome, order_id as id, ${isoText('order_created_at')} as "createdAt", lpad(document_number::text, 10, '0') as "documentNumber", ${doubtsOf('order_id')} as doubts
  from compliance.create_orders($1, $2, $3, $4, $5, $6)`;

type InsertDeps = { pool: Queryable; now: () => Date; currency: TiedCurrency | null };

/** Records a group of orders in one transaction; returns the results in the same order. */
export async function insertOrders({ pool, now, currency }: InsertDeps, calls: readonly InsertCall[]): Promise<Inserted[]> {
  const at = now();
  const { today, firstOpen } = termAt(at);
  const keepFrom = new Date(at.getTime() - KEEP_IDEMPOTENCY_KEYS_MS);
  const values = [JSON.stringify(calls), keepFrom, today, firstOpen, currency, EURO_FROM];
  return readRows(pool, insertedRows, { name: 'compliance.create-orders', text: INSERT, values });
}

/** Groups orders that arrive at the same time. A refused group is retried order by order, so that one order can't fail the others. */
export function inGroups(insert: (calls: readonly InsertCall[]) => Promise<Inserted[]>): Insert {
  const grouped = batcher<InsertCall, Inserted | Error>(async (calls) => {
    try {
      return await insert(calls);
    } catch (thrown) {
      if (calls.length === 1 && !isWorthRetrying(thrown)) throw thrown;
      if (!isRefusal(thrown)) throw thrown;
      return oneByOne(insert, calls);
    }
  }, GROUP);
  return async (call) => {
    const result = await grouped(call);
    if (result instanceof Error) throw result;
    return result;
  };
}

async function oneByOne(insert: (calls: readonly InsertCall[]) => Promise<Inserted[]>, calls: readonly InsertCall[]): Promise<(Inserted | Error)[]> {
  const results: (Inserted | Error)[] = [];
  for (const call of calls) {
    const [result] = await insert([call]).catch((thrown: unknown) => [thrown instanceof Error ? thrown : new Error(String(thrown))]);
    results.push(result ?? new Error('the database returned no outcome'));
  }
  return results;
}

// The database refused and did nothing, as opposed to a connection that broke on the way.
function isRefusal(thrown: unknown): boolean {
  const code = sqlState(thrown);
  return code !== '' && !code.startsWith('08') && !code.startsWith('57');
}

// A deadlock, or the same order inserted first by another request (unique violation): a retry sees the recorded order.
function isWorthRetrying(thrown: unknown): boolean {
  return ['40P01', '40001', '23505'].includes(sqlState(thrown));
}

function sqlState(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}
