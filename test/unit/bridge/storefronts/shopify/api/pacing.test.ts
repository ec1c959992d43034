import { expect, onTestFinished, test, vi } from 'vitest';
import type { StoreCalls } from '../../../../../../src/bridge/delivery/store-calls.ts';
import type { Failure } from '../../../../../../src/bridge/order/facts/failure.ts';
import { openReadableStore } from '../../../../../../src/bridge/reconciliation/open-readable-store.ts';
import type { StoreApi, StoreMeans } from '../../../../../../src/bridge/storefronts/contract.ts';
import { checkAccess, identify, letsIn, storeName } from '../../../../../../src/bridge/storefronts/shopify/api/api.ts';
import { LeftToOthers, remember, waitForHalf } from '../../../../../../src/bridge/storefronts/shopify/api/pace.ts';
import { changedSince, complete, ordersById } from '../../../../../../src/bridge/storefronts/shopify/api/read-orders.ts';
import { appGrant } from '../../../../../../src/bridge/storefronts/shopify/app-grant.ts';
import { verifyCredentials } from '../../../../../../src/bridge/storefronts/shopify/onboarding/onboarding.ts';
import { NotCalled } from '../../../../../../src/bridge/storefronts/store-failure.ts';
import { sampleConnection } from '../../../../../support/samples/sample-claim.ts';
import { ShopifyAdmin } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';
import { fetchJson } from '../../../../../support/servers/store-api.ts';

const means = (more: Partial<StoreMeans> = {}): StoreMeans => ({ fetchJson, now: Date.now(), ...more });
const first = { since: '2026-01-01T00:00:00Z', after: null, size: 250 };
const access = { url: 'https://corner.myshopify.com', accessToken: 'shpat_secret' };

function answering(...answers: { status: number; body: unknown }[]): StoreMeans['fetchJson'] {
  return async () => answers.shift() ?? { status: 500, body: null };
}

test('half of the points are left to others, by what queries really cost: a sync run waits until there are as many again', async () => {
  await using shop = await ShopifyAdmin.start({ bucket: { maximumAvailable: 1000, currentlyAvailable: 520, restoreRate: 4000 } });
  for (let count = 0; count < 40; count += 1) shop.buy();
  const at = { ...first, size: 35 };
  await changedSince(shop.access, at, means());
  const left = shop.state.bucket.currentlyAvailable;
  await changedSince(shop.access, at, means());

  const spent = 520 - left;
  expect(spent).toBeLessThan(490);
  expect(left).toBeLessThan(500);
  expect(shop.state.bucket.currentlyAvailable).toBeGreaterThan(480);
});

test.each<[string, (shop: ShopifyAdmin) => Promise<unknown>, restoreRate?: number]>([
  ['whose shop it is', ({ access: of }) => identify(of, means())],
  ['by which name', ({ access: of }) => storeName(of, means())],
  ['whether keys work', ({ access: of }) => checkAccess(of, means())],
  ['whether the app is let in', ({ access: of }) => letsIn(of, means())],
  ['who the merchant is, and one order with its buyer', ({ access: of }) => verifyCredentials(of, means())],
  ['who approved', ({ access: of }) => appGrant.whoIs(of, means())],
  ['what a webhook left out', ({ access: of }) => complete(of, { orderId: '1', deleted: true, refundIds: [] }, means()), 2_000],
])('so does a single call: %s', async (_what, call, restoreRate = 200) => {
  await using shop = await ShopifyAdmin.start({ bucket: { maximumAvailable: 1000, currentlyAvailable: 503, restoreRate } });
  shop.buy();
  let least = 1000;
  for (let count = 0; count < 6; count += 1) {
    await call(shop);
    if (count > 1) least = Math.min(least, shop.state.bucket.currentlyAvailable);
  }

  // What a query costs is known after its first answer.
  expect(least).toBeGreaterThanOrEqual(499);
});

test('nobody waits long for the app’s own half: that it is used up is told, and is not said to be the shop’s', async () => {
  await using shop = await ShopifyAdmin.start({ bucket: { maximumAvailable: 1000, currentlyAvailable: 400, restoreRate: 1 } });
  await identify(shop.access, means());
  const before = shop.asked.length;
  const began = performance.now();

  await expect(identify(shop.access, means())).rejects.toThrow(/storefront.unreachable: the app has used half of the calls that the shop allows/);
  await expect(letsIn(shop.access, means())).rejects.toBeInstanceOf(NotCalled);
  expect(await checkAccess(shop.access, means())).toEqual([expect.stringContaining('it is called again later')]);
  expect(await verifyCredentials(shop.access, means())).toEqual({ ok: false, problem: { code: 'throttled' } });
  expect(await appGrant.whoIs(shop.access, means())).toEqual({ ok: false, problem: { code: 'throttled' } });
  expect(shop.asked).toHaveLength(before);
  // Five calls that a person waits for would take five seconds each.
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('a query that costs too much at a shop whose points are not known is sent for fewer orders', async () => {
  const tooDear = { status: 200, body: { errors: [{ extensions: { code: 'MAX_COST_EXCEEDED' } }] } };
  const sizes: unknown[] = [];
  const fetch: StoreMeans['fetchJson'] = async ({ body }) => {
    sizes.push((body as { variables: { first: number } }).variables.first);
    return sizes.length === 1 ? tooDear : { status: 503, body: null };
  };

  await expect(changedSince({ ...access, url: 'https://unknown.myshopify.com' }, { ...first, size: 10 }, means({ fetchJson: fetch }))).rejects.toThrow(/503/);
  expect(sizes).toEqual([expect.any(Number), expect.any(Number)]);
  expect(Number(sizes[1])).toBeLessThan(Number(sizes[0]));
});

test('a defect is no answer of the shop', async () => {
  const defect = means({ fetchJson: () => Promise.reject(new TypeError('a defect')) });
  await expect(appGrant.whoIs(access, defect)).rejects.toThrow('a defect');
});

test('throttled within a 200, the call waits for its points; a signal ends the wait', async () => {
  const cost = { requestedQueryCost: 100, throttleStatus: { maximumAvailable: 150, currentlyAvailable: 0, restoreRate: 500 } };
  const throttled = { status: 200, body: { errors: [{ extensions: { code: 'THROTTLED' } }], extensions: { cost } } };
  const page = {
    status: 200,
    body: { data: { shop: { id: 'gid://shopify/Shop/7', myshopifyDomain: 'a.myshopify.com' }, currentAppInstallation: { accessScopes: [] } } },
  };
  const slow = { ...access, url: 'https://slow.myshopify.com' };
  const began = performance.now();

  expect(await identify(slow, means({ fetchJson: answering(throttled, page) }))).toBe('7');
  expect(performance.now() - began).toBeGreaterThan(150);
  const ending = new AbortController();
  const fetchThrottled: StoreMeans['fetchJson'] = async () => {
    setImmediate(() => ending.abort());
    return throttled;
  };
  // No points are given back meanwhile.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const cutOff = { ...access, url: 'https://ending.myshopify.com' };
  const { signal } = ending;
  await expect(identify(cutOff, means({ fetchJson: fetchThrottled, signal }))).rejects.toThrow(/throttles this app/);
  await expect(identify(cutOff, means({ fetchJson: answering(page), signal }))).rejects.toBeInstanceOf(LeftToOthers);
  vi.useRealTimers();
  await expect(identify(slow, means({ fetchJson: answering({ ...throttled, body: { errors: throttled.body.errors } }, page) }))).resolves.toBe('7');
});

test('a shop that throttles every attempt is called again later', async () => {
  const cost = { requestedQueryCost: 1, throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 1_000_000 } };
  const throttled = { status: 200, body: { errors: [{ extensions: { code: 'THROTTLED' } }], extensions: { cost } } };
  let called = 0;
  const full: StoreMeans['fetchJson'] = async () => {
    called += 1;
    return throttled;
  };

  await expect(identify({ ...access, url: 'https://full.myshopify.com' }, means({ fetchJson: full }))).rejects.toThrow(/throttles this app/);
  expect(called).toBe(6);
});

test.each([
  ['THROTTLED', { status: 429, wasTooMuch: false }],
  ['INTERNAL_SERVER_ERROR', { status: 200, wasTooMuch: true }],
])('an answer of 200 that says %s is too much for the shop only if fewer orders at once may work', async (code, why) => {
  const throttleStatus = { maximumAvailable: 1000, currentlyAvailable: 0, restoreRate: 1 };
  const body = { errors: [{ extensions: { code } }], extensions: { cost: { requestedQueryCost: 100, throttleStatus } } };
  const call: StoreCalls['call'] = async (_store, read, signal) => {
    try {
      return { kind: 'read', value: await read(answering({ status: 200, body }), signal) };
    } catch (thrown) {
      return { kind: 'failed', failure: thrown as Failure, pause: null };
    }
  };
  const keys = { tokens: () => undefined as never, apps: { find: async () => null } };
  const opening = {
    connection: sampleConnection(),
    access: { ...access, url: `https://${code}.myshopify.com` },
    name: null,
    signal: new AbortController().signal,
  };
  const store = await openReadableStore(
    { ...keys, stores: { call, paused: async () => null }, now: Date.now },
    { ...opening, api: { changedSince, ordersById } as StoreApi },
  );

  await expect(store.ordersById([{ orderId: '1', placedAt: null }])).rejects.toMatchObject({ kind: 'failed', ...why });
});

test('a clock that was set back makes no query wait longer than it takes to restore the points', async () => {
  const shop = 'https://set-back.myshopify.com';
  remember(shop, { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 100 });
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
  onTestFinished(() => void vi.restoreAllMocks());

  expect(waitForHalf(shop, { requested: 900, actual: 300 })).toBe(13_000);
});
