import type { Connection } from '../../bridge/connections/connection.ts';
import type { Earlier, Gap } from '../../bridge/connections/new-connection.ts';

/** What becomes of an earlier store of the shop, for the person who connects one. */
export function earlierStoreWords(connection: Connection, earlier: Earlier): string[] {
  switch (earlier.is) {
    case 'none':
      return [];
    case 'same':
      return [
        `This store was disconnected at ${earlier.earlier.closedAt}; it goes on as it was, with the same webhookUrl, its orders${named(connection)}, and its settings unless others were given.`,
        'Webhooks that are still in the store work again if they are signed with the secret that you gave.',
        ...(earlier.gap === null ? [] : [gapWords(connection, earlier.gap)]),
      ];
    case 'other':
      return [
        `Another store than ${described(earlier.earlier)}, which this shop had before: it begins now, with nothing of that one${decidedLater(connection)}.`,
        `If it is the same store: \`orderbridge disconnect ${connection.id}\`, and connect it with --same-store ${earlier.earlier.id}.`,
      ];
    case 'undecided':
      return [
        `This shop had a store before: ${described(earlier.earlier)}. Whether this is the same one can’t be known yet: the host of its first delivery decides.`,
        'If it is the same, it goes on with that one’s orders, and with its settings unless others were given; if not, it begins now.',
        `To say it now: \`orderbridge disconnect ${connection.id}\`, and connect it with --store-url, --same-store or --new-store.`,
      ];
  }
}

/** The orders that are left out, and what takes them. */
function gapWords({ id }: Connection, { from, until }: Gap): string {
  return `Orders paid between ${from} and ${until} are not taken; \`orderbridge reconnect ${id} --record-from ${from}\` takes them.`;
}

function described({ id, name, store, closedAt }: Connection): string {
  return `${id} (${[name, store].filter(Boolean).join(', ')}; disconnected at ${closedAt})`;
}

function named({ store }: Connection): string {
  return store === null ? '' : ` (filed under ${store})`;
}

function decidedLater({ predecessor }: Connection): string {
  return predecessor === null ? '' : ', unless its first delivery names a host of that one';
}
