import { gzipSync } from 'node:zlib';
import type { Draw, Draws } from './draw-shot.ts';
import { type Merchant, pathOf, signedHeaders } from './merchant.ts';
import { orderId, standardOrder } from './order-bodies.ts';
import { bytesOf, signed } from './order-shots.ts';

const MB = 1024 * 1024;
/** The most that a body may have. */
const LIMIT = 5 * MB;

/** Signed bodies of 5 MB that cost the most to read: integers of 19 digits, keys, lines of an order. */
const heavyForms = [
  () => `{"data":{"order":{"lines":[${filled((n) => `9007199254740${100_000 + (n % 900_000)}`)}]}}}`,
  () => `{"data":{"order":{${filled((n) => `"key${n}":${n % 10}`)}}}}`,
  () => `{"data":{"order":{"id":"1","lines":[${filled((n) => `{"id":"${n}","name":"T","amount":"1.00","vatRate":"20"}`)}]}}}`,
];
const heavyBodies = new Map<number, Buffer>();

export const largeShots: Draws = {
  'heavy body': (draw) => {
    const body = heavyBody(draw.n);
    return { ...signed(draw, { merchant: 'heavy', topic: 'order.paid', body }), expected: [200, 429, 503], meaning: { kind: 'unreadable', merchant: 'heavy' } };
  },
  oversized: ({ merchants, dice, n }) => {
    const body = Buffer.alloc(LIMIT + 1 + dice.below(MB), 32);
    const headers = dice.chance(0.5) ? signedHeaders(merchants.heavy, { topic: '', body, id: `msg_${n}` }) : guessed(merchants.heavy, n);
    return { method: 'POST', path: pathOf(merchants.heavy), headers, body, expected: [413, 0, 503] };
  },
  compressed: ({ merchants, dice, n }) => {
    const order = standardOrder(orderId(n));
    const plain = bytesOf(order.body);
    const shot = { method: 'POST', path: pathOf(merchants.heavy), expected: [415] };
    if (dice.chance(0.5)) {
      const headers = { ...guessed(merchants.heavy, n), 'content-encoding': 'gzip' };
      return { ...shot, headers, body: gzipSync(dice.chance(0.2) ? Buffer.alloc(LIMIT) : plain) };
    }
    const headers = { ...signedHeaders(merchants.heavy, { topic: '', body: plain, id: `msg_${n}` }), 'content-encoding': 'gzip' };
    return { ...shot, headers, body: gzipSync(plain), meaning: { kind: 'order', id: order.id, total: order.total, merchant: 'heavy' } };
  },
  'half sent': ({ merchants, dice, n }) => {
    const body = Buffer.alloc(dice.chance(0.5) ? LIMIT : 20_000, 32);
    const path = dice.chance(0.5) ? pathOf(merchants.heavy) : `/webhooks/shopify/c_${n}`;
    const half = { bytes: dice.chance(0.3) ? 0 : body.length - 10, waitMs: 1_000 + dice.below(5_000) };
    // The head alone may be enough for an answer.
    return { method: 'POST', path, headers: guessed(merchants.heavy, n), body, half, expected: [0, 401, 404, 408, 413, 503] };
  },
};

function heavyBody(n: number): Buffer {
  const form = n % heavyForms.length;
  const made = heavyBodies.get(form) ?? Buffer.from(heavyForms[form]?.() ?? '{}');
  heavyBodies.set(form, made);
  return made;
}

/** As many parts as fit. */
function filled(part: (n: number) => string): string {
  const parts: string[] = [];
  for (let n = 0, length = 100; ; n += 1) {
    const text = part(n);
    length += text.length + 1;
    if (length > LIMIT) return parts.join();
    parts.push(text);
  }
}

/** The headers of a sender who does not know the secret. */
function guessed(merchant: Merchant, n: Draw['n']): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'webhook-id': `msg_${n}`, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  return { ...headers, 'webhook-signature': `v1,${Buffer.from(merchant.name.padEnd(32)).toString('base64')}`, 'x-shopify-hmac-sha256': 'AAAA' };
}
