import { z } from 'zod';
import { ownValue } from '../../../../contract/own-value.ts';
import { Failure } from '../../../order/failure.ts';
import type { AccessToken, AccessTokens, StoreAccess, StoreMeans } from '../../contract.ts';
import { credentialOf } from '../../credential-of.ts';
import { refusalOf } from './status-words.ts';

/** The token that a request carries. `isFixed`: it can't be renewed. */
export type Token = { text: string; isFixed: boolean };

export type TokenMeans = Pick<StoreMeans, 'fetchJson' | 'now'> & { tokens: AccessTokens };

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().optional(), refresh_token: z.string().optional() });

/** The connection's own token, or one that its app's id and secret make, which lives for a day. `refused`: one that the shop has just refused. */
export async function accessToken(access: StoreAccess, means: TokenMeans, refused?: string): Promise<Token> {
  const own = ownValue(access, 'accessToken');
  if (own !== undefined) return { text: own, isFixed: true };
  const make = () => byClientCredentials(access, means);
  return { text: await means.tokens.token(make, refused), isFixed: false };
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
  const credentials = { client_id: credentialOf(access, 'clientId'), client_secret: credentialOf(access, 'clientSecret') };
  const { status, body } = await fetchJson({
    url: `${access.url}/admin/oauth/access_token`,
    method: 'POST',
    body: { grant_type: 'client_credentials', ...credentials },
  });
  if (REFUSES.has(status)) throw new Failure('storefront.refused', `the shop answered ${status} to the app’s client id and secret; ${TODO}`);
  if (status !== 200) throw refusalOf(status);
  const answer = tokenAnswer.safeParse(body);
  if (!answer.success) throw new Failure('storefront.unreachable', 'the shop’s answer has no access token; it is called again later');
  const { access_token: token, expires_in, refresh_token: refreshToken } = answer.data;
  const expiresAt = expires_in === undefined ? null : new Date(now + expires_in * 1000).toISOString();
  return { token, expiresAt, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

const REFUSES: ReadonlySet<number> = new Set([400, 401, 403]);
const TODO =
  'check them in the Dev Dashboard, and that the app is installed in this shop and belongs to the shop’s own organisation; then give both with `orderbridge reconnect`';
