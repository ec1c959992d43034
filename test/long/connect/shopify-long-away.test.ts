import { expect, test } from 'vitest';
import { findOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { openLink } from '../../../src/operations/onboarding/onboarding.ts';
import { type AppWorld, approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { confirmedCompany } from '../../support/connect/merchant.ts';
import { connectionsOf, installsAgain, MAILBOX, recordingMerchant, startsRecording, uninstalledFor } from '../../support/connect/recording-merchant.ts';
import { inviteMerchant, type Merchant } from '../../support/connect/store-merchant.ts';
import type { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { totals } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
type AtPages = { browser: EnteringBrowser; base: string };

const HOUR_MS = 3_600_000;

/** A store that recorded one order two days ago, and was uninstalled 25 hours ago. */
async function longAway(at: AppWorld) {
  const before = await recordingMerchant(at);
  await at.it.bridge.app.core.connections.moveRecordFrom(before.connection.id, new Date(Date.now() - 72 * HOUR_MS).toISOString());
  at.shop.state.now = () => Date.now() - 48 * HOUR_MS;
  const sold = at.shop.buy().pay('Bank Deposit');
  at.shop.state.now = Date.now;
  await at.shop.send();
  await at.it.bridge.settled(before, sold.id, 'recorded');
  await uninstalledFor(at, before.connection, 25);
  return { ...before, sold };
}

async function byLink(at: AppWorld, { browser, base }: Merchant, begins: () => Promise<string>): Promise<AtPages> {
  const landed = await browser.get(await approves(at, await begins()));
  if (landed.location === null) throw new Error(`it leads nowhere: ${landed.text}`);
  return { browser, base: landed.location.startsWith(base) ? base : landed.location };
}

const ways = {
  'from Shopify, without a link': (at: AppWorld) => installsAgain(at),
  'by their link of before': (at: AppWorld, merchant: Merchant) =>
    byLink(at, merchant, async () => (await merchant.get('/store/go?app=corner')).location ?? ''),
  'by an invitation anew': async (at: AppWorld) => {
    const merchant = await inviteMerchant(at.it);
    return byLink(at, merchant, () => goesToApprove(merchant, at));
  },
};

async function wayAt({ it }: AppWorld, { base }: AtPages) {
  const opened = await openLink({ pool: it.bridge.pool }, base.slice('/connect/'.length));
  if ('gone' in opened) throw new Error(`the link is ${opened.gone}`);
  return opened.onboarding;
}

test.each(Object.entries(ways))('a store that was away for long comes back %s: with its company, it is the same connection', async (_, come) => {
  await using at = await openAppWorld(world);
  const { merchant, connection, shopId, sold } = await longAway(at);
  const { pool } = at.it.bridge;

  const pages = await come(at, merchant);

  expect(await wayAt(at, pages)).toMatchObject({ shopId: null, connectionId: null, email: null });
  const asked = (await pages.browser.get(`${pages.base}/company`)).text;
  expect(asked).toContain('The same company as before?');
  expect(asked).toContain('What was paid in between');
  expect(asked).not.toContain(MAILBOX);
  const chosen = await pages.browser.post(`${pages.base}/company`, { verb: 'choose', shop: shopId });
  expect([chosen.status, chosen.location]).toEqual([303, pages.base]);
  expect((await pages.browser.get(pages.base)).location).toBe(`${pages.base}/webhooks`);
  const { trial } = await startsRecording(pages);
  expect(trial).toMatch(/This store recorded here until .*are left out/);

  const [after, ...others] = await connectionsOf(at);
  expect([after?.id, after?.closedAt, after?.trialSince, others]).toEqual([connection.id, null, null, []]);
  expect(after?.gaps).toHaveLength(1);
  expect(await wayAt(at, pages)).toMatchObject({ connectionId: connection.id, email: null, mailTo: MAILBOX, shopId });
  expect((await findOnboarding(pool, merchant.id))?.revokedAt).not.toBeNull();
  // A refund of an order from before is known, and done.
  expect(totals(at.it.service, sold.id)).toEqual(['64.90']);
  sold.happens((order) => order.refundPieces(0, 1));
  expect(new Set(await at.shop.send())).toEqual(new Set([200]));
  await until(() => totals(at.it.service, sold.id)[0] === '4.90', { what: 'the refund to be recorded' });
});

test('of another company it is another connection: the one of before stays closed, and keeps its orders and its merchant', async () => {
  await using at = await openAppWorld(world);
  const { merchant, connection, shopId, sold } = await longAway(at);

  const pages = await installsAgain(at);
  await confirmedCompany(at.it.bridge, (await wayAt(at, pages)).id);
  const typed = await pages.browser.post(`${pages.base}/company`, companyTyped());
  expect([typed.status, typed.location === null ? typed.text : '']).toEqual([303, '']);
  // What was sold while the store was that company's is reported already.
  const early = new Date(Date.now() - 72 * HOUR_MS).toISOString().slice(0, 10);
  await expect(startsRecording(pages, `day&day=${early}`)).rejects.toThrow('this store was recorded for another company');
  expect((await pages.browser.get(`${pages.base}/trial`)).text).toContain('this store was recorded for another company. Choose no earlier day');
  await startsRecording(pages);

  const [now, before, ...others] = await connectionsOf(at);
  if (now === undefined) throw new Error('no store is connected');
  expect([now.closedAt, now.shopId === shopId, now.id === connection.id]).toEqual([null, false, false]);
  expect([before?.id, before?.closedAt === null, others]).toEqual([connection.id, false, []]);
  expect(await wayAt(at, pages)).toMatchObject({ connectionId: now.id, email: null });
  expect(await merchant.now()).toMatchObject({ connectionId: connection.id, revokedAt: null });
  sold.happens((order) => order.refundPieces(0, 1));
  expect(new Set(await at.shop.send())).toEqual(new Set([200]));
  await at.it.bridge.settled({ connection: now }, sold.id, 'ignored');
  expect(totals(at.it.service, sold.id)).toEqual(['64.90']);
});

test('the company of before is shown to anyone who let the app in, and to nobody who has a key alone; a mailbox that was invited stays', async () => {
  await using at = await openAppWorld(world);
  const { shopId } = await longAway(at);
  const { state } = at.shop;
  const stranger = await inviteMerchant(at.it);
  await stranger.post('/store', { kind: 'address', platform: 'shopify', address: 'corner' });
  expect((await stranger.get('/company')).text).not.toContain('The same company as before?');
  const keys = await stranger.post('/store/keys', { way: 'old-app', accessToken: state.token, clientSecret: state.clientSecret });
  expect(keys.location).toBe(`${stranger.base}/company`);
  expect((await stranger.get('/company')).text).not.toContain('The same company as before?');
  expect((await stranger.post('/company', { verb: 'choose', shop: shopId })).status).toBe(409);

  const merchant = await inviteMerchant(at.it);
  await saveOnboarding(at.it.bridge.pool, await merchant.now(), { email: 'new@cups.example' });
  await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  expect((await merchant.post('/company', { verb: 'choose', shop: shopId })).status).toBe(303);
  expect(await merchant.now()).toMatchObject({ shopId, email: 'new@cups.example' });

  // Once the shop has another store, nobody can choose it.
  const other = await inviteMerchant(at.it);
  await other.browser.get(await approves(at, await goesToApprove(other, at)));
  expect((await other.get('/company')).text).toContain('The same company as before?');
  await at.it.bridge.connect({ shopId });
  expect((await other.get('/company')).text).not.toContain('The same company as before?');
});

test('who chose by mistake chooses again; where the company of before was mailed they are not shown, and what they typed themselves stays', async () => {
  await using at = await openAppWorld(world);
  const { shopId } = await longAway(at);
  const pages = await installsAgain(at);
  const press = (fields: Record<string, string>) => pages.browser.post(`${pages.base}/company`, fields);

  await press({ verb: 'choose', shop: shopId });
  const chosen = (await pages.browser.get(`${pages.base}/company`)).text;
  expect([chosen.includes('You chose it. If that was a mistake, choose again.'), chosen.includes(MAILBOX)]).toEqual([true, false]);
  expect(await wayAt(at, pages)).toMatchObject({ shopId, mailTo: MAILBOX, done: ['store', 'company'] });
  expect((await press({ verb: 'unchoose' })).location).toBe(`${pages.base}/company`);
  expect(await wayAt(at, pages)).toMatchObject({ shopId: null, destinationId: null, mailTo: null, done: ['store'] });
  expect((await pages.browser.get(`${pages.base}/company`)).text).toContain('The same company as before?');
  await press({ verb: 'mail', mailTo: 'me@cups.example' });
  await press({ verb: 'choose', shop: shopId });
  expect(await wayAt(at, pages)).toMatchObject({ shopId, email: null, mailTo: 'me@cups.example' });

  await startsRecording(pages);
  // Their store is connected to it by now.
  await press({ verb: 'unchoose' });
  expect(await wayAt(at, pages)).toMatchObject({ shopId });
});

test('a shop that one store had before is chosen for no other store', async () => {
  await using at = await openAppWorld(world);
  const { shopId } = await longAway(at);
  await at.shopify.shop('teahouse');
  const merchant = await inviteMerchant(at.it);
  await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  await merchant.post('/company', { verb: 'choose', shop: shopId });
  expect(await merchant.now()).toMatchObject({ shopId, mailTo: MAILBOX });

  // The same store again keeps it, another one does not.
  await goesToApprove(merchant, at);
  expect(await merchant.now()).toMatchObject({ shopId, done: ['company'] });
  await goesToApprove(merchant, at, 'teahouse');
  expect(await merchant.now()).toMatchObject({ shopId: null, destinationId: null, mailTo: null, done: [] });
});
