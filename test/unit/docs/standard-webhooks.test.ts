import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { standardWebhook } from '../../../src/bridge/storefronts/standard/payload.ts';
import { standard } from '../../../src/bridge/storefronts/standard/standard.ts';
import { newsOf } from '../../support/samples/snapshot-of.ts';

const page = readFileSync(new URL('../../../docs/standard-webhooks.md', import.meta.url), 'utf8');
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const recipe = z.object({
  sendOrder: z.custom<(order: { url: string; secret: string; message: unknown }) => Promise<void>>((given) => typeof given === 'function'),
});

/** The code blocks of the page in one language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);
}

const messages = blocks('json').map((text): unknown => JSON.parse(text));

test('the page shows an order and a refund, and both are read as it says', () => {
  const read = messages.map((message) => newsOf(standard.normalize({ topic: '', deliveryId: null, store: null }, message)));

  expect(read).toMatchObject([
    { orderId: '1001', snapshot: { payment: 'paid', total: '57.30', problems: [], gateways: ['stripe'] } },
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

  expect(Object.keys($defs).sort()).toEqual(['Order', 'Refund']);
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
