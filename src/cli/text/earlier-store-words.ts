import type { Connection } from '../../bridge/connections/connection.ts';
import type { Earlier } from '../../bridge/connections/new-connection.ts';
import type { CliWords } from '../words/en.ts';

/** What becomes of an earlier store of the shop, for the person who connects one. */
export function earlierStoreWords(connection: Connection, earlier: Earlier, { stores: { earlier: say } }: CliWords): string[] {
  const { id, store } = connection;
  switch (earlier.is) {
    case 'none':
      return [];
    case 'same':
      return [
        say.same(earlier.earlier.closedAt ?? '', store === null ? '' : say.filedUnder(store)),
        say.webhooks,
        ...(earlier.gap === null ? [] : [say.gap(earlier.gap.from, earlier.gap.until, id)]),
        ...(earlier.endedWays === undefined ? [] : [say.endedWays(id)]),
      ];
    case 'other':
      return [say.other(described(earlier.earlier, say), connection.predecessor === null ? '' : say.decidedLater), say.ifSame(id, earlier.earlier.id)];
    case 'undecided':
      return [say.undecided(described(earlier.earlier, say)), say.either, say.sayNow(id)];
  }
}

function described({ id, name, store, closedAt }: Connection, say: CliWords['stores']['earlier']): string {
  return say.described(id, [name, store].filter(Boolean).join(', '), closedAt ?? '');
}
