import { type Authorship, authorOf, PROGRAM } from '../../platform/audit-log/audit-log.ts';
import { renewMark } from '../../platform/postgres/data-dir-mark.ts';
import { type DatabasePlace, lockPlace, type RecordingStop, readPlace, stopOf, takePlace } from '../../platform/postgres/database-place.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { writeBridgeActs } from './bridge-acts.ts';

/** A replica was promoted that has all that was answered: it may record. False: another process said so. */
export function takePromoted(pool: Pool, { place, here }: Pick<DatabasePlace, 'place' | 'here'>): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const now = await lockPlace(tx);
    if (now.place !== place || now.here !== here || now.stopped !== null) return false;
    await takePlace(tx, now);
    await writeBridgeActs(tx, [{ who: PROGRAM, act: 'database.promoted', before: { place }, after: { place: here } }]);
    return true;
  });
}

/** Where the database is, and why nothing is recorded there; `stop` null: it is. */
export type RecordingPlace = DatabasePlace & { stop: RecordingStop | null };

export async function recordingPlace(db: Queryable): Promise<RecordingPlace> {
  const place = await readPlace(db);
  return { ...place, stop: stopOf(place) };
}

/** `dataDir`: of an embedded database, whose files are then the right ones; null: it is another's. `epoch`: the highest that is known outside of it. */
type Resumed = { said: Authorship; dataDir: string | null; epoch: number };

// What the database lacks may be in the store.
const SEEK_NOTES = 'update store_notes set tried_at = now() where written_at is null and tried_at is null';

/** A person says how far the database had got, by what `work` writes in the same transaction: it may record where it is. */
export async function resumeAt<T>(
  pool: Pool,
  { said, dataDir, epoch: known }: Resumed,
  work: (tx: Queryable, place: RecordingPlace) => Promise<T>,
): Promise<T> {
  const done = await inTransaction(pool, async (tx) => {
    const { place, here, stopped, epoch } = await lockPlace(tx);
    const worked = await work(tx, await recordingPlace(tx));
    // A restored one may be of an epoch that was gone on from before.
    await takePlace(tx, { epoch: Math.max(epoch, known) + 1 });
    await tx.query(SEEK_NOTES);
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'recording.resumed', before: { place, stopped }, after: { place: here } }]);
    return worked;
  });
  if (dataDir !== null) await renewMark(pool, dataDir);
  return done;
}
