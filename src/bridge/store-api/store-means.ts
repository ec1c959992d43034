import { type Connection, liveSecrets } from '../connections/connection.ts';
import type { AccessTokens, FetchJson, StoreMeans } from '../storefronts/contract.ts';
import { passingTokens } from './access-tokens.ts';

/** The access tokens of a connection; those made with other credentials than its own are not used. */
export type StoreTokens = (connection: Pick<Connection, 'id' | 'access'>) => AccessTokens;

type Means = Pick<StoreMeans, 'fetchJson' | 'now' | 'signal'> & { tokens: StoreTokens };

/** How the API of a connection's store is called: with the newest of its live secrets, and with its access tokens. */
export function storeMeans(connection: Pick<Connection, 'id' | 'access' | 'secrets'>, { tokens, ...means }: Means): StoreMeans {
  const [secret] = liveSecrets(connection, means.now);
  return { ...means, tokens: tokens(connection), ...(secret === undefined ? {} : { secret }) };
}

/** The same with access that is not stored yet: `secret` is the one that the store will sign with, undefined if it is not known. */
export function meansToTry(fetchJson: FetchJson, secret: string | undefined): StoreMeans {
  return { fetchJson, now: Date.now(), tokens: passingTokens(), ...(secret === undefined ? {} : { secret }) };
}
