import type { AccessToken, StoreAccess, StoreMeans } from '../../contract.ts';
import { StoreFailure } from '../../store-failure.ts';
import { askToken } from './ask-token.ts';
import { refreshBody } from './token-bodies.ts';
import { failureOfRefusal, GrantEnded } from './token-refusal.ts';

type RefreshMeans = Pick<StoreMeans, 'fetchJson' | 'now' | 'app'>;

/**
 * The next pair of tokens of a grant. An answer that was lost is asked for again with the same refresh token, which is usable until its successor is used.
 * If the known one is refused, its predecessor is tried: a request of it that came late may have put another one in its place. Throws as
 * `StoreApi.complete`, and `GrantEnded` if only the merchant can go on.
 */
export async function refreshGrant(access: StoreAccess, before: AccessToken | null, means: RefreshMeans): Promise<AccessToken> {
  if (before === null) throw new GrantEnded(noGrant);
  const { refreshToken, earlierToken } = before;
  if (refreshToken === undefined) throw new GrantEnded(noRefresh);
  try {
    return await refreshWith(access, refreshToken, means);
  } catch (thrown) {
    if (!(thrown instanceof GrantEnded) || earlierToken === undefined) throw thrown;
    return refreshWith(access, earlierToken, means);
  }
}

async function refreshWith({ url }: StoreAccess, refreshToken: string, { app, ...means }: RefreshMeans): Promise<AccessToken> {
  if (app === undefined) throw new StoreFailure('storefront.refused', noApp, 'app');
  const answer = await askToken({ url, given: 'refresh', body: refreshBody(app, refreshToken) }, means);
  if (!answer.ok) throw failureOfRefusal(answer.refusal);
  return { ...answer.token, earlierToken: refreshToken };
}

const noGrant = 'there is no token that can be read of what the merchant granted; he must approve the app again';
const noRefresh =
  'the shop refuses the app’s token, which can’t be renewed: the app was uninstalled, or its access withdrawn; the merchant must approve the app again';
const noApp = 'the app that the merchant approved is not known here any more, or has no live secret; add it again, or have the merchant approve another one';
