import { z } from 'zod';
import { isoText } from '../../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import type { MonthKey } from './month-key.ts';

/** Who knows the store of a shop, and is asked for a month before its file is made. All of it may be repeated. */
export type BeforeFile = {
  /** Has everything of the month read that the store has. */
  ask(key: MonthKey): Promise<void>;
  /** Is everything read, and recorded as far as it can be? `since`: when it was asked. */
  isAnswered(key: MonthKey & { since: Date }): Promise<boolean>;
  /** The file is made next, answered or not: the last moment to say what is outstanding. */
  finish(key: MonthKey): Promise<void>;
};

/** The file of a month does not wait for a store for longer. */
const LONGEST_WAIT_MS = 10 * 60_000;
const STEP_MS = 60_000;

const asked = rowsOf('compliance.audit_months', z.object({ since: z.string().nullable() }));

/**
 * True if the file of a month can be made: its store was asked for the month and answered, or did not answer for ten minutes. What fails there never
 * keeps a file from being made.
 */
export async function mayBeMade(db: Queryable, before: BeforeFile, { now, ...key }: MonthKey & { now: Date }): Promise<boolean> {
  const since = await askedSince(db, key);
  if (since === null) {
    await attempt(() => before.ask(key));
    await noteAsked(db, { ...key, now });
  }
  const at = since === null ? now : new Date(since);
  const isLate = now.getTime() - at.getTime() >= LONGEST_WAIT_MS;
  if (!isLate && (await attempt(() => before.isAnswered({ ...key, since: at }))) !== true) return false;
  await attempt(() => before.finish(key));
  return true;
}

// The port reports its own failures.
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(STEP_MS, work());
  } catch {
    return undefined;
  }
}

async function askedSince(db: Queryable, { shopId, month }: MonthKey): Promise<string | null> {
  const row = await readRow(db, asked, {
    text: `select ${isoText('asked_at')} as since from compliance.audit_months where shop_id = $1 and month = to_date($2, 'YYYY-MM')`,
    values: [shopId, month],
  });
  return row?.since ?? null;
}

async function noteAsked(db: Queryable, { shopId, month, now }: MonthKey & { now: Date }): Promise<void> {
  await db.query(
    `insert into compliance.audit_months (shop_id, month, state, asked_at) select id, to_date($2, 'YYYY-MM'), 'open', $3 from compliance.shops where id = $1
     on conflict (shop_id, month) do update set asked_at = $3`,
    [shopId, month, now],
  );
}
