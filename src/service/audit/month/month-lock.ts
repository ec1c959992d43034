import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { MonthKey } from './month-key.ts';

const lockRow = rowsOf('the locks', z.object({ locked: z.boolean() }));

/** Until the end of the transaction no other process makes the file of this month. False if one is making it. */
export async function lockMonth(tx: Queryable, key: MonthKey): Promise<boolean> {
  const text = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked';
  return (await readOne(tx, lockRow, { text, values: [nameOf(key)] })).locked;
}

/** Is a process making the file of this month? Looks without taking the lock, so that nobody is kept from it. */
export async function isBeingMade(db: Queryable, key: MonthKey): Promise<boolean> {
  const row = await readOne(db, lockRow, {
    text: `select exists (select from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and d.datname = current_database()
         and ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended($1, 0)) as locked`,
    values: [nameOf(key)],
  });
  return row.locked;
}

function nameOf({ shopId, month }: MonthKey): string {
  return `audit ${shopId} ${month}`;
}
