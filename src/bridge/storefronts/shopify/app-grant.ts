import { Failure } from '../../order/failure.ts';
import type { AppGrant } from '../app-grant.ts';
import { adminClient } from './api/admin-client.ts';
import { PERSON_WAITS_MS } from './api/pace.ts';
import { shopAccess } from './api/shop-access.ts';
import { consentUrl } from './oauth/consent-url.ts';
import { exchangeCode } from './oauth/exchange-code.ts';
import { grantQuery } from './oauth/grant-query.ts';
import { lackingScopes } from './oauth/scopes.ts';
import { problemOf } from './onboarding/problem-of.ts';
import { typedShopUrl } from './shop-url.ts';

/** The authorization code grant of an app that is not embedded, with tokens that expire. */
export const appGrant: AppGrant = {
  storeUrl: typedShopUrl,
  readQuery: grantQuery,
  consentUrl,
  exchange: exchangeCode,
  lacking: lackingScopes,
  async whoIs(access, means) {
    try {
      const { shopId, domain, scopes } = await shopAccess(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }));
      return { ok: true, identity: shopId, store: domain, scopes };
    } catch (thrown) {
      if (thrown instanceof Failure) return { ok: false, problem: problemOf(thrown, { byApp: true }) };
      throw thrown;
    }
  },
};
