import { createHmac } from 'node:crypto';

/** One connection as the attack sees it; plain data, because it goes to another thread. */
export type Merchant = {
  name: MerchantName;
  platform: 'shopify' | 'woocommerce' | 'standard';
  connectionId: string;
  secret: string;
  shopId: string;
  /** The store as its deliveries name it. */
  store: string;
};

export const merchantNames = ['honest', 'burst', 'heavy', 'refused', 'app', 'captured-app', 'plugin', 'hanging'] as const;
export type MerchantName = (typeof merchantNames)[number];
export type Merchants = Record<MerchantName, Merchant>;

export type Signing = { topic: string; body: Buffer; id: string; at?: number };

/** The address of its webhooks. */
export function pathOf({ platform, connectionId }: Merchant): string {
  return `/webhooks/${platform}/${connectionId}`;
}

/** The headers with which its platform would send this body. */
export function signedHeaders(merchant: Merchant, { topic, body, id, at = Date.now() }: Signing): Record<string, string> {
  const { secret, store } = merchant;
  const type = { 'content-type': 'application/json' };
  const mac = createHmac('sha256', secret).update(body).digest('base64');
  switch (merchant.platform) {
    case 'shopify':
      return { ...type, 'x-shopify-topic': topic, 'x-shopify-shop-domain': store, 'x-shopify-webhook-id': id, 'x-shopify-hmac-sha256': mac };
    case 'woocommerce':
      return { ...type, 'x-wc-webhook-topic': topic, 'x-wc-webhook-source': store, 'x-wc-webhook-delivery-id': id, 'x-wc-webhook-signature': mac };
    case 'standard':
      return { ...type, ...standardHeaders(secret, { topic, body, id, at }) };
  }
}

function standardHeaders(secret: string, { body, id, at }: Required<Signing>): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
