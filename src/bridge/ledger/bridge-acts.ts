import type { Queryable } from '../../platform/postgres/postgres.ts';
import type { Act } from '../../platform/trail/trail.ts';
import { writeActs } from '../../platform/trail/write-acts.ts';

/** What can be done in the bridge, for the trail and the docs. */
export const bridgeActs = {
  'order.parked': 'The program asked a person to decide.',
  'order.unconfirmed': 'It is not known whether the order is recorded: a person must look.',
  'order.unparked': 'The order waits for nobody any more, because newer facts came or its terms changed.',
  'order.adopted': 'A record that the service has was taken as the order’s own.',
  'order.taken-back': 'The service no longer has the order’s record.',
  'order.released': 'A parked order is decided again.',
  'order.told-apart': 'A person said whether an order under the id of another one is a sale of its own.',
  'order.settled': 'A person said what became of a parked order.',
  'order.resolved': 'A person said whether the record of an unconfirmed order exists.',
  'delivery.dismissed': 'A person said that a webhook that can’t be read needs nothing.',
  'settings.changed': 'The settings of a connection were changed.',
  'store.connected': 'A store was connected, or connected again.',
  'store.changed': 'Something that is given of a connection was changed.',
  'store.disconnected': 'A store was disconnected.',
  'store.reconciled': 'Store, ledger and service were held against each other, and healed.',
  'store.backfilled': 'Orders from before a connection’s time are taken in.',
  'secret.rotated': 'The secret of a store’s webhooks was changed.',
  'host.judged': 'A person said whose a host is.',
  'webhooks.healed': 'Webhooks of a store were made anew.',
  'delivery.replayed': 'A kept webhook was read again.',
  'queue.resumed': 'Work is taken from a paused queue again; written before it is.',
  'shop.create': 'A shop is to be created at the compliance service; shop.answered says what became of it.',
  'shop.update': 'A shop is to be changed at the compliance service; shop.answered says what became of it.',
  'shop.delete': 'A shop is to be deleted at the compliance service; shop.answered says what became of it.',
  'shop.answered': 'What the compliance service answered.',
} as const satisfies Record<string, string>;

export type BridgeAct = keyof typeof bridgeActs;

export const BRIDGE_TRAIL = { schema: 'bridge' };

/** Adds acts to the bridge's trail, within the transaction of what they tell of. */
export function writeBridgeActs(tx: Queryable, acts: readonly Act<BridgeAct>[]): Promise<void> {
  return writeActs(tx, BRIDGE_TRAIL, acts);
}
