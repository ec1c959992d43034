import type { Connection } from '../../bridge/connections/connection.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { Refusal } from '../refusal.ts';

/** `list` is for a guess at what was meant. */
export type FindConnection = { find(id: string): Promise<Connection | null>; list?(): Promise<Connection[]> };

/** The connection of this id; refuses if there is none. */
export async function knownConnection(connections: FindConnection, id: string): Promise<Connection> {
  const connection = await connections.find(id);
  if (connection === null) throw unknownConnection(id, (await connections.list?.()) ?? []);
  return connection;
}

/** The connection of this id or name; of several of one name, the live one. */
export async function namedConnection(connections: Required<FindConnection>, named: string): Promise<Connection> {
  const found = await connections.find(named);
  if (found !== null) return found;
  const all = await connections.list();
  const of = all.filter(({ name }) => name.toLowerCase() === named.toLowerCase());
  const live = of.filter(({ closedAt }) => closedAt === null);
  const [first, ...others] = live.length > 0 ? live : of;
  if (first === undefined) throw unknownConnection(named, all);
  if (others.length === 0) return first;
  throw new Refusal('conflict', `several connections are named ${named}`, {
    advice: 'say which by its id',
    choices: {
      header: ['connection', 'platform', 'name', 'store'],
      rows: [first, ...others].map(({ id, platform, name, store }) => [id, platform, name, store]),
    },
  });
}

export function unknownConnection(named: string, all: readonly Connection[] = []): Refusal {
  const guess = didYouMean(
    named,
    all.flatMap(({ id, name }) => [id, name]),
  );
  return new Refusal('missing', `no connection has the id ${named}${guess}`, { advice: '`orderbridge connections` lists them' });
}
