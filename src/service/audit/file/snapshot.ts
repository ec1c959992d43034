import { z } from 'zod';
import { type Pool, type Queryable, type ReservedConnection, reserveConnection, type SqlConnection } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';

export type Cut = {
  /** ISO text. The snapshot has everything that was recorded until then, and nothing later. */
  cutAt: string;
  /** In a read-only transaction that sees the snapshot. */
  client: SqlConnection;
} & AsyncDisposable;

/**
 * A snapshot of the database in which no order of the shop is half recorded: the shop is locked for a moment, so that pending requests are finished or
 * wait, and the time and the snapshot are the same moment. With `month` ("2026-10") the time is kept with it: until the file is stored, or if that fails,
 * nobody else could know what it may list.
 */
export async function cutOf(pool: Pool, shopId: string, month: string | null = null): Promise<Cut> {
  using locking = await reserveConnection(pool);
  const reading = await reserveConnection(pool);
  try {
    const cutAt = await cut(locking.client, reading.client, { shopId, month });
    return { cutAt, client: reading.client, [Symbol.asyncDispose]: () => end(reading) };
  } catch (thrown) {
    for (const reserved of [locking, reading]) reserved.broken(new Error('taking the snapshot failed', { cause: thrown }));
    reading[Symbol.dispose]();
    throw thrown;
  }
}

const NOTE_CUT = `
  insert into compliance.audit_months (shop_id, month, state, cut_at) select s.id, to_date($2, 'YYYY-MM'), 'open', $3 from compliance.shops s where s.id = $1
  on conflict (shop_id, month) do update set cut_at = excluded.cut_at`;

const clock = rowsOf('the clock', z.object({ at: z.string() }));

async function cut(locking: Queryable, reading: Queryable, { shopId, month }: { shopId: string; month: string | null }): Promise<string> {
  await locking.query('begin');
  await locking.query('select from compliance.shops where id = $1 for update', [shopId]);
  await reading.query('begin isolation level repeatable read read only');
  const { at } = await readOne(reading, clock, { text: `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at` });
  if (month !== null) await locking.query(NOTE_CUT, [shopId, month, at]);
  await locking.query('commit');
  return at;
}

async function end(reading: ReservedConnection): Promise<void> {
  using reserved = reading;
  await reserved.client.query('rollback').catch(reserved.broken);
}
