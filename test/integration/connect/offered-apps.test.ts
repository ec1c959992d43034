import { expect, test } from 'vitest';
import type { StoreApp } from '../../../src/bridge/storefronts/store-app.ts';
import { type AppWorld, openAppWorld } from '../../support/connect/app-merchant.ts';
import { connectedMerchant } from '../../support/connect/grant-attempts.ts';
import { invited } from '../../support/connect/merchant.ts';
import { addApp } from '../../support/worlds/app-shop.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

function another({ it }: AppWorld, values: Partial<StoreApp>): Promise<StoreApp> {
  return addApp(it.bridge, { ...values, clientId: `client-of-${values.id}` });
}

/** The apps that a merchant is asked to approve, once their shop was found. */
async function offered(at: AppWorld, app: string | null): Promise<string[]> {
  const merchant = await invited(at.it.bridge, { app });
  await merchant.post('/store', { kind: 'address', platform: 'shopify', address: 'corner' });
  const { text } = await merchant.get('/store/found');
  const verbs = [...text.matchAll(/\/store\/go\?app=([\w-]+)"/g)].map(([, id = '']) => id);
  // What is not offered leads nowhere.
  for (const { id } of await at.it.bridge.app.core.apps.list()) {
    const { location } = await merchant.get(`/store/go?app=${id}`);
    expect([id, location?.startsWith('https://corner.myshopify.com/admin/oauth/authorize?')]).toEqual([id, verbs.includes(id)]);
  }
  expect(text).toContain('/store/keys"');
  return verbs;
}

test('the only app is offered to everybody; of several that are for one merchant each they see the one that they were invited with', async () => {
  await using at = await openAppWorld(world);
  expect(await offered(at, null)).toEqual(['corner']);
  await another(at, { id: 'bakery', kind: 'custom' });

  expect(await offered(at, null)).toEqual([]);
  expect(await offered(at, 'bakery')).toEqual(['bakery']);
  expect(await offered(at, 'corner')).toEqual(['corner']);

  await another(at, { id: 'listed', kind: 'public' });
  expect(await offered(at, null)).toEqual(['listed']);
  expect(await offered(at, 'bakery')).toEqual(['bakery']);
});

test('an app that was removed since is offered no more, and one that is not known can’t be named', async () => {
  await using at = await openAppWorld(world);
  const { core } = at.it.bridge.app;
  await another(at, { id: 'bakery', kind: 'custom' });
  const merchant = await invited(at.it.bridge, { app: 'bakery' });
  await core.apps.remove('bakery', { by: 'cli:test' });

  await merchant.post('/store', { kind: 'address', platform: 'shopify', address: 'corner' });
  expect((await merchant.get('/store/found')).text).toContain('/store/go?app=corner"');
  await expect(invited(at.it.bridge, { app: 'cornr' })).rejects.toThrow('there is no app cornr; did you mean corner?');
});

test('a connected store is mended by the app that it came by', async () => {
  await using at = await openAppWorld(world);
  const merchant = await connectedMerchant(at);
  await another(at, { id: 'bakery', kind: 'custom' });
  await another(at, { id: 'listed', kind: 'public' });

  const { text } = await merchant.get('/store/found');

  expect([...text.matchAll(/\/store\/go\?app=([\w-]+)"/g)].map(([, id]) => id)).toEqual(['corner']);
});
