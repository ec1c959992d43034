import type { Json } from './json.ts';
import type { ShopifyAdmin } from './shopify-admin.ts';
import type { ShopifyApp } from './shopify-app.ts';

type Answer = { status: number; body: Json };

/** `POST /admin/oauth/access_token`: all grants that a server can make without an embedded page. */
export function grantToken(shop: ShopifyAdmin, body: Json): Answer {
  shop.asked.push({ path: '/admin/oauth/access_token', query: '', variables: {}, cost: 0 });
  const { clientId, clientSecret } = shop.state;
  if (body['client_id'] === clientId) return grantOwn(shop, body, clientSecret);
  const app = shop.apps.get(String(body['client_id']));
  if (app === undefined) return refused(400, 'application_cannot_be_found', 'the client id is not known');
  if (body['client_secret'] !== app.secret) return refused(400, 'invalid_client', `Client authentication failed for ${String(body['client_secret'])}`);
  const grantType = body['grant_type'];
  if (grantType === 'refresh_token') return granted(shop.grants.byRefreshToken(app.clientId, String(body['refresh_token'])), () => deadGrant(shop));
  if (grantType === 'client_credentials') return byCredentials(shop, app);
  return granted(shop.grants.byCode(app.clientId, String(body['code']), isOn(body['expiring'])), () =>
    refused(400, 'invalid_request', 'The authorization code was not found or was already used'),
  );
}

/** The app that was in the shop before there were others here. */
function grantOwn({ state, tokens }: ShopifyAdmin, body: Json, secret: string): Answer {
  const isRight = body['grant_type'] === 'client_credentials' && body['client_secret'] === secret;
  if (!isRight) return refused(400, 'invalid_client', `Client authentication failed for ${String(body['client_secret'])}`);
  if (!state.hasOwnApp) return refused(400, 'app_not_installed', 'The app is not installed on this shop.');
  const token = `shpat_${crypto.randomUUID().replaceAll('-', '')}`;
  tokens.set(token, state.now() + state.tokenSeconds * 1000);
  return { status: 200, body: { access_token: token, scope: state.scopes.join(','), expires_in: state.tokenSeconds } };
}

function byCredentials({ grants, state }: ShopifyAdmin, { clientId, organisation }: ShopifyApp): Answer {
  if (organisation !== state.organisation) return refused(400, 'shop_not_permitted', 'Client credentials cannot be performed on this shop.');
  return granted(grants.byClientCredentials(clientId, state.tokenSeconds), () => refused(400, 'app_not_installed', 'The app is not installed on this shop.'));
}

function deadGrant({ state }: ShopifyAdmin): Answer {
  const words = 'This request requires an active refresh_token';
  return state.deadGrantIs === 401 ? refused(401, 'invalid_request', words) : refused(400, 'invalid_grant', words);
}

function granted(body: Json | null, otherwise: () => Answer): Answer {
  return body === null ? otherwise() : { status: 200, body };
}

function refused(status: number, error: string, words: string): Answer {
  return { status, body: { error, error_description: words } };
}

function isOn(value: unknown): boolean {
  return value === true || String(value) === '1' || value === 'true';
}
