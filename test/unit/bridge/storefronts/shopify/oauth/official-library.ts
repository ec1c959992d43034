import '@shopify/shopify-api/adapters/web-api';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime';

export const app = { clientId: 'client-id', clientSecret: 'shpss_client_secret' };
export const HOST = 'bridge.example';
export const CALLBACK = '/shopify/callback';

/** Shopify's own library for our app. Its requests go nowhere: `posted` has the body of the last one. */
export function officialLibrary(scopes: readonly string[]) {
  const library = shopifyApi({
    apiKey: app.clientId,
    apiSecretKey: app.clientSecret,
    scopes: [...scopes],
    hostName: HOST,
    apiVersion: ApiVersion.October26,
    isEmbeddedApp: false,
    logger: { log: () => undefined },
  });
  let posted: { url: string; body: unknown } | null = null;
  setAbstractFetchFunc(async (url, options) => {
    posted = { url: String(url), body: JSON.parse(String(options?.body)) };
    return Response.json({ access_token: 'shpat_1', scope: 'read_orders', expires_in: 3600, refresh_token: 'shprt_1', refresh_token_expires_in: 7_776_000 });
  });
  return { library, posted: () => posted };
}

/** It turns away whatever does not look like a browser. */
export const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
