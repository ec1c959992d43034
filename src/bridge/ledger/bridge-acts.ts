import type { Queryable } from '../../platform/postgres/postgres.ts';
import type { Act } from '../../platform/trail/trail.ts';
import { writeActs } from '../../platform/trail/write-acts.ts';

/** What can be done in the bridge, for the trail and the docs. */
export const bridgeActs = {
  'order.needs-review': 'The program asked a person to decide.',
  'order.unconfirmed': 'It is not known whether the order is recorded: a person must look.',
  'order.review-ended': 'The order waits for nobody any more, because newer facts came or its terms changed.',
  'order.adopted': 'A record that the service has was taken as the order’s own.',
  'order.taken-back': 'The service no longer has the order’s record.',
  'order.released': 'An order in review is decided again.',
  'order.planned-again': 'A recorded order is recorded anew by today’s settings: its record is deleted, and another one made.',
  'order.split-or-merged': 'A person said whether an order under the id of another one is a sale of its own.',
  'record.deleted': 'One of the records of an order that was recorded twice is to be deleted at the compliance service.',
  'order.settled': 'A person said what became of an order in review.',
  'order.resolved': 'A person said whether the record of an unconfirmed order exists.',
  'delivery.dismissed': 'A person said that a webhook that can’t be read needs nothing.',
  'buyer.seen': 'A buyer’s data, or the body of a webhook with it, was looked at.',
  'settings.changed': 'The settings of a connection were changed.',
  'answer.proposed': 'Somebody who may not change settings proposed what a question’s answer is.',
  'answer.accepted': 'A person took a proposed answer: the settings were changed to it.',
  'answer.declined': 'A person declined a proposed answer.',
  'store.connected': 'A store was connected, or connected again.',
  'store.started': 'The trial of a store ended: its orders are recorded.',
  'store.changed': 'Something that is given of a connection was changed.',
  'store.disconnected': 'A store was disconnected.',
  'store.reconciled': 'Store, ledger and service were held against each other, and healed.',
  'store.asked': 'A store was asked for an order that no webhook told of.',
  'store.read-wanted': 'A person had a store read again now.',
  'store.touched': 'The newest order of a store was saved as it is, so that the store sends its webhook; or that was tried.',
  'store.granted': 'A merchant approved an app at his store.',
  'store.tested': 'A test order is sent to a store’s address, as the store would send it.',
  'store.backfilled': 'Orders from before a connection’s time are taken in.',
  'secret.rotated': 'The secret of a store’s webhooks was changed.',
  'app.added': 'An app by which stores are connected was added.',
  'app.removed': 'An app was removed, and its secrets forgotten.',
  'app.secret-rotated': 'The secret of an app was changed.',
  'host.judged': 'A person said whose a host is.',
  'webhooks.healed': 'Webhooks of a store were made anew.',
  'delivery.replayed': 'A kept webhook was read again.',
  'destination.probed': 'A compliance service was asked whether it answers and takes the key; where it is paused, an order of each pause is sent.',
  'destination.resumed': 'A person ended a pause of a compliance service, or of one shop there.',
  'queue.resumed': 'Work is taken from a paused queue again; written before it is.',
  'person.added': 'Somebody may sign in to the console.',
  'person.changed': 'The role or the shops of a person were changed.',
  'person.reset': 'The password of a person was taken away, and his sessions ended; he gets a link to choose another.',
  'person.disabled': 'A person may not sign in any more.',
  'person.enabled': 'A person may sign in again.',
  'person.bound': 'A person who was added by an address came in by the identity provider for the first time.',
  'person.signed-in': 'A person signed in to the console.',
  'person.password-chosen': 'A person chose a password, which ended his other sessions.',
  'session.ended': 'A session of a person was ended.',
  'invitation.made': 'A merchant may connect a store by a link, or came by an app that he approved.',
  'company.asked': 'A merchant named the company of his store; no shop is made until that is confirmed.',
  'company.confirmed': 'The company of a merchant was confirmed, by his mailbox or a person.',
  'company.contested': 'A merchant said that a company is his which another has; a person decides.',
  'company.refused': 'A person did not confirm the company of a merchant.',
  'invitation.renewed': 'A merchant got a new link; those before it ended.',
  'invitation.revoked': 'Every link of a merchant was ended; what it connected stays.',
  'invitation.shop': 'A person said whether the service made a merchant’s shop, after its answer was lost.',
  'link.ended': 'Links of a merchant to one page or more were ended.',
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
