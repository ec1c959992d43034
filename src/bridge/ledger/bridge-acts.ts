import type { Queryable } from '../../platform/postgres/postgres.ts';
import type { Act } from '../../platform/trail/trail.ts';
import { writeActs } from '../../platform/trail/write-acts.ts';

/** What can be done in the bridge, for the trail and the docs. */
export const bridgeActs = {
  'order.parked': 'The program asked a person to decide.',
  'order.released': 'A parked order is decided again.',
  'order.settled': 'A person said what became of a parked order.',
  'settings.changed': 'The settings of a connection were changed.',
} as const satisfies Record<string, string>;

export type BridgeAct = keyof typeof bridgeActs;

export const BRIDGE_TRAIL = { schema: 'bridge' };

/** Adds acts to the bridge's trail, within the transaction of what they tell of. */
export function writeBridgeActs(tx: Queryable, acts: readonly Act<BridgeAct>[]): Promise<void> {
  return writeActs(tx, BRIDGE_TRAIL, acts);
}
