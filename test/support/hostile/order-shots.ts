import type { Draw, Draws } from './draw-shot.ts';
import type { Family } from './families.ts';
import { type MerchantName, pathOf, signedHeaders } from './merchant.ts';
import { type HostileOrder, orderId, pluginOrder, refundedOrder, shopifyOrder, standardOrder } from './order-bodies.ts';
import type { Shot } from './shot.ts';

export type Unnamed = Omit<Shot, 'family'>;
type Sending = { merchant: MerchantName; topic: string; order: HostileOrder };

/** Real orders of real merchants: each that is answered 200 must be recorded. */
export const orderShots: Draws = {
  'order, in a burst': (draw) => taken(draw, { merchant: 'burst', topic: '', order: standardOrder(orderId(draw.n)) }),
  'order, app': (draw) => {
    const shot = taken(draw, { merchant: 'app', topic: 'orders/paid', order: shopifyOrder(orderId(draw.n)) });
    return draw.dice.chance(0.5) ? { ...shot, path: '/webhooks/shopify' } : shot;
  },
  'order, plugin': (draw) => taken(draw, { merchant: 'plugin', topic: 'order.updated', order: pluginOrder(orderId(draw.n)) }),
  'order, captured': (draw) => taken(draw, { merchant: 'captured-app', topic: 'orders/paid', order: shopifyOrder(orderId(draw.n)) }),
  'order, shop refused': (draw) => taken(draw, { merchant: 'refused', topic: '', order: standardOrder(orderId(draw.n)) }),
  'order, store hangs': (draw) => taken(draw, { merchant: 'hanging', topic: 'order.updated', order: refundedOrder(orderId(draw.n)) }),
  'order again': (draw) => {
    const earlier = another(draw, 'order, in a burst', -1) ?? draw.n;
    return taken(draw, { merchant: 'burst', topic: '', order: standardOrder(orderId(earlier)) });
  },
  ping: ({ merchants, n }) => ({
    method: 'POST',
    path: pathOf(merchants.plugin),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(`webhook_id=${n}`),
    expected: [200],
  }),
  redaction: (draw) => {
    const order = another(draw, 'order, app', draw.dice.chance(0.7) ? -1 : 1) ?? draw.n;
    return redaction(draw, orderId(order));
  },
};

/** A signed request of a merchant with a body that is not one of its orders. */
export function signed({ merchants, n }: Draw, { merchant, topic, body }: { merchant: MerchantName; topic: string; body: Buffer }): Unnamed {
  const from = merchants[merchant];
  return { method: 'POST', path: pathOf(from), headers: signedHeaders(from, { topic, body, id: `msg_${n}` }), body, expected: [200] };
}

export function bytesOf(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body));
}

/** The nearest request of this family from a random place before (-1) or after (1) this one. */
export function another({ plan, n, dice }: Draw, family: Family, direction: -1 | 1): number | null {
  for (let at = n + direction * (1 + dice.below(200)); at >= 0 && at < plan.length; at += direction) if (plan[at] === family) return at;
  return null;
}

function taken(draw: Draw, { merchant, topic, order }: Sending): Unnamed {
  const shot = signed(draw, { merchant, topic, body: bytesOf(order.body) });
  // A sender that repeats may be refused for coming too fast.
  const expected = draw.merchants[merchant].platform === 'standard' ? [200, 429] : [200];
  return { ...shot, expected, meaning: { kind: 'order', id: order.id, total: order.total, merchant } };
}

function redaction(draw: Draw, id: string): Unnamed {
  const shop = { shop_id: 954889, shop_domain: draw.merchants.app.store };
  const body = bytesOf({ ...shop, customer: { id: draw.n, email: `b${id}@buyers.invalid`, phone: '' }, orders_to_redact: [Number(id)] });
  return { ...signed(draw, { merchant: 'app', topic: 'customers/redact', body }), meaning: { kind: 'erased', id } };
}
