import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';

const stored = z.object({
  onboarding: z.string(),
  url: z.string(),
  isLive: z.boolean(),
  isTaken: z.boolean(),
  isProven: z.boolean(),
  sealed: z.string().nullable(),
});

/** A store that was asked to hand its keys over. `url`: the one that was asked. `isLive`: its time has not passed. */
export type StoredHandOver = z.output<typeof stored>;

const rows = rowsOf('hand_overs', stored);

const COLUMNS = `h.onboarding, h.url, h.expires_at > now() as "isLive", h.taken_at is not null as "isTaken", h.proven_at is not null as "isProven", h.sealed`;

/** `state`: SHA-256 of what the store brings back. */
export async function insertHandOver(db: Queryable, given: { state: Buffer; onboarding: string; url: string; minutes: number }): Promise<void> {
  await db.query(`insert into hand_overs (state, onboarding, url, expires_at) values ($1, $2, $3, now() + $4 * interval '1 minute')`, [
    given.state,
    given.onboarding,
    given.url,
    given.minutes,
  ]);
}

export function findHandOver(db: Queryable, state: Buffer): Promise<StoredHandOver | null> {
  return readRow(db, rows, { text: `select ${COLUMNS} from hand_overs h where h.state = $1`, values: [state] });
}

/** Keeps the keys that came; later ones, of an approval that was pressed twice, replace those that are not proven. False: its time has passed, or keys were proven. */
export async function takeHandOver(db: Queryable, { state, sealed }: { state: Buffer; sealed: string }): Promise<boolean> {
  const { rowCount } = await db.query(
    'update hand_overs set sealed = $2, taken_at = now(), refused = null where state = $1 and proven_at is null and expires_at > now()',
    [state, sealed],
  );
  return rowCount === 1;
}

const takenRows = rowsOf('hand_overs', z.object({ state: z.instanceof(Buffer), sealed: z.string() }));
const MOST_TRIED = 3;

/** The keys that came for this store and are not proven, the newest first. */
export function takenHandOvers(db: Queryable, { onboarding, url }: { onboarding: string; url: string }): Promise<z.output<typeof takenRows.schema>[]> {
  return readRows(db, takenRows, {
    text: `select state, sealed from hand_overs where onboarding = $1 and url = $2 and sealed is not null and proven_at is null
      order by taken_at desc limit ${MOST_TRIED}`,
    values: [onboarding, url],
  });
}

/** The keys work at the store that was asked: no others are taken any more, and they are kept elsewhere. */
export async function endHandOver(db: Queryable, state: Buffer): Promise<void> {
  await db.query('update hand_overs set proven_at = now(), sealed = null where state = $1', [state]);
}

/** The store refused these keys: they are forgotten, and why is kept; others may still come. */
export async function refuseHandOver(db: Queryable, { state, sealed, why }: { state: Buffer; sealed: string; why: string }): Promise<void> {
  await db.query('update hand_overs set sealed = null, refused = $3 where state = $1 and sealed = $2', [state, sealed, why]);
}

const refusedRows = rowsOf('hand_overs', z.object({ why: z.string().nullable() }));

/** Why the store refused the keys that it was asked for last; null: it did not. */
export async function refusedHandOver(db: Queryable, { onboarding, url }: { onboarding: string; url: string }): Promise<string | null> {
  const text = 'select refused as why from hand_overs where onboarding = $1 and url = $2 order by made_at desc limit 1';
  return (await readRow(db, refusedRows, { text, values: [onboarding, url] }))?.why ?? null;
}

/** Keys and approvals that nobody came back for are forgotten after a day, codes once they no longer count. */
export async function pruneHandOvers(db: Queryable, now: Date): Promise<void> {
  for (const [ended, days] of [
    ['hand_overs where expires_at', 1],
    ['grant_requests where expires_at', 1],
    ['mail_codes where made_at', 30],
  ] as const)
    await db.query(`delete from ${ended} < $1::timestamptz - interval '${days} days'`, [now]);
}
