import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endInvitation } from '../../../src/bridge/ledger/invitations/invitation-store.ts';
import { listOnboardings } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { keptStore } from '../../../src/operations/onboarding/kept-store.ts';
import { type AppWorld, approves, goesToApprove } from '../../support/connect/app-merchant.ts';
import { approved, begins, exchanges, newBrowser, openAttempts, SHOP, seen, waysOf } from '../../support/connect/grant-attempts.ts';
import { inviteMerchant, type Merchant } from '../../support/connect/store-merchant.ts';
import type { Answer, EnteringBrowser } from '../../support/console/entering-browser.ts';
import { BY } from '../../support/samples/by.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const [CORNER, OTHER] = [`https://${SHOP}`, 'https://other.myshopify.com'];
const UNUSABLE = [400, 'This approval can’t be used'];

const storeOf = async (merchant: Merchant) => {
  const { progress, done } = await merchant.now();
  const { store } = progress as { store?: { url?: string } };
  return [store?.url, done.includes('store')];
};
/** Tokens are given so late. */
const slowly = ({ shop }: AppWorld, ms: number, what = 'access_token') => {
  shop.state.intercept = async ({ path }) => {
    if (path.endsWith(what)) await sleep(ms);
    return undefined;
  };
};

/** The store says late who it is, to anyone who asks first. */
function slowlyOnce({ shop }: AppWorld): void {
  let asked = 0;
  shop.state.intercept = async ({ path }) => {
    if (path.endsWith('graphql.json') && ++asked === 1) await sleep(500);
    return undefined;
  };
}

test('of two windows of one link in which two stores are chosen, the later choice stays, and an approval of the earlier is not used', async () => {
  await using at = await openAttempts(world);
  await at.shopify.shop('other');
  const merchant = await inviteMerchant(at.it);
  const first = await approves(at, await goesToApprove(merchant, at, 'corner'));
  const second = await approves(at, await goesToApprove(merchant, at, 'other'));

  const early = await merchant.browser.get(first);
  expect(seen(early)).toEqual(UNUSABLE);
  expect(early.text).toContain(`href="${merchant.base}/store/found"`);
  expect([exchanges(at.shop), await storeOf(merchant)]).toEqual([0, [OTHER, false]]);
  expect(seen(await merchant.browser.get(second))).toEqual([303, `${merchant.base}/company`]);
  expect(seen(await newBrowser(at, merchant.browser.cookie).get(first))).toEqual(UNUSABLE);
  expect(await storeOf(merchant)).toEqual([OTHER, true]);
});

test.each(['access_token', 'graphql.json'])('a store chosen in another window while the approval of the first is worked on (%s) stays', async (what) => {
  await using at = await openAttempts(world);
  await at.shopify.shop('other');
  const merchant = await inviteMerchant(at.it);
  const first = await approves(at, await goesToApprove(merchant, at, 'corner'));
  slowly(at, 400, what);
  const pending = merchant.browser.get(first);
  await sleep(200);
  const second = await goesToApprove(merchant, at, 'other');
  const late = await pending;

  expect([late.status, late.location?.startsWith(merchant.base)]).toEqual([303, true]);
  expect((await merchant.browser.get(late.location ?? '')).location).toBe(`${merchant.base}/store`);
  expect(await storeOf(merchant)).toEqual([OTHER, false]);
  expect(seen(await merchant.browser.get(await approves(at, second)))).toEqual([303, `${merchant.base}/company`]);
  expect(await storeOf(merchant)).toEqual([OTHER, true]);
});

test('of two windows that approve the same store at once, both go on, with tokens that are good', async () => {
  await using at = await openAttempts(world);
  slowlyOnce(at);
  const merchant = await inviteMerchant(at.it);
  const backs = [await approves(at, await goesToApprove(merchant, at)), await approves(at, await goesToApprove(merchant, at))];
  const answers = await Promise.all(backs.map((back) => merchant.browser.get(back)));

  for (const answer of answers) expect([answer.status, answer.location?.startsWith(merchant.base)]).toEqual([303, true]);
  expect([exchanges(at.shop), await storeOf(merchant)]).toEqual([2, [CORNER, true]]);
  at.shop.buy().pay();
  await merchant.chooseCompany();
  expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
  at.shop.grants.expire(at.atShopify.clientId);
  expect((await merchant.get('/mapping')).text).toContain('of your last 60 days');
});

/** What a person does who sees this: what leads on is followed, and the button of a problem pressed. */
async function goesOn(at: AppWorld, browser: EnteringBrowser, given: Answer): Promise<Answer> {
  let answer = given;
  for (let n = 0; n < 8; n += 1) {
    const [, verb] = answer.status >= 400 ? (/class="verb" href="([^"]+)"/.exec(answer.text) ?? []) : [];
    const next = answer.location ?? verb?.replaceAll('&amp;', '&');
    if (next === undefined) return answer;
    answer = await browser.get(next.startsWith('https://') ? await approves(at, next) : next);
  }
  throw new Error('they go round in circles');
}

test.each([0, 30, 150])(
  'an answer that is left for that of a second press %d ms later loses nothing: by one button at most they are on their way',
  async (delayMs) => {
    await using at = await openAttempts(world);
    const merchant = await inviteMerchant(at.it);
    const { browser, back } = await approved(at);
    const linked = await approves(at, await goesToApprove(merchant, at));
    slowly(at, 200);
    for (const [who, path] of [
      [browser, back],
      [merchant.browser, linked],
    ] as const) {
      const left = who.get(path);
      await sleep(delayMs);
      const shown = await goesOn(at, who, await who.get(path));
      expect([delayMs, ...seen(shown)]).toEqual([delayMs, 200, 'Your company']);
      await left;
    }
    expect((await waysOf(at)).filter(({ done }) => done.includes('store')).map(({ store }) => store)).toEqual([CORNER, CORNER]);
  },
);

/** Whether Shopify takes what each way keeps of this store. */
async function areGood({ it, shop, atShopify }: AppWorld): Promise<boolean[]> {
  const { pool, sealer } = it.bridge.app.core;
  const known = shop.grants.installations.get(atShopify.clientId)?.refreshTokens;
  const all = (await listOnboardings(pool)).flatMap((one) => keptStore(sealer, one)?.granted?.token.refreshToken ?? []);
  return all.map((token) => known?.get(token)?.isDead === false);
}

test('an install that is pressed many times at once ends in ways that are all good', async () => {
  await using at = await openAttempts(world);
  slowlyOnce(at);
  const browser = newBrowser(at);
  const begun = [await begins(at, browser), await begins(at, browser), await begins(at, browser)];
  const backs: string[] = [];
  for (const { asked } of begun) backs.push(await approves(at, asked));
  const answers = await Promise.all(backs.map((back) => browser.get(back)));

  for (const { location } of answers) expect(location).toMatch(/^\/connect\/[\w-]{43}$/);
  for (const { location } of answers) expect((await browser.get(location ?? '')).location).toBe(`${location}/company`);
  expect(browser.cookie).toBe('');
  const good = await areGood(at);
  expect([good.length > 0, new Set(good)]).toEqual([true, new Set([true])]);
});

test('a merchant who was invited twice, and approved by both links, can go on by either', async () => {
  await using at = await openAttempts(world);
  for (const merchant of [await inviteMerchant(at.it), await inviteMerchant(at.it)]) {
    const back = await approves(at, await goesToApprove(merchant, at));
    expect(seen(await merchant.browser.get(back))).toEqual([303, `${merchant.base}/company`]);
  }
  expect(await areGood(at)).toEqual([true, true]);
});

test('of a link that is revoked while its approval is worked on no keys are kept', async () => {
  await using at = await openAttempts(world);
  const merchant = await inviteMerchant(at.it);
  const back = await approves(at, await goesToApprove(merchant, at));
  at.shop.state.intercept = async ({ path }) => {
    if (path.endsWith('graphql.json')) await endInvitation(at.it.bridge.pool, { id: merchant.id, connectionId: null }, { by: BY });
    return undefined;
  };

  const late = await merchant.browser.get(back);
  expect([late.status, await merchant.now()]).toMatchObject([303, { sealed: null, done: [] }]);
  expect((await merchant.browser.get(late.location ?? '')).status).toBe(404);
});

test('a browser keeps the newest approvals that it began, and no more than it can send', async () => {
  await using at = await openAttempts(world);
  const browser = newBrowser(at);
  const begun: { asked: string; state: string }[] = [];
  for (let n = 0; n < 15; n += 1) begun.push(await begins(at, browser));

  const kept = browser.cookie.split('; ').map((pair) => pair.split('=')[1]);
  expect(kept).toEqual(begun.slice(-8).map(({ state }) => `${state}.`));
  const [oldest, newest] = [begun.at(-9), begun.at(-8)];
  expect(seen(await browser.get(await approves(at, oldest?.asked ?? '')))).toEqual(UNUSABLE);
  expect((await browser.get(await approves(at, newest?.asked ?? ''))).location).toMatch(/^\/connect\//);
});
