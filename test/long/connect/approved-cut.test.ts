import { expect, test } from 'vitest';
import { z } from 'zod';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { type AppWorld, approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { connectionsOf, installsAgain, uninstalledFor } from '../../support/connect/recording-merchant.ts';
import { inviteMerchant, type Merchant } from '../../support/connect/store-merchant.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

// The database ends the connection of anyone who stores tokens, in the middle of their work.
const CUTS = `create function cut() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
  create trigger cut before insert or update on store_tokens for each row when (new.token is not null) execute function cut()`;
const WORKS_AGAIN = 'drop trigger cut on store_tokens; drop function cut()';

async function whileCut<T>({ it }: AppWorld, work: () => Promise<T>): Promise<T> {
  await it.bridge.pool.query(CUTS);
  try {
    return await work();
  } finally {
    await it.bridge.pool.query(WORKS_AGAIN);
  }
}

const tokenRows = rowsOf('store_tokens', z.object({ id: z.string() }));

/** The live connections, and whether each has tokens. */
async function kept(at: AppWorld) {
  const held = await readRows(at.it.bridge.pool, tokenRows, { text: 'select connection_id as id from store_tokens where token is not null' });
  const live = (await connectionsOf(at)).filter(({ closedAt }) => closedAt === null);
  return live.map(({ id, app }) => ({ app, hasTokens: held.some((one) => one.id === id) }));
}

async function approved(at: AppWorld): Promise<Merchant> {
  const merchant = await inviteMerchant(at.it);
  await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  await merchant.chooseCompany();
  return merchant;
}

/** The store is called with what is kept. */
async function isRead({ shop, atShopify }: AppWorld, merchant: Merchant): Promise<boolean> {
  shop.grants.expire(atShopify.clientId);
  return (await merchant.get('/mapping')).text.includes('of your last 60 days');
}

test('a connection by an app and its tokens are stored together: cut short, there is none, and the same press makes it', async () => {
  await using at = await openAppWorld(world);
  const merchant = await approved(at);
  at.shop.buy().pay();

  const cut = await whileCut(at, () => merchant.post('/webhooks', { act: 'make' }));
  expect([cut.status, await kept(at)]).toEqual([500, []]);

  expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
  expect(await kept(at)).toEqual([{ app: 'corner', hasTokens: true }]);
  expect(await isRead(at, merchant)).toBe(true);
});

test('a store that comes back is opened again with its tokens: cut short, it stays closed, and an approval more opens it', async () => {
  await using at = await openAppWorld(world);
  const merchant = await approved(at);
  at.shop.buy().pay();
  await merchant.post('/webhooks', { act: 'make' });
  const [connection] = await connectionsOf(at);
  await uninstalledFor(at, { id: connection?.id ?? '' }, 1);

  await expect(whileCut(at, () => installsAgain(at))).rejects.toThrow('it leads nowhere');
  expect(await kept(at)).toEqual([]);

  await installsAgain(at);
  expect([await kept(at), (await connectionsOf(at)).map(({ id }) => id)]).toEqual([[{ app: 'corner', hasTokens: true }], [connection?.id]]);
  expect(await isRead(at, merchant)).toBe(true);
});

test('a store that was connected by a token of its own keeps that, unless the tokens of the app are stored with its new access', async () => {
  await using at = await openAppWorld(world);
  const { shop } = at;
  const merchant = await inviteMerchant(at.it);
  await merchant.post('/store', { kind: 'address', platform: 'shopify', address: 'corner' });
  await merchant.post('/store/keys', { way: 'old-app', accessToken: shop.state.token, clientSecret: shop.state.clientSecret });
  await merchant.chooseCompany();
  await merchant.post('/webhooks', { act: 'make' });
  shop.buy().pay();

  await expect(whileCut(at, () => installsAgain(at))).rejects.toThrow('it leads nowhere');
  expect(await kept(at)).toEqual([{ app: null, hasTokens: false }]);
  const granted = async () => (await readBridgeActs(at.it.bridge.pool)).filter(({ act }) => act === 'store.granted').length;
  expect(await granted()).toBe(0);
  expect((await merchant.get('/mapping')).text).toContain('of your last 60 days');

  await installsAgain(at);
  expect([await kept(at), await granted()]).toEqual([[{ app: 'corner', hasTokens: true }], 1]);
  expect(await isRead(at, merchant)).toBe(true);
});
