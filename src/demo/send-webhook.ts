import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { DemoStore } from './demo-stores.ts';
import type { DemoPlatform, StoryWebhook } from './story.ts';

type Signing = { secret: string; store: string; topic: string; body: string };

/** How each platform signs its webhooks, and their other headers. */
const signers = {
  shopify: ({ secret, store, topic, body }) => ({
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': store,
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-api-version': '2026-10',
    'x-shopify-hmac-sha256': hmac(secret, body),
  }),
  woocommerce: ({ secret, store, topic, body }) => ({
    'x-wc-webhook-source': `${store}/`,
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-delivery-id': randomBytes(16).toString('hex'),
    'x-wc-webhook-signature': hmac(secret, body),
  }),
  standard: ({ secret, body }) => {
    const id = `msg_${randomUUID()}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${hmac(key, `${id}.${timestamp}.${body}`)}` };
  },
} satisfies Record<DemoPlatform, (signing: Signing) => Record<string, string>>;

/** Sends a webhook as its platform does; returns the status of the answer. */
export async function sendWebhook(address: string, { platform, secret, store }: DemoStore, { topic, body, forged }: StoryWebhook): Promise<number> {
  const text = JSON.stringify(body);
  const signed = signers[platform]({ secret: forged === true ? `not ${secret}` : secret, store, topic, body: text });
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body: text });
  await response.arrayBuffer();
  return response.status;
}

function hmac(key: string | Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}
