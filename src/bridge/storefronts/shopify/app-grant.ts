import { Failure } from '../../order/facts/failure.ts';
import type { AppGrant } from '../app-grant.ts';
import type { AppAddresses, AppWide } from '../contract.ts';
import type { StoreApp } from '../store-app.ts';
import { adminClient, VERSION } from './api/admin-client.ts';
import { PERSON_WAITS_MS } from './api/pace.ts';
import { shopAccess } from './api/shop-access.ts';
import { exchangeCode } from './oauth/ask-token.ts';
import { consentUrl, grantQuery } from './oauth/grant-query.ts';
import { problemOf } from './onboarding/problem-of.ts';
import { appTopics, complianceTopics, orderTopics } from './payload.ts';
import { lackingScopes, mayReadOrders } from './scopes.ts';
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
const SCOPE = /^[a-z][a-z0-9_]{0,99}$/;

const CLIENT_ID = /^[\w-]{1,100}$/;

/** What an app of Shopify is, and how its configuration is written. */
export const appWide: AppWide = { secretVariable: 'SHOPIFY_APP_SECRET', scopes: ['read_orders'], appProblem, configured, configuration };

function appProblem({ clientId, scopes }: Pick<StoreApp, 'clientId' | 'scopes'>): string | null {
  if (!CLIENT_ID.test(clientId)) return 'this is no client id of an app: it has letters and digits alone';
  const strange = scopes.find((scope) => !SCOPE.test(scope));
  if (strange !== undefined) return `${strange} is no scope`;
  return mayReadOrders(scopes) ? null : 'without the scope read_orders no order can be read';
}

type Kind = StoreApp['kind'];

/** What an app subscribes to in its configuration, by what the tables are named in which it does. */
function subscribed(kind: Kind): readonly { topics?: readonly string[]; compliance_topics?: readonly string[] }[] {
  return [{ topics: appTopics }, ...(kind === 'public' ? [{ topics: orderTopics }] : []), { compliance_topics: complianceTopics }];
}

function configured(kind: Kind): readonly string[] {
  return subscribed(kind).flatMap(({ topics = [], compliance_topics = [] }) => [...topics, ...compliance_topics]);
}

/**
 * shopify.app.toml of a standalone app. Scopes are granted as it is installed, and our callback gets the code. Webhooks of orders are in it for a public
 * app, whose stores are many; for other apps each connection subscribes to its own by the API, where they can be listed and made anew.
 */
function configuration({ id, clientId, kind, scopes }: StoreApp, { install, callback, webhooks }: AppAddresses): string {
  const tables = [
    ['', { name: id, client_id: clientId, application_url: install, embedded: false }],
    ['[access_scopes]', { scopes: scopes.join(','), use_legacy_install_flow: false }],
    ['[auth]', { redirect_urls: [callback] }],
    ['[webhooks]', { api_version: VERSION }],
    ...subscribed(kind).map((topics) => ['[[webhooks.subscriptions]]', { ...topics, uri: webhooks }] as const),
  ] as const;
  return tables.map(([header, values]) => table(header, values)).join('\n');
}

type Value = string | boolean | readonly string[];

function table(header: string, values: Readonly<Record<string, Value>>): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${written(value)}`);
  return [...(header === '' ? [] : [header]), ...lines, ''].join('\n');
}

// A basic string of TOML escapes as JSON does, but for DEL, which no address, id or topic has.
function written(value: Value): string {
  return typeof value === 'object' ? `[${value.map(written).join(', ')}]` : JSON.stringify(value);
}
