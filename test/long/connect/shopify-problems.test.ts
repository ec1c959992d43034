import { expect, test } from 'vitest';
import { approves, goesToApprove } from '../../support/connect/app-merchant.ts';
import {
  approved,
  begins,
  connectedMerchant,
  connectionsOf,
  exchanges,
  isRenewable,
  openAttempts,
  seen,
  waysOf,
} from '../../support/connect/grant-attempts.ts';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { denials, type Instead } from '../../support/servers/shopify-admin/serve-shop.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const REFUSED = [422, 'The store did not let the app in'];
const UNUSABLE = [422, 'We could not use corner.myshopify.com'];

test('a merchant who grants less than is needed is told what is missing; what is only useful is a note', async () => {
  const scopes = ['read_orders', 'read_all_orders', 'read_customers'];
  await using at = await openAttempts(world, { known: { scopes }, shop: { grantsOnly: ['read_customers'] } });
  const merchant = await inviteMerchant(at.it);
  const none = await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  expect(seen(none)).toEqual(UNUSABLE);
  expect(none.text).toContain('read_orders');
  expect(none.text).toContain(`href="${merchant.base}/store/found"`);
  expect(await merchant.now()).toMatchObject({ done: [], sealed: null });

  at.shop.state.grantsOnly = ['read_orders', 'read_customers'];
  expect(seen(await merchant.browser.get(await approves(at, await goesToApprove(merchant, at))))).toEqual([303, `${merchant.base}/company`]);
  expect((await merchant.now()).progress).toMatchObject({ store: { notes: [{ code: 'scopes.fewer', data: { to: 'read_all_orders' } }] } });
  expect((await merchant.get('/store/found')).text).toContain('The store granted the app less than was asked: read_all_orders is missing.');
});

test('a merchant who does not approve is told that nothing was changed, and can approve later', async () => {
  await using at = await openAttempts(world, { shop: { cancelLeadsTo: 'callback' } });
  const merchant = await inviteMerchant(at.it);
  const refused = await merchant.browser.get(await approves(at, await goesToApprove(merchant, at), 'cancel'));
  expect(seen(refused)).toEqual([303, `${merchant.base}/store/back?success=0`]);
  expect((await merchant.browser.get(refused.location ?? '')).status).toBe(200);
  const { browser, asked } = await begins(at);
  expect(seen(await browser.get(await approves(at, asked, 'cancel')))).toEqual([200, 'You did not approve the app']);
  expect([exchanges(at.shop), (await merchant.now()).done]).toEqual([0, []]);
  expect(seen(await browser.get(await approves(at, asked)))).toEqual([303, expect.stringMatching(/^\/connect\/[\w-]{43}$/)]);
});

test('a store that says that it is another one than was asked is not connected under a name that is not its own', async () => {
  await using at = await openAttempts(world);
  const { browser, back } = await approved(at);
  at.shop.state.domain = 'renamed.myshopify.com';
  const answer = await browser.get(back);

  expect(seen(answer)).toEqual(UNUSABLE);
  expect(answer.text).toContain('https://renamed.myshopify.com');
  expect(await waysOf(at)).toEqual([]);
});

/** Where the button of a page leads. */
const verbIn = (text: string) => /class="verb" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

const isDenied: [string, Instead, string][] = [
  ['402', denials.frozen, 'The store is frozen.'],
  ['403', denials.forbidden, 'Add the scope read_orders'],
  ['423', denials.locked, 'The store is locked'],
  ['430', denials.security, 'The store asks us to slow down.'],
  ['429', denials.throttled, 'The store asks us to slow down.'],
  ['500', denials.broken, 'It answered 500.'],
  ['with a cut connection', 'lost', 'The store broke off its answer.'],
];

test.each(isDenied)('a store that answers %s when it is asked who it is has its words, and is connected when that is over', async (_what, instead, words) => {
  await using at = await openAttempts(world);
  const { browser, back } = await approved(at);
  at.shop.state.intercept = ({ path }) => (path.endsWith('graphql.json') ? instead : undefined);
  const answer = await browser.get(back);
  expect([...seen(answer), answer.text.includes(words)]).toEqual([...UNUSABLE, true]);
  expect(await waysOf(at)).toEqual([]);

  at.shop.state.intercept = () => undefined;
  const again = verbIn(answer.text);
  expect(again).toMatch(/^\/shopify\/install\?/);
  const { asked } = await begins(at, browser, again);
  expect(seen(await browser.get(await approves(at, asked)))).toEqual([303, expect.stringMatching(/^\/connect\/[\w-]{43}$/)]);
});

test.each([
  ['frozen', UNUSABLE],
  ['locked', UNUSABLE],
  ['throttled', REFUSED],
  ['broken', REFUSED],
] as const)('a store that is %s when the code is exchanged has its words, and the merchant begins again', async (denial, title) => {
  await using at = await openAttempts(world);
  const { browser, back } = await approved(at);
  at.shop.state.intercept = ({ path }) => (path.endsWith('access_token') ? denials[denial] : undefined);
  expect(seen(await browser.get(back))).toEqual(title);
  at.shop.state.intercept = () => undefined;
  expect(seen(await browser.get(await approves(at, (await begins(at, browser)).asked)))).toEqual([303, expect.stringMatching(/^\/connect\//)]);
});

test('an exchange whose answer was lost, of a store that is connected, is mended by the button of its page', async () => {
  await using at = await openAttempts(world);
  const merchant = await connectedMerchant(at);
  at.shop.buy().pay();
  const { browser, back } = await approved(at);
  at.shop.state.intercept = ({ path }) => (path.endsWith('access_token') ? 'lost' : undefined);
  const answer = await browser.get(back);
  expect([...seen(answer), answer.text.includes('It did not answer as it should. Nothing was changed. Wait a minute, and begin again.')]).toEqual([
    ...REFUSED,
    true,
  ]);
  at.shop.state.intercept = () => undefined;
  const [connection] = await connectionsOf(at);
  if (connection === undefined) throw new Error('no store is connected');
  // Shopify has ended what was kept, and we never saw what it gave instead.
  expect(await isRenewable(at, connection)).toBe(false);
  const { asked } = await begins(at, browser, verbIn(answer.text));
  expect((await browser.get(await approves(at, asked))).status).toBe(303);
  expect(await isRenewable(at, connection)).toBe(true);
  at.shop.grants.expire(at.atShopify.clientId);
  expect((await merchant.get('/mapping')).text).toContain('of your last 60 days');
});

test('a public app’s webhooks are in its configuration: none is made by the API, and its merchant goes on', async () => {
  await using at = await openAttempts(world, { known: { kind: 'public' }, app: { kind: 'public' } });
  const { it, shop, app, atShopify } = at;
  atShopify.subscriptions = [{ topics: ['orders/paid', 'orders/updated', 'app/uninstalled'], uri: `${it.bridge.app.url}/webhooks/shopify/app/${app.id}` }];
  const merchant = await connectedMerchant(at);

  expect(shop.webhooks).toEqual([]);
  expect((await merchant.now()).done).toContain('webhooks');
  const page = await merchant.get('/webhooks');
  expect([page.status, page.text.includes(`href="${merchant.base}/mapping"`), page.text.includes('could not be made')]).toEqual([200, true, false]);
  const order = shop.buy().pay();
  expect(new Set(await shop.send())).toEqual(new Set([200]));
  const [connection] = await connectionsOf(at);
  if (connection === undefined) throw new Error('no store is connected');
  await it.bridge.settled({ connection }, order.id, 'ignored');
  const checked = await merchant.post('/webhooks', { act: 'check' });
  expect([checked.status, checked.text.includes('The app brings its notifications with it')]).toEqual([200, true]);
});
