import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endInvitation } from '../../../src/bridge/ledger/invitations/invitation-store.ts';
import { removeApp } from '../../../src/operations/apps/apps.ts';
import { hashOf } from '../../../src/platform/token-hash.ts';
import { type AppWorld, approves, goesToApprove } from '../../support/connect/app-merchant.ts';
import { approved, begins, exchanges, INSTALL, newBrowser, openAttempts, SHOP, seen, signedBack, waysOf } from '../../support/connect/grant-attempts.ts';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { BY } from '../../support/samples/by.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const UNUSABLE = [400, 'This approval can’t be used'];
const NEW_WAY = [303, expect.stringMatching(/^\/connect\/[\w-]{43}$/)];

const later = ({ it }: AppWorld, seconds: number) => it.bridge.pool.query(`update grant_requests set expires_at = now() + $1 * interval '1 s'`, [seconds]);

test('a state that nobody was sent with, that is too late, or that was used leads nowhere, and its code is not exchanged', async () => {
  await using at = await openAttempts(world);
  const { browser, back, state } = await approved(at);
  const { cookie } = browser;
  const secret = at.atShopify.secret;

  const foreign = randomBytes(32).toString('base64url');
  const forged = newBrowser(at, `orderbridge-grant-${foreign.slice(0, 8)}=${foreign}.`);
  expect(seen(await forged.get(signedBack(back, { state: foreign }, secret)))).toEqual(UNUSABLE);
  for (const wrong of ['', 'short', '-'.repeat(43), state.slice(0, -1), `${state}A`, state.toUpperCase(), `${state}%00`]) {
    expect([wrong, ...seen(await newBrowser(at, cookie).get(signedBack(back, { state: wrong }, secret)))]).toEqual([wrong, ...UNUSABLE]);
  }
  expect(seen(await newBrowser(at, cookie).get(signedBack(back, { state: null }, secret)))).toEqual(UNUSABLE);
  await later(at, -1);
  expect(seen(await newBrowser(at, cookie).get(back))).toEqual(UNUSABLE);
  expect([exchanges(at.shop), await waysOf(at)]).toEqual([0, []]);

  // None of that used it up.
  await later(at, 60);
  expect(seen(await browser.get(back))).toEqual(NEW_WAY);
  expect(exchanges(at.shop)).toBe(1);
  // Anyone who comes with it again is sent nowhere, with another code, too.
  const another = signedBack(back, { code: at.shop.grants.newCode(at.atShopify.clientId) }, secret);
  for (const again of [back, another]) expect(seen(await newBrowser(at, cookie).get(again))).toEqual(UNUSABLE);
  expect([exchanges(at.shop), (await waysOf(at)).length]).toEqual([1, 1]);
  expect(browser.cookie).toBe('');
});

test('an approval comes back in the browser that was sent, and in no other', async () => {
  await using at = await openAttempts(world);
  const { browser, back, state } = await approved(at);
  const other = await begins(at);

  const name = `orderbridge-grant-${state.slice(0, 8)}`;
  const cookies = [
    '',
    other.browser.cookie,
    `orderbridge-grant-${other.state.slice(0, 8)}=${state}.`,
    `${name}=${other.state}.`,
    `${name}=${state}`,
    `${name}=${state.slice(0, 8)}.`,
    `${name}=.${state}`,
    `${name}=${state}.%20`,
    `${name}=${state}.${randomBytes(32).toString('base64url')}`,
    `x${name}=${state}.`,
    `__Host-${name}=${state}.`,
  ];
  for (const cookie of cookies) {
    const answer = await newBrowser(at, cookie).get(back);
    expect([cookie, answer.status >= 400, answer.location]).toEqual([cookie, true, null]);
  }
  expect([exchanges(at.shop), await waysOf(at)]).toEqual([0, []]);
  expect(seen(await browser.get(back))).toEqual(NEW_WAY);
});

test('an approval that began with a link is of that link’s merchant alone, and ends with the link', async () => {
  await using at = await openAttempts(world);
  const { pool } = at.it.bridge;
  const [merchant, other] = [await inviteMerchant(at.it), await inviteMerchant(at.it)];
  const back = await approves(at, await goesToApprove(merchant, at));
  await goesToApprove(other, at);
  const { cookie } = merchant.browser;

  // The link of another merchant of the same store, or none, in a cookie that is right otherwise.
  for (const token of [other.token, '']) expect(seen(await newBrowser(at, cookie.replace(merchant.token, token)).get(back))).toEqual(UNUSABLE);
  const ends = [
    ['update onboarding_links set revoked_at = now() where onboarding = $1', 'update onboarding_links set revoked_at = null where onboarding = $1'],
    [
      `update onboarding_links set expires_at = now() - interval '1 s' where onboarding = $1`,
      `update onboarding_links set expires_at = now() + interval '1 d' where onboarding = $1`,
    ],
    [`update onboardings set expires_at = now() - interval '1 s' where id = $1`, `update onboardings set expires_at = now() + interval '1 d' where id = $1`],
  ] as const;
  for (const [end, mend] of ends) {
    await pool.query(end, [merchant.id]);
    expect(seen(await newBrowser(at, cookie).get(back))).toEqual([404, 'This link no longer works']);
    await pool.query(mend, [merchant.id]);
  }
  expect(exchanges(at.shop)).toBe(0);
  expect(seen(await newBrowser(at, cookie).get(back))).toEqual([303, `${merchant.base}/company`]);
  expect((await other.now()).done).toEqual([]);

  const late = await approves(at, await goesToApprove(other, at));
  await endInvitation(pool, { id: other.id, connectionId: null }, { by: BY });
  expect(seen(await newBrowser(at, other.browser.cookie).get(late))).toEqual([404, 'This link no longer works']);
  expect(exchanges(at.shop)).toBe(1);
});

test('a callback that comes five times at once exchanges its code once', async () => {
  await using at = await openAttempts(world);
  const { browser, back } = await approved(at);
  const { cookie } = browser;
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => newBrowser(at, cookie).get(back)));

  expect(all.map(({ status }) => status).toSorted()).toEqual([303, 400, 400, 400, 400]);
  expect([exchanges(at.shop), await waysOf(at)]).toEqual([1, [{ done: ['store'], store: `https://${SHOP}` }]]);
});

test('anyone who says without a signature that the merchant did not approve does nothing by it', async () => {
  await using at = await openAttempts(world);
  const merchant = await inviteMerchant(at.it);
  const back = await approves(at, await goesToApprove(merchant, at));
  const { browser, back: unlinked, state } = await approved(at);
  const { cookie } = browser;

  const no = `/shopify/callback?error=access_denied&state=${state}`;
  expect(seen(await browser.get(no))).toEqual([200, 'You did not approve the app']);
  expect(seen(await newBrowser(at).get(no))).toEqual(UNUSABLE);
  expect(browser.cookie).toBe(cookie);
  expect(seen(await browser.get(unlinked))).toEqual(NEW_WAY);

  const linked = `/shopify/callback?error=access_denied&state=${new URL(back, 'http://any').searchParams.get('state')}`;
  expect(seen(await merchant.browser.get(linked))).toEqual([303, `${merchant.base}/store/back?success=0`]);
  expect(seen(await merchant.browser.get(back))).toEqual([303, `${merchant.base}/company`]);
});

test('a code that Shopify does not take is tried once, and one begins anew', async () => {
  await using at = await openAttempts(world);
  const { browser, back } = await approved(at);
  const forged = signedBack(back, { code: 'f'.repeat(32) }, at.atShopify.secret);
  const answer = await browser.get(forged);

  expect(seen(answer)).toEqual([422, 'The store did not let the app in']);
  expect(answer.text).toContain('the approval was used already, or is too old');
  expect(answer.text).not.toContain('f'.repeat(32));
  expect([exchanges(at.shop), await waysOf(at)]).toEqual([1, []]);
  const again = /href="(\/shopify\/install[^"]+)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { asked } = await begins(at, browser, again);
  expect(seen(await browser.get(await approves(at, asked)))).toEqual(NEW_WAY);
});

test('an approval of an app that was removed meanwhile is of no use', async () => {
  await using at = await openAttempts(world);
  const { browser, back } = await approved(at);
  await removeApp(at.it.bridge.app.core, { platform: 'shopify', id: 'corner' }, { by: BY });

  expect(seen(await browser.get(back))).toEqual(UNUSABLE);
  expect(seen(await newBrowser(at).get(INSTALL))).toEqual([404, 'This link leads to no app']);
  expect([exchanges(at.shop), await waysOf(at)]).toEqual([0, []]);
});

test('who dies over an approval of a store keeps the next one waiting, and not for good', async () => {
  await using at = await openAttempts(world);
  const [dead, next] = [await approved(at), await approved(at)];
  const used = (ago: string) => at.it.bridge.pool.query('update grant_requests set used_at = now() - $2::interval where state = $1', [hashOf(dead.state), ago]);
  await used('0 s');

  const answer = next.browser.get(next.back);
  expect(await Promise.race([answer, sleep(1_000, 'it waits')])).toBe('it waits');
  await used('31 s');
  expect(seen(await answer)).toEqual(NEW_WAY);
  expect(seen(await dead.browser.get(dead.back))).toEqual(UNUSABLE);
});
