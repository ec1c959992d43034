import { BRIDGE_TRAIL } from '../../../src/bridge/ledger/bridge-acts.ts';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';
import { type KeptAct, readActs } from '../../../src/platform/trail/trail.ts';

/** What people did, but for signing in, the oldest first. */
export async function readBridgeActs(db: Queryable): Promise<KeptAct[]> {
  const acts = await readActs(db, BRIDGE_TRAIL, { limit: 1_000 });
  return acts.filter(({ who, act }) => who !== 'orderbridge' && act !== 'person.signed-in').toReversed();
}
