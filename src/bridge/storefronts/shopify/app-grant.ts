import type { AppGrant } from '../app-grant.ts';
import { adminClient } from './api/admin-client.ts';
import { shopAccess } from './api/shop-access.ts';
import { consentUrl } from './oauth/consent-url.ts';
import { exchangeCode, exchangeToken } from './oauth/exchange-token.ts';
import { grantQuery } from './oauth/grant-query.ts';
import { lackingScopes } from './oauth/scopes.ts';
import { typedShopUrl } from './shop-url.ts';

/** The authorization code grant of an app that is not embedded, with tokens that expire. */
export const appGrant: AppGrant = {
  storeUrl: typedShopUrl,
  readQuery: grantQuery,
  consentUrl,
  exchange: exchangeCode,
  expiring: exchangeToken,
  lacking: lackingScopes,
  async whoIs(access, means) {
    const { shopId, domain, scopes } = await shopAccess(adminClient(access, means, { leavesHalf: false }));
    return { identity: shopId, store: domain, scopes };
  },
};
