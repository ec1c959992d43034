import type { UnreadOrders } from '../../bridge/ledger/unread-orders.ts';

/** What a person should know of orders that their store lists and that could not be read whole. */
export function unreadWarnings(unread: UnreadOrders | undefined): string[] {
  if (unread === undefined) return [];
  const { count, since, numbers } = unread;
  const [many, them] = count === 1 ? ['1 order', 'it'] : [`${count} orders`, 'them'];
  const named = `${numbers.join(', ')}${count > numbers.length ? ', …' : ''}`;
  return [
    `${many} of its store could not be read whole, the first since ${since} (${named}): what changed of ${them} is not known here, and every day it is tried again; look at ${them} in the store, and save ${them} there, so that a webhook tells of ${them}`,
  ];
}
