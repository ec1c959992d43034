import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import { writeBridgeActs } from './bridge-acts.ts';

/** Orders of a connection's store sold from `from` until before `until`; ISO instants. */
export type BackfillWindow = { connectionId: string; from: string; until: string };

/** `after`: where to go on in the store's list; null: at its beginning. */
export type Backfill = { id: number; after: string | null; taken: number };

const rows = rowsOf('backfills', z.object({ id: z.int(), after: z.string().nullable(), taken: z.int() }));

/** The unfinished backfill of this window; null: there is none. */
export function unfinishedBackfill(pool: Pool, { connectionId, from, until }: BackfillWindow): Promise<Backfill | null> {
  return readRow(pool, rows, {
    text: 'select id, after, taken from backfills where connection_id = $1 and ended_at is null and sold_from = $2 and sold_until = $3',
    values: [connectionId, from, until],
  });
}

/** Goes on with the unfinished one of this window, or begins one; one of another window is over. */
export async function beginBackfill(pool: Pool, window: BackfillWindow, said: Said): Promise<Backfill> {
  const { connectionId, from, until } = window;
  return inTransaction(pool, async (tx) => {
    await tx.query(
      'update backfills set ended_at = now() where connection_id = $1 and ended_at is null and (sold_from, sold_until) is distinct from ($2::timestamptz, $3::timestamptz)',
      [connectionId, from, until],
    );
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'store.backfilled', connectionId, after: { from, until } }]);
    return readOne(tx, rows, {
      text: `insert into backfills (connection_id, sold_from, sold_until) values ($1, $2, $3)
        on conflict (connection_id) where ended_at is null do update set connection_id = excluded.connection_id returning id, after, taken`,
      values: [connectionId, from, until],
    });
  });
}

/** A page is handed over. */
export async function keepBackfill(pool: Pool, { id, after, taken }: Backfill): Promise<void> {
  await pool.query('update backfills set after = $2, taken = $3 where id = $1', [id, after, taken]);
}

export async function endBackfill(pool: Pool, id: number): Promise<void> {
  await pool.query('update backfills set ended_at = now() where id = $1', [id]);
}
