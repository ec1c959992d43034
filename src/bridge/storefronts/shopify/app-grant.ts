import { timingSafeEqual } from 'node:crypto';
import type { Said } from '../../../contract/said.ts';
import { Failure } from '../../order/facts/failure.ts';
import type { AppGrant, ConsentGiven, GrantQuery } from '../app-grant.ts';
import type { AppAddresses, AppWide } from '../contract.ts';
import { hmac } from '../hmac.ts';
import type { StoreApp } from '../store-app.ts';
import { adminClient, VERSION } from './api/admin-client.ts';
import { PERSON_WAITS_MS } from './api/pace.ts';
import { shopAccess } from './api/shop-access.ts';
import { exchangeCode } from './oauth/ask-token.ts';
import { problemOf } from './onboarding/problem-of.ts';
import { appTopics, complianceTopics, orderTopics } from './payload.ts';
import { lackingScopes, mayReadOrders } from './scopes.ts';
import { shopUrl, typedShopUrl } from './shop-url.ts';

const TOLERANCE_SECONDS = 90;
const MOST_NAMES = 50;
/** Named twice, one of them could be signed and the other one used. */
const ONCE: readonly string[] = ['hmac', 'shop', 'timestamp', 'code', 'state', 'host'];

/** Those of Shopify have about ten names, and few hundred characters. */
const LONGEST = 8_000;

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

function appProblem({ clientId, scopes }: Pick<StoreApp, 'clientId' | 'scopes'>): Said | null {
  if (!CLIENT_ID.test(clientId))
    return { en: 'this is no client id of an app: it has letters and digits alone', bg: 'това не е client id на приложение: той е само от букви и цифри' };
  const strange = scopes.find((scope) => !SCOPE.test(scope));
  if (strange !== undefined) return { en: `${strange} is no scope`, bg: `${strange} не е разрешение (scope)` };
  if (mayReadOrders(scopes)) return null;
  return { en: 'without the scope read_orders no order can be read', bg: 'без разрешението read_orders не може да се чете нито една поръчка' };
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

/** An install that began at Shopify, or the way back from the consent page. */
export function grantQuery(query: string, secrets: readonly string[], now: number): GrantQuery {
  const signed = signedQuery(query, secrets, now);
  if (!signed.ok) return signed;
  const { values } = signed;
  const url = shopUrl(values.get('shop') ?? '');
  const [code, state] = [filled(values.get('code')), filled(values.get('state'))];
  // A code without a state belongs to no way that began here.
  if (url === null || (code !== null && state === null)) return { ok: false, why: 'malformed' };
  return { ok: true, url, code, state };
}

function filled(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

/** What a signed query says. malformed: it can't be one. unsigned: none of the secrets signed it. stale: one did, more than 90 s ago or hence. */
type SignedQuery = { ok: true; values: ReadonlyMap<string, string> } | { ok: false; why: 'malformed' | 'unsigned' | 'stale' };

/**
 * Reads a query by which Shopify sends a browser here. Signed is what is left without `hmac` and `signature`, sorted by name, values of the same name
 * joined by commas: another rule than that of webhooks, with the same secret.
 */
export function signedQuery(query: string, secrets: readonly string[], now: number): SignedQuery {
  const values = valuesOf(query);
  const claim = values?.get('hmac') ?? '';
  const time = values?.get('timestamp') ?? '';
  if (values === null || !/^[0-9a-f]{64}$/.test(claim) || !/^\d{1,12}$/.test(time)) return { ok: false, why: 'malformed' };
  if (!isSigned(signedText(values), claim, secrets)) return { ok: false, why: 'unsigned' };
  if (Math.abs(Math.trunc(now / 1000) - Number(time)) > TOLERANCE_SECONDS) return { ok: false, why: 'stale' };
  return { ok: true, values };
}

/** The text that is signed of these values. */
export function signedText(values: ReadonlyMap<string, string>): string {
  const signed = [...values].filter(([name]) => name !== 'hmac' && name !== 'signature');
  return percentEncoded(signed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Null: it is longer than any of Shopify's, or names something twice that must be clear. */
function valuesOf(query: string): ReadonlyMap<string, string> | null {
  if (query.length > LONGEST) return null;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = values.get(name);
    if (before !== undefined && ONCE.includes(name)) return null;
    values.set(name, before === undefined ? value : `${before},${value}`);
    if (values.size > MOST_NAMES) return null;
  }
  return values;
}

/** Each secret is tried, each in constant time. */
function isSigned(text: string, claim: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(claim, 'hex');
  return secrets.reduce((matched, secret) => timingSafeEqual(hmac(secret, [text]), given) || matched, false);
}

/** Where the merchant approves the app, for a token that is nobody's session. */
function consentUrl({ url, clientId, scopes, redirectUrl, state }: ConsentGiven): string {
  const query = percentEncoded([
    ['client_id', clientId],
    ['scope', scopes.join(',')],
    ['redirect_uri', redirectUrl],
    ['state', state],
    ['grant_options[]', ''],
  ]);
  return `${url}/admin/oauth/authorize?${query}`;
}

/** `name=value` with `&`, as Shopify signs and reads it: a space is %20. */
function percentEncoded(pairs: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString().replaceAll('+', '%20');
}
