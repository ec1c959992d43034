import { type DatabasePlace, lockPlace, takePlace } from '../../platform/postgres/database-place.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { type Authorship, authorOf, PROGRAM } from '../../platform/trail/trail.ts';
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

/** A person said how far the database had got: it may record where it is. */
export async function takeResumed(tx: Queryable, { place, here, stopped, epoch }: DatabasePlace, said: Authorship): Promise<void> {
  await takePlace(tx, { epoch: epoch + 1 });
  await writeBridgeActs(tx, [{ ...authorOf(said), act: 'recording.resumed', before: { place, stopped }, after: { place: here } }]);
}
