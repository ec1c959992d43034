import type { Connection } from '../../bridge/connections/connection.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { Refusal } from '../refusal.ts';
import { namedAmong } from './named-among.ts';

export type FindConnection = { find(id: string): Promise<Connection | null>; list(): Promise<Connection[]> };

/**
 * The connection that a person names: by its id, by the beginning of that if no other begins so, or by the name of its store, of which live ones
 * go before disconnected ones. Refuses if there is none; if there are several, it lists them. From then on the id counts, not what was typed.
 */
export async function knownConnection(connections: FindConnection, named: string): Promise<Connection> {
  const exact = await connections.find(named);
  if (exact !== null) return exact;
  const all = await connections.list();
  const [first, ...others] = namedAmong(all, named);
  if (first === undefined) throw unknownConnection(named, all);
  if (others.length > 0) throw severalConnections(named, [first, ...others]);
  // A list leaves out secrets that don't open; one connection alone says so.
  return (await connections.find(first.id)) ?? first;
}

function severalConnections(named: string, all: readonly Connection[]): Refusal {
  return new Refusal(
    'conflict',
    { en: `${named} names several connections`, bg: `${named} е име на няколко връзки` },
    {
      advice: { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
      choices: {
        header: ['name', 'state', 'store', 'compliance shop', 'connection'],
        rows: all.map(({ id, name, store, shopId, closedAt }) => [name, closedAt === null ? 'connected' : 'disconnected', store, shopId, id]),
      },
    },
  );
}

export function unknownConnection(named: string, all: readonly Connection[] = []): Refusal {
  const names = all.flatMap(({ id, name }) => [id, name]);
  const said = {
    en: `no connection has the id ${named}, and no store this name${didYouMean(named, names)}`,
    bg: `няма връзка с идентификатор ${named}, нито магазин с това име${didYouMean(named, names, 'bg')}`,
  };
  return new Refusal('missing', said, { advice: { en: '`orderbridge connections` lists them', bg: '`orderbridge connections` ги показва' } });
}
