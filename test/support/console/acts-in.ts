import type { KeptAct } from '../../../src/platform/audit-log/audit-log.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { readBridgeActs } from '../samples/bridge-acts.ts';

/** What people did, but for signing in; the oldest first. */
export async function actsIn(pool: Pool): Promise<KeptAct[]> {
  return (await readBridgeActs(pool)).filter(({ act }) => !act.startsWith('person.'));
}
