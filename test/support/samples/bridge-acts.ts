import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { type KeptAct, readActs } from '../../../src/platform/audit-log/audit-log.ts';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';

/** What people did, but for signing in, the oldest first. */
export async function readBridgeActs(db: Queryable): Promise<KeptAct[]> {
  const acts = await readActs(db, BRIDGE_AUDIT_LOG, { limit: 1_000 });
  return acts.filter(({ who, act }) => who !== 'orderbridge' && act !== 'person.signed-in').toReversed();
}
