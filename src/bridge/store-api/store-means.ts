import { appOf, type Connection, liveSecrets } from '../connections/connection.ts';
import type { AppClient } from '../storefronts/app-grant.ts';
import type { AccessToken, AccessTokens, FetchJson, StoreMeans } from '../storefronts/contract.ts';
import type { StoreApp } from '../storefronts/store-app.ts';

/** What a merchant granted anew; null: nothing. */
type GrantedAnew = { token: AccessToken | null };

/**
 * `keep` replaces what is known by what the merchant has just granted: anyone who renews the earlier one meanwhile is too late. False: the connection is closed,
 * and nothing was kept. `replace` does so with what `grant` comes to, while nobody else makes one: of two approvals at once the one that was granted last is
 * kept. It waits for who does for some seconds, and then goes on all the same.
 */
type KeptTokens = AccessTokens & {
  keep(token: AccessToken): Promise<boolean>;
  replace<Came extends GrantedAnew>(grant: () => Promise<Came>): Promise<Came>;
};

/** The access tokens of a connection; those made with other credentials than its own are not used. */
export type StoreTokens = (connection: Pick<Connection, 'id' | 'access'>) => KeptTokens;

/** The apps to which merchants granted access. Null: there is none of this id. */
type StoreApps = { find(id: string): Promise<Pick<StoreApp, 'clientId' | 'secrets'> | null> };

/** What calls of stores are made with, beside the connection's own keys. */
export type StoreKeys = { tokens: StoreTokens; apps: StoreApps };

type Means = Pick<StoreMeans, 'fetchJson' | 'now' | 'signal'> & StoreKeys;

/** How the API of a connection's store is called: with the newest of its live secrets, with its access tokens, and by its app. */
export async function storeMeans(connection: Pick<Connection, 'id' | 'access' | 'secrets'>, { tokens, apps, ...means }: Means): Promise<StoreMeans> {
  const [secret] = liveSecrets(connection, means.now);
  const app = await clientOf(connection, apps, means.now);
  return { ...means, tokens: tokens(connection), ...(secret === undefined ? {} : { secret }), ...(app === null ? {} : { app }) };
}

/** Null: the access is no app's, or that app is gone, or has no live secret. */
async function clientOf({ access }: Pick<Connection, 'access'>, apps: StoreApps, now: number): Promise<AppClient | null> {
  const id = appOf(access);
  const app = id === null ? null : await apps.find(id);
  if (app === null) return null;
  const [clientSecret] = liveSecrets(app, now);
  return clientSecret === undefined ? null : { clientId: app.clientId, clientSecret };
}

/** The same with access that is not stored yet: `secret` is the one that the store will sign with, undefined if it is not known. */
export function meansToTry(fetchJson: FetchJson, secret: string | undefined): StoreMeans {
  return { fetchJson, now: Date.now(), tokens: passingTokens(), ...(secret === undefined ? {} : { secret }) };
}

/** A token that ends sooner is renewed before it is used: a call may take its time. */
const TOO_SHORT_MS = 5 * 60_000;

/** May it be sent with a request that is made now? `refused`: the token that the store has just refused. */
export function isUsable({ token, expiresAt }: AccessToken, { refused, now }: { refused: string | undefined; now: number }): boolean {
  return token !== refused && (expiresAt === null || Date.parse(expiresAt) - now > TOO_SHORT_MS);
}

/** Access tokens that are kept nowhere, for a store that is not connected yet; `granted`: what its merchant has just granted. */
export function passingTokens(granted: AccessToken | null = null): AccessTokens {
  let known = granted;
  return {
    async token(make, refused) {
      if (known === null || !isUsable(known, { refused, now: Date.now() })) known = await make(known);
      return known.token;
    },
  };
}
