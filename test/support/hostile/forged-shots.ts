import type { Draw, Draws } from './draw-shot.ts';
import { type MerchantName, pathOf, signedHeaders } from './merchant.ts';
import { forgedId, orderId, pluginOrder, shopifyOrder, standardOrder } from './order-bodies.ts';
import { bytesOf, signed } from './order-shots.ts';

const victims: readonly MerchantName[] = ['honest', 'burst', 'app', 'captured-app', 'plugin', 'hanging'];
const CLAIMS = 1_000;
const TEN_MINUTES_MS = 600_000;

/** Requests without a right signature, and signed ones that say nothing. */
export const forgedShots: Draws = {
  forged: (draw) => {
    const { merchants, dice, n } = draw;
    const victim = merchants[dice.pick(victims)];
    const body = forgedBody(draw, victim.name);
    const headers = signedHeaders(
      { ...victim, secret: `whsec_${Buffer.from(`guess ${n}`).toString('base64')}` },
      { topic: topicOf(victim.name), body, id: `msg_${n}` },
    );
    return { method: 'POST', path: pathOf(victim), headers, body, expected: [401] };
  },
  unsigned: (draw) => {
    const victim = draw.merchants[draw.dice.pick(victims)];
    const body = forgedBody(draw, victim.name);
    return { method: 'POST', path: pathOf(victim), headers: { 'content-type': 'application/json' }, body, expected: [401] };
  },
  'signed too early': ({ merchants, n }) => {
    const body = bytesOf(standardOrder(forgedId(n)).body);
    const headers = signedHeaders(merchants.burst, { topic: '', body, id: `msg_${n}`, at: Date.now() - TEN_MINUTES_MS });
    return { method: 'POST', path: pathOf(merchants.burst), headers, body, expected: [401] };
  },
  'many signatures': ({ merchants, n, dice }) => {
    const claims = Array.from({ length: CLAIMS }, () => 'v1,').join(' ');
    const headers = { 'content-type': 'application/json', 'webhook-id': `msg_${n}`, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    const body = Buffer.alloc(dice.chance(0.2) ? 2_000_000 : 20_000, 32);
    return { method: 'POST', path: pathOf(merchants.honest), headers: { ...headers, 'webhook-signature': claims }, body, expected: [401] };
  },
  'not JSON': (draw) => {
    const body = Buffer.from(draw.dice.pick(['{"id":', 'null,', '', 'ÿþ{}', '{"a":1}}', '<order/>', '[1,2', `{"data":"${'\\'.repeat(draw.dice.below(9))}"`]));
    return { ...signed(draw, { merchant: 'heavy', topic: '', body }), expected: [400] };
  },
  'other content type': (draw) => {
    const body = bytesOf(standardOrder(orderId(draw.n)).body);
    const shot = signed(draw, { merchant: 'burst', topic: '', body });
    return { ...shot, headers: { ...shot.headers, 'content-type': draw.dice.pick(['text/plain', 'text/xml', 'multipart/form-data']) }, expected: [415, 429] };
  },
  'unknown id': ({ n, dice }) => ({
    method: 'POST',
    path: `/webhooks/${dice.pick(['shopify', 'woocommerce', 'standard', 'acme', '__proto__'])}/c_${dice.below(1_000_000)}`,
    headers: { 'content-type': 'application/json', 'webhook-id': `msg_${n}`, 'x-shopify-hmac-sha256': 'AAAA', 'x-wc-webhook-signature': 'AAAA' },
    body: Buffer.from('{}'),
    expected: [404],
  }),
  'odd path': ({ merchants, dice }) => ({
    method: dice.pick(['POST', 'GET', 'PUT']),
    path: dice.pick([
      ...['/webhooks/shopify/%00', '/webhooks/standard/%ff', '/webhooks/woocommerce/%2e%2e%2f', '/webhooks//', '/webhooks/standard/%E0%A4%A', '/webhooks/%00'],
      ...['/METRICS', '/Admin/queues', '/%00', '/healthz/%ff', '/service/v1/orders?internalId=%00', '/public-api/v1/shop', '//', '/..%2f..%2fetc'],
      `${pathOf(merchants.honest)}/${'a'.repeat(dice.below(4_000))}/x`,
    ]),
    headers: { 'content-type': 'application/json' },
    body: Buffer.alloc(0),
    expected: [400, 401, 404, 405],
  }),
};

function topicOf(name: MerchantName): string {
  if (name === 'app' || name === 'captured-app') return 'orders/paid';
  return name === 'plugin' || name === 'hanging' ? 'order.updated' : '';
}

function forgedBody({ n }: Draw, name: MerchantName): Buffer {
  const id = forgedId(n);
  if (name === 'app' || name === 'captured-app') return bytesOf(shopifyOrder(id).body);
  return bytesOf((name === 'plugin' || name === 'hanging' ? pluginOrder(id) : standardOrder(id)).body);
}
