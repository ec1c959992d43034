import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Connected } from '../worlds/bridge.ts';

/** Sends a webhook as its storefront does; returns the whole answer. */
export type Sent = { status: number; headers: Headers; body: { code?: string; detail?: string; accepted?: string } };

type ShopifyWebhook = { topic: string; body: unknown; secret: string; shop?: string; version?: string };
type WooWebhook = { topic: string; body: unknown; secret: string; store?: string };

export const SHOP = 'corner.myshopify.com';

export function postShopify(address: string, { topic, body, secret, shop = SHOP, version = '2026-10' }: ShopifyWebhook): Promise<Sent> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  return post(address, raw, {
    'content-type': 'application/json',
    'x-shopify-topic': topic,
    'x-shopify-api-version': version,
    'x-shopify-shop-domain': shop,
    'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
    'x-shopify-hmac-sha256': hmac(secret, raw),
  });
}

export function postWoo(address: string, { topic, body, secret, store = 'https://shop.example/' }: WooWebhook): Promise<Sent> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  return post(address, raw, {
    'content-type': 'application/json',
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-source': store,
    'x-wc-webhook-delivery-id': 'dd30d6f1',
    'x-wc-webhook-signature': hmac(secret, raw),
  });
}

export async function post(address: string, body: string | Buffer, headers: Record<string, string>): Promise<Sent> {
  const response = await fetch(address, { method: 'POST', body, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

export function addressOf(url: string, { connection }: Pick<Connected, 'connection'>): string {
  return `${url}/webhooks/${connection.platform}/${connection.id}`;
}

export function hmac(secret: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

/** A body of test/fixtures/shopify, as text. */
export function shopifyBody(name: string): string {
  return readFileSync(new URL(`../../fixtures/shopify/${name}.json`, import.meta.url), 'utf8');
}
