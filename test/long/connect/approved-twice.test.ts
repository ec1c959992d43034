import { expect, test } from 'vitest';
import { removeApp } from '../../../src/operations/apps/apps.ts';
import { type AppWorld, approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { inviteMerchant, type Merchant } from '../../support/connect/store-merchant.ts';
import { BY } from '../../support/samples/by.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

async function approvedMerchant(at: AppWorld): Promise<Merchant> {
  const merchant = await inviteMerchant(at.it);
  await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  await merchant.chooseCompany();
  return merchant;
}

function connectionsOf({ it }: AppWorld) {
  return it.bridge.app.core.connections.findByStore('shopify', 'corner.myshopify.com');
}

test('a store that was approved on two ways is connected by one of them: the other shop is told so', async () => {
  await using at = await openAppWorld(world);
  const [first, second] = [await approvedMerchant(at), await approvedMerchant(at)];
  await second.post('/webhooks', { act: 'make' });

  const refused = await first.post('/webhooks', { act: 'make' });

  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('this store is connected already, by another link')]);
  expect((await connectionsOf(at)).map(({ shopId }) => shopId)).toEqual([(await second.now()).shopId]);
});

test('two who connect one store at once make one connection', async () => {
  await using at = await openAppWorld(world);
  const both = [await approvedMerchant(at), await approvedMerchant(at)];

  const answers = await Promise.all(both.map((merchant) => merchant.post('/webhooks', { act: 'make' })));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect(await connectionsOf(at)).toHaveLength(1);
});

test('by an app that was removed meanwhile nothing is connected', async () => {
  await using at = await openAppWorld(world);
  const { it, app } = at;
  const merchant = await approvedMerchant(at);
  await removeApp(it.bridge.app.core, { platform: 'shopify', id: app.id }, { by: BY });

  const refused = await merchant.post('/webhooks', { act: 'make' });

  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('not kept here any more')]);
  expect(await connectionsOf(at)).toEqual([]);
});
