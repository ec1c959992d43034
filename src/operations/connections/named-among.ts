import type { Connection } from '../../bridge/connections/connection.ts';

type Named = Pick<Connection, 'id' | 'name' | 'closedAt'>;

/** How every id begins. */
const ID_BEGINS = 'c_';
/** A shorter beginning of an id is a slip of the finger. */
const LEAST = 4;

/** The connections that a person may mean: several only if nothing tells them apart. A name in any case; live ones go before disconnected ones. */
export function namedAmong<One extends Named>(all: readonly One[], named: string): One[] {
  const byId = all.filter(({ id }) => id === named);
  if (byId.length > 0) return byId;
  const byName = all.filter(({ name }) => folded(name) === folded(named));
  if (byName.length > 0) return liveFirst(byName);
  return named.startsWith(ID_BEGINS) && named.length >= LEAST ? all.filter(({ id }) => id.startsWith(named)) : [];
}

function liveFirst<One extends Named>(all: One[]): One[] {
  const live = all.filter(({ closedAt }) => closedAt === null);
  return live.length > 0 ? live : all;
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLocaleLowerCase();
}
