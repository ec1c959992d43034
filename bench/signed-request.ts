import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const FIXTURE = new URL('../test/fixtures/shopify/order-paid-eur-incl-mixed-rates.json', import.meta.url);
// Sums that are not read here; without them the body has the 7 KB of a usual order.
const LEFT_OUT = /^current_|^(subtotal|total_line_items|total_tax|total_discounts)_.*set$/;
const NUMBER_MARK = '6512345000101';

// What real bodies hold, and no fixture does: runs of more digits than a double keeps, all of them text.
const CART = { cart_token: 'c1-00000000000000000000000000' };
const PARCEL = { note_attributes: [{ name: 'tracking_number', value: '10512345678901234567' }] };

const usual = readTemplate({});
/** A third of the bodies has a long run of digits: of six orders in a row, one has a cart's token and one a parcel's number. */
const templates = [readTemplate(CART), usual, usual, readTemplate(PARCEL), usual, usual];

type Signed = { url: string; secret: string; number: number };

/** A whole HTTP request: a signed `orders/paid` webhook of about 7 KB for the order of that number. */
export function signedRequest({ url, secret, number }: Signed): Buffer {
  const { host, pathname } = new URL(url);
  const template = templates[number % templates.length] ?? usual;
  const body = Buffer.from(template.replaceAll(NUMBER_MARK, String(6_600_000_000_000 + number)).replace('"#1042"', `"#${number}"`));
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'User-Agent: Shopify-Captain-Hook',
    `X-Shopify-Hmac-Sha256: ${signature}`,
    'X-Shopify-Topic: orders/paid',
    'X-Shopify-Shop-Domain: roza-books.myshopify.com',
    `X-Shopify-Webhook-Id: b54557e4-bdd9-4b37-8a5f-${String(number).padStart(12, '0')}`,
    'X-Shopify-API-Version: 2026-10',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

function readTemplate(more: Record<string, unknown>): string {
  const order: Record<string, unknown> = JSON.parse(readFileSync(FIXTURE, 'utf8'));
  const kept = Object.entries(order).filter(([key]) => !LEFT_OUT.test(key));
  return JSON.stringify({ ...Object.fromEntries(kept), ...more });
}
