import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ordersAnswer, signedRequest } from '../../../src/bridge/storefronts/standard/ask-orders.ts';
import { standardWebhook } from '../../../src/bridge/storefronts/standard/payload.ts';
import { changedSince } from '../../../src/bridge/storefronts/standard/read-orders.ts';
import { standard } from '../../../src/bridge/storefronts/standard/standard.ts';
import { newsOf } from '../../support/samples/snapshot-of.ts';

const page = readFileSync(new URL('../../../docs/own-shop.md', import.meta.url), 'utf8');
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const recipe = z.object({
  sendOrder: z.custom<(order: { url: string; secret: string; message: unknown }) => Promise<void>>((given) => typeof given === 'function'),
});

const check = z.object({
  isOrderbridge: z.custom<(request: { headers: Record<string, string>; url: string }, secret: string) => boolean>((given) => typeof given === 'function'),
});

/** The code blocks of the page in one language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);
}

const shown = blocks('json').map((text): unknown => JSON.parse(text));
const messages = shown.slice(0, 2);

test('the page shows an order and a refund, and both are read as it says', () => {
  const read = messages.map((message) => newsOf(standard.normalize({ topic: '', deliveryId: null, store: null }, message)));

  expect(read).toMatchObject([
    { orderId: '1001', snapshot: { payment: 'paid', total: '49.20', problems: [], gateways: ['stripe'] } },
    { orderId: '1001', refunds: [{ id: 'r1', amount: '21.60' }] },
  ]);
});

test('the published schema accepts what the page shows', () => {
  for (const message of messages) expect(standardWebhook.safeParse(message).error).toBeUndefined();
});

test('every field of the published schema has a description', () => {
  const schema = JSON.stringify(z.toJSONSchema(standardWebhook, { io: 'input' }));
  const fields = z.record(z.string(), z.looseObject({ description: z.string() }));
  const { $defs } = z.looseObject({ $defs: z.record(z.string(), z.looseObject({ properties: fields })) }).parse(JSON.parse(schema));

  expect(Object.keys($defs).sort()).toEqual(['DeletedOrder', 'Order', 'Refund']);
});

test('requests of the Node.js recipe are trusted', async () => {
  const got: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await buffer(request) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const [code = ''] = blocks('js');
  const { sendOrder } = recipe.parse(await import(`data:text/javascript,${encodeURIComponent(code)}`));

  await sendOrder({ url: `http://127.0.0.1:${port}/`, secret, message: messages[0] }).finally(() => server.close());

  const [sent] = got;
  const headers = new Map(Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  expect(standard.verify({ headers, body: sent?.body ?? Buffer.alloc(0) }, [secret], Date.now())).toEqual({ trusted: true });
  expect(headers.get('content-type')).toBe('application/json');
});

test('the page’s answer of an endpoint is read, and its schema accepts it', async () => {
  const answer = shown[2];
  const fetchJson = async () => ({ status: 200, body: answer });
  const { summaries, next } = await changedSince(
    { url: 'https://shop.example/orderbridge/orders' },
    { since: '2026-11-21T07:30:00.000Z', after: null, size: 100 },
    { fetchJson, now: Date.parse('2026-11-21T12:00:00Z'), secret },
  );

  expect(ordersAnswer.safeParse(answer).error).toBeUndefined();
  expect(summaries).toMatchObject([
    { orderId: '1001', payment: 'paid', total: '48.00', lifecycle: 'live' },
    { orderId: '1002', lifecycle: 'trashed' },
  ]);
  expect(next).not.toBeNull();
  expect(shown).toHaveLength(3);
});

test('the Node.js check takes our requests, and none with another path, time or secret', async () => {
  const { isOrderbridge } = check.parse(await import(`data:text/javascript,${encodeURIComponent(blocks('js')[1] ?? '')}`));
  const signed = (now: number) => {
    const { url, headers = {} } = signedRequest({ url: 'https://shop.example/orderbridge/orders' }, { ids: '1001,1002' }, { now, secret });
    return { headers, url: url.slice('https://shop.example'.length) };
  };
  const request = signed(Date.now());

  expect(request.url).toBe('/orderbridge/orders?ids=1001%2C1002');
  expect(isOrderbridge(request, secret)).toBe(true);
  expect(isOrderbridge({ ...request, url: '/orderbridge/orders?ids=1001' }, secret)).toBe(false);
  expect(isOrderbridge(signed(Date.now() - 400_000), secret)).toBe(false);
  expect(isOrderbridge(request, 'whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=')).toBe(false);
  expect(isOrderbridge({ headers: {}, url: request.url }, secret)).toBe(false);
});
