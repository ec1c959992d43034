import { ownValue } from '../../../../contract/own-value.ts';
import type { AccessToken, AccessTokens, StoreAccess, StoreMeans } from '../../contract.ts';
import { credentialOf } from '../../credential-of.ts';
import { askToken, credentialsBody, refreshGrant } from '../oauth/ask-token.ts';
import { failureOfRefusal } from '../oauth/token-refusal.ts';

/** The token that a request carries. `isFixed`: it can't be renewed. */
export type Token = { text: string; isFixed: boolean };

export type TokenMeans = Pick<StoreMeans, 'fetchJson' | 'now' | 'app'> & { tokens: AccessTokens };

/**
 * The connection's own token; one of what the merchant granted to an app, which lives for an hour; or one that its app's id and secret make, which lives
 * for a day. `refused`: one that the shop has just refused.
 */
export async function accessToken(access: StoreAccess, means: TokenMeans, refused?: string): Promise<Token> {
  const own = ownValue(access, 'accessToken');
  if (own !== undefined) return { text: own, isFixed: true };
  const make = isGrant(access) ? (before: AccessToken | null) => refreshGrant(access, before, means) : () => byClientCredentials(access, means);
  return { text: await means.tokens.token(make, refused), isFixed: false };
}

/** Did the merchant grant this access to an app? */
export function isGrant(access: StoreAccess): boolean {
  return ownValue(access, 'app') !== undefined;
}

/** A token that lives for one call. */
export function tokensOfCall(): AccessTokens {
  let known: string | undefined;
  return {
    async token(make, refused) {
      if (known === undefined || known === refused) known = (await make(null)).token;
      return known;
    },
  };
}

async function byClientCredentials(access: StoreAccess, { fetchJson, now }: TokenMeans): Promise<AccessToken> {
  const app = { clientId: credentialOf(access, 'clientId'), clientSecret: credentialOf(access, 'clientSecret') };
  const answer = await askToken({ url: access.url, given: 'credentials', body: credentialsBody(app) }, { fetchJson, now });
  if (!answer.ok) throw failureOfRefusal(answer.refusal);
  return answer.token;
}
