import { createHmac, randomUUID } from 'node:crypto';
import type { OldProgram, OldServer } from './old-program.ts';

export type Platform = 'shopify' | 'woocommerce' | 'standard';
export type Store = { platform: Platform; name: string; connection: string; shop: string; secret: string };

type Shop = { name: string; uic: string; changes?: readonly string[] };
type Connecting = { platform: Platform; name: string; shop: string; settings: object; env?: Record<string, string>; at?: string };

export async function createShop(program: OldProgram, { name, uic, changes = [] }: Shop, at: string): Promise<string> {
  const flags = [
    '--domain',
    `${uic}.example`,
    '--customer-phone',
    '+359888000000',
    '--customer-email',
    `shop-${uic}@example.invalid`,
    '--nra-number',
    'RF0001234',
  ];
  const company = [
    '--company-uic',
    uic,
    '--company-name',
    `${name} ООД`,
    '--company-address',
    'София, Примерна 1',
    '--audit-recipient-emails',
    'books@example.invalid',
  ];
  return (await program.run(['shop', 'create', '--name', name, ...flags, ...company, ...changes], { at })).trim();
}

export async function connect(program: OldProgram, { platform, name, shop, settings, env = {}, at = new Date().toISOString() }: Connecting): Promise<Store> {
  // Invented, and used nowhere else.
  const secret = `whsec_${Buffer.from(`the webhook secret of ${name}`.padEnd(32, '.')).toString('base64')}`;
  const args = [
    'connect',
    '--platform',
    platform,
    '--name',
    name,
    '--secret',
    secret,
    '--compliance-shop',
    shop,
    '--settings',
    await program.file('settings.json', settings),
  ];
  const { connectionId } = JSON.parse(await program.run([...args, '--json'], { at, env }));
  return { platform, name, connection: connectionId, shop, secret };
}

/** A webhook: of Standard Webhooks the topic is the message's type. */
export type StoreWebhook = { topic: string; body: object; at?: string };

/** Sends a webhook signed as its platform signs; throws if it is refused. */
export async function send({ url }: OldServer, store: Store, { topic, body, at = new Date().toISOString() }: StoreWebhook): Promise<void> {
  const raw = JSON.stringify(store.platform === 'standard' ? { type: topic, timestamp: at, data: body } : body);
  const headers = { 'content-type': 'application/json', ...signed[store.platform]({ store, topic, raw, at }) };
  const answer = await fetch(`${url}/webhooks/${store.platform}/${store.connection}`, { method: 'POST', body: raw, headers });
  if (answer.status !== 200) throw new Error(`${store.name} was answered ${answer.status}: ${await answer.text()}`);
}

type ToSign = { store: Store; topic: string; raw: string; at: string };

const signed: Record<Platform, (request: ToSign) => Record<string, string>> = {
  shopify: ({ store, topic, raw }) => ({
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': store.name,
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-hmac-sha256': hmac(store.secret, raw),
  }),
  woocommerce: ({ store, topic, raw }) => ({
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-source': 'https://cups.example/',
    'x-wc-webhook-delivery-id': randomUUID().slice(0, 8),
    'x-wc-webhook-signature': hmac(store.secret, raw),
  }),
  standard: ({ store, raw, at }) => {
    const id = `msg_${randomUUID()}`;
    const timestamp = String(Math.floor(Date.parse(at) / 1000));
    const key = Buffer.from(store.secret.replace('whsec_', ''), 'base64');
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${hmac(key, `${id}.${timestamp}.${raw}`)}` };
  },
};

function hmac(key: string | Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}
