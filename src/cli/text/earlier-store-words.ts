import type { Connection } from '../../bridge/connections/connection.ts';
import type { Earlier } from '../../bridge/connections/new-connection.ts';

/** What becomes of an earlier store of the shop, for the person who connects one. */
export function earlierStoreWords(connection: Connection, earlier: Earlier): string[] {
  const { id, store } = connection;
  switch (earlier.is) {
    case 'none':
      return [];
    case 'same':
      return [
        `This store was disconnected at ${earlier.earlier.closedAt ?? ''}; it goes on as it was, with the same webhookUrl, its orders${store === null ? '' : ` (filed under ${store})`}, and its settings unless others were given.`,
        'Webhooks that are still in the store work again if they are signed with the secret that you gave.',
        ...(earlier.gap === null
          ? []
          : [
              `Orders paid between ${earlier.gap.from} and ${earlier.gap.until} are not taken; \`orderbridge reconnect ${id} --record-from ${earlier.gap.from}\` takes them.`,
            ]),
        ...(earlier.endedWays === undefined
          ? []
          : [
              `The links by which a merchant saw this store ended: it may be another’s now. To give it a merchant’s page again, \`orderbridge disconnect ${id}\`, and \`orderbridge invite\` with its shop.`,
            ]),
      ];
    case 'other':
      return [
        `Another store than ${described(earlier.earlier)}, which this shop had before: it begins now, with nothing of that one${connection.predecessor === null ? '' : ', unless its first delivery names a host of that one'}.`,
        `If it is the same store: \`orderbridge disconnect ${id}\`, and connect it with --same-store ${earlier.earlier.id}.`,
      ];
    case 'undecided':
      return [
        `This shop had a store before: ${described(earlier.earlier)}. Whether this is the same one can’t be known yet: the host of its first delivery decides.`,
        'If it is the same, it goes on with that one’s orders, and with its settings unless others were given; if not, it begins now.',
        `To say it now: \`orderbridge disconnect ${id}\`, and connect it with --store-url, --same-store or --new-store.`,
      ];
  }
}

function described({ id, name, store, closedAt }: Connection): string {
  return `${id} (${[name, store].filter(Boolean).join(', ')}; disconnected at ${closedAt ?? ''})`;
}
