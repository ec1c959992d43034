import type { AccessToken, AccessTokens } from '../storefronts/contract.ts';

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
