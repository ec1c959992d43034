import { expect, test } from 'vitest';
import type { StoreMeans } from '../../../../../../src/bridge/storefronts/contract.ts';
import { inspectHomepage } from '../../../../../../src/bridge/storefronts/shopify/onboarding/onboarding.ts';
import { NoStoreAnswer } from '../../../../../../src/bridge/storefronts/store-failure.ts';

const asked: string[] = [];
function answering(status: number | Error): StoreMeans {
  asked.length = 0;
  return {
    now: 0,
    fetchJson: async ({ url, method }) => {
      asked.push(`${method} ${url}`);
      if (status instanceof Error) throw status;
      return { status, body: null };
    },
  };
}

test.each([200, 301, 302, 401, 403, 429])('a shop that answers %i to a visitor is there', async (status) => {
  expect(await inspectHomepage('Corner.myshopify.com/admin', answering(status))).toEqual({
    ...{ ok: true, url: 'https://corner.myshopify.com', home: 'https://corner.myshopify.com', name: null },
    ...{ permalinks: 'pretty', canHandOver: false, notes: [] },
  });
  expect(asked).toEqual(['HEAD https://corner.myshopify.com/']);
});

test.each([
  { status: 402, problem: { code: 'shop.frozen' } },
  { status: 404, problem: { code: 'site.other' } },
  { status: 423, problem: { code: 'shop.locked' } },
  { status: 503, problem: { code: 'broken', data: { status: '503' } } },
  { status: new NoStoreAnswer('slow', 'no answer'), problem: { code: 'slow' } },
  { status: new NoStoreAnswer('unknown-host', 'no answer'), problem: { code: 'address.unknown' } },
])('$status is said as $problem', async ({ status, problem }) => {
  expect(await inspectHomepage('corner', answering(status))).toEqual({ ok: false, problem });
});

test('what is no shop is not called; a defect is thrown', async () => {
  expect(await inspectHomepage('corner.example', answering(200))).toEqual({
    ok: false,
    problem: { code: 'address.other', data: { to: 'NAME.myshopify.com' } },
  });
  expect(asked).toEqual([]);
  await expect(inspectHomepage('corner', answering(new TypeError('a defect')))).rejects.toThrow('a defect');
});
