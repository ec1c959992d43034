import type { Queryable } from '../../platform/postgres/postgres.ts';
import type { Act } from '../../platform/trail/trail.ts';
import { writeActs } from '../../platform/trail/write-acts.ts';

/** What can be done in our compliance service by a command, for the trail and the docs. */
export const serviceActs = {
  'key.created': 'An API key was made.',
  'key.rotated': 'An API key got a successor, and ends a day later.',
  'key.revoked': 'An API key was ended.',
  'company.granted': 'The operator let an owner of API keys create shops of a company.',
  'numbers.advanced': 'The next document number of a merchant was raised; those between are skipped.',
  'numbers.taken-back': 'The operator took back the last skip of a merchant’s document numbers: they are given after all.',
  'month.generated': 'A version of a month’s file was made.',
  'month.mailed': 'A mail with a month’s result was put into the outbox.',
  'month.checked': 'A person said that the sums of a month’s file agree with bookkeeping.',
  'month.filed': 'A person said that a month’s file is filed.',
  'month.accepted': 'A person said that the agency accepted a month’s file.',
  'month.rejected': 'A person said that the agency found errors in a month’s file.',
  'month.nothing': 'A person said that an empty month has nothing to file.',
  'month.returns-settled': 'A person said how returns that no file can tell were dealt with.',
  'link.renewed': 'A new link to a month’s page was asked for by an expired one.',
  'mail.retried': 'A failed mail was made due again.',
  'rates.imported': 'Exchange rates were imported or fetched by a command.',
  'receipt.issued': 'A receipt was issued by a command.',
  'receipt.resent': 'A receipt was mailed to its buyer again.',
  'shop.options': 'What a shop asks for beyond the documented interface was changed.',
  'order.buyer-forgotten': 'The buyer of an order was forgotten, as a key asked.',
  'buyer.seen': 'Buyers’ data of recorded orders was printed by a command.',
  'order.created': 'An order was recorded by hand.',
  'order.deleted': 'A recorded order was deleted by hand.',
} as const satisfies Record<string, string>;

export type ServiceAct = keyof typeof serviceActs;

export const SERVICE_TRAIL = { schema: 'compliance' };

/** Adds acts to the service's trail, within the transaction of what they tell of. */
export function writeServiceActs(tx: Queryable, acts: readonly Act<ServiceAct>[]): Promise<void> {
  return writeActs(tx, SERVICE_TRAIL, acts);
}
