import { createStoreTokens } from '../../../src/bridge/ledger/connections/store-tokens.ts';
import type { AccessToken } from '../../../src/bridge/storefronts/contract.ts';
import { sealer } from '../../../src/platform/seal.ts';
import type { useCalledStores } from './called-stores.ts';

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Access tokens of connections as processes have them. */
export function keptTokens(stores: ReturnType<typeof useCalledStores>) {
  const access = { url: 'https://corner.example', clientId: 'id', clientSecret: 'secret' };
  /** The tokens of a new connection as one process has them, and how many were made. */
  async function newConnection() {
    const { connectionId: id } = await stores.newStore();
    const made: (AccessToken | null)[] = [];
    const make =
      (expiresAt: string | null = inHours(24)) =>
      async (before: AccessToken | null) => {
        made.push(before);
        return { token: `made ${made.length}`, expiresAt };
      };
    const process = (key = 7, own = access, leaseMs = 30_000) =>
      createStoreTokens(stores.pool(), sealer(Buffer.alloc(32, key)), { leaseMs })({ id, access: own });
    return { id, made, make, process };
  }
  return { access, newConnection };
}

export const pair = (n: number): AccessToken => ({
  token: `shpat_${n}`,
  expiresAt: inHours(1),
  refreshToken: `shprt_${n}`,
  earlierToken: `shprt_${n - 1}`,
});
export const never = () => Promise.reject(new Error('nothing is made'));
/** A process that is making a token: `begun` once it does, `end` says what came of it. */
export function slowly() {
  const begun = Promise.withResolvers<void>();
  const made = Promise.withResolvers<AccessToken>();
  const make = (): Promise<AccessToken> => {
    begun.resolve();
    return made.promise;
  };
  return { make, begun: begun.promise, made };
}
