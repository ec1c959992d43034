import got from 'got';
import { afterAll, beforeAll } from 'vitest';
import { createFetchJson } from '../../../src/bridge/store-api/fetch-json.ts';
import type { StoreMeans } from '../../../src/bridge/storefronts/contract.ts';
import { parseJson } from '../../../src/bridge/storefronts/read-payload.ts';
import { isJson, type Json } from '../servers/shopify-admin/json.ts';
import type { ShopifyAdmin, ShopState } from '../servers/shopify-admin/shopify-admin.ts';
import type { ShopifyApp } from '../servers/shopify-admin/shopify-app.ts';
import { StandInShopify } from '../servers/shopify-admin/stand-in-shopify.ts';
import { ShopifyMerchant } from './shopify-merchant.ts';

export const CALLBACK = 'https://bridge.example/shopify/callback';

export type Opened = { app: ShopifyApp; shop: ShopifyAdmin };
type Answered = { status: number; body: Json };

/** Shopify for one test file, and what its apps ask of it over https. */
export function useShopify() {
  let shopify: StandInShopify;
  let count = 0;
  beforeAll(async () => {
    shopify = await StandInShopify.start();
  });
  afterAll(() => shopify?.[Symbol.asyncDispose]());

  /** A new shop, and an app that can be installed there. */
  async function opened(given: Partial<ShopifyApp> = {}, state: Partial<ShopState> = {}): Promise<Opened> {
    count += 1;
    return { app: shopify.app({ clientId: `app-${count}`, ...given }), shop: await shopify.shop(`shop-${count}`, state) };
  }

  /** Where an app sends its merchant. */
  function authorizeUrl({ shop, app }: Opened, more: Record<string, string> = {}): string {
    const query = new URLSearchParams({ client_id: app.clientId, scope: 'read_orders', redirect_uri: CALLBACK, state: 'S', ...more });
    return `${shopify.urlOf(shop)}/admin/oauth/authorize?${query}`;
  }

  /** The code of a merchant who approves. */
  async function codeOf(of: Opened, more: Record<string, string> = {}): Promise<string> {
    return (await leaves(authorizeUrl(of, more))).searchParams.get('code') ?? '';
  }

  /** What the token endpoint answers to the app. */
  async function grant({ shop, app }: Opened, form: Record<string, string>): Promise<Answered> {
    const keys = { client_id: app.clientId, client_secret: app.secret };
    const response = await got.post(`${shopify.urlOf(shop)}/admin/oauth/access_token`, { ...plain, form: { ...keys, ...form } });
    const body: unknown = response.headers['content-type'] === 'application/json' ? JSON.parse(response.body) : {};
    return { status: response.statusCode, body: isJson(body) ? body : {} };
  }

  async function pairOf(of: Opened): Promise<Json> {
    return (await grant(of, { code: await codeOf(of), expiring: '1' })).body;
  }

  /** What the Admin API answers. */
  async function queries({ shop }: Pick<Opened, 'shop'>, token: unknown, query = WHO): Promise<Answered> {
    const headers = { 'x-shopify-access-token': String(token) };
    const response = await got.post(`${shopify.urlOf(shop)}/admin/api/2026-10/graphql.json`, { ...plain, json: { query }, headers });
    return { status: response.statusCode, body: JSON.parse(response.body) };
  }

  return {
    ...{ opened, authorizeUrl, codeOf, grant, pairOf, queries },
    environment: () => shopify.environment,
    urlOf: (shop: ShopifyAdmin) => shopify.urlOf(shop),
    /** An app beside another. */
    app: (given: Parameters<StandInShopify['app']>[0]) => shopify.app(given),
    refresh: (of: Opened, { refresh_token }: Json) => grant(of, { grant_type: 'refresh_token', refresh_token: String(refresh_token) }),
    access: (shop: ShopifyAdmin, token: unknown) => ({ url: shopify.urlOf(shop), accessToken: String(token) }),
  };
}

const plain = { throwHttpErrors: false, retry: { limit: 0 } } as const;
const WHO = '{ shop { myshopifyDomain } currentAppInstallation { accessScopes { handle } } }';

export function goes(url: string, going?: Parameters<ShopifyMerchant['goes']>[1]): ReturnType<ShopifyMerchant['goes']> {
  return new ShopifyMerchant().goes(url, going);
}

/** Where a merchant leaves Shopify who approves. */
export async function leaves(url: string): Promise<URL> {
  const gone = await goes(url);
  if (!('left' in gone)) throw new Error(`the merchant stays at: ${gone.stays.text}`);
  return new URL(gone.left);
}

/** Calls stores as the program does. */
export function storeMeans(): StoreMeans {
  const timeouts = { connectMs: 2000, headersMs: 5000, totalMs: 5000 };
  return { fetchJson: createFetchJson({ allowPrivateAddresses: true, timeouts, parse: parseJson }), now: Date.now() };
}
