import { expect, test } from 'vitest';
import { signedRequest } from '../../../bench/signed-request.ts';
import { parseJson } from '../../../src/bridge/storefronts/read-payload.ts';
import { shopify } from '../../../src/bridge/storefronts/shopify/shopify.ts';

const secret = 'shpss_0123456789abcdef';
const first = 4_200;
const requests = Array.from({ length: 60 }, (_, i) => delivery(signedRequest({ url: 'http://127.0.0.1:3000/webhooks/shopify/x', secret, number: first + i })));

test('a third of the bodies has a run of digits that is longer than a safe integer', () => {
  const long = requests.filter(({ body }) => /\d{18}/.test(body.toString()));

  expect(long).toHaveLength(requests.length / 3);
  // Nor any other: the rest is as the fixture.
  expect(requests.filter(({ body }) => /\d{16}/.test(body.toString()))).toHaveLength(requests.length / 3);
});

test('each body is an order of Shopify, signed, with another id and number, and the same sale', () => {
  const news = requests.map((each) => {
    expect(shopify.verify(each, [secret], 0)).toEqual({ trusted: true });
    const parsed = parseJson(each.body);
    if (!parsed.ok) throw new Error('a body is not JSON');
    const normalized = shopify.normalize(shopify.envelope(each.headers), parsed.value);
    if (normalized.kind !== 'order') throw new Error(`a body is ${normalized.kind}`);
    return normalized.news;
  });

  expect(new Set(news.map(({ orderId }) => orderId)).size).toBe(requests.length);
  const sales = news.map(({ snapshot }) => JSON.stringify({ lines: snapshot?.lines, total: snapshot?.total }));
  expect(new Set(sales).size).toBe(1);
});

function delivery(request: Buffer): { headers: Map<string, string>; body: Buffer } {
  const end = request.indexOf('\r\n\r\n');
  const lines = request.toString('latin1', 0, end).split('\r\n').slice(1);
  const headers = lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
  return { headers: new Map(headers), body: request.subarray(end + 4) };
}
