import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { accessToken, isGrant, tokensOfCall } from './access-token.ts';

/** Renews the tokens of a grant, unless others than `token` are known since. */
export async function renewGrant(access: StoreAccess, means: StoreMeans, token: string): Promise<void> {
  if (isGrant(access)) await accessToken(access, { tokens: tokensOfCall(), ...means }, token);
}
