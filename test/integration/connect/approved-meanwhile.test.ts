import { expect, test } from 'vitest';
import { approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();

test('what a merchant approved is kept, though another window of his changes something while his store is asked', async () => {
  await using at = await openAppWorld(world);
  const { it, shop } = at;
  const merchant = await inviteMerchant(it);
  const back = await approves(at, await goesToApprove(merchant, at));
  const pressed: Promise<unknown>[] = [];
  shop.state.intercept = ({ path }) => {
    if (path.endsWith('access_token')) pressed.push(merchant.post('/language', { lang: 'bg' }));
    return undefined;
  };

  const landed = await merchant.browser.get(back);

  await Promise.all(pressed);
  expect(pressed).toHaveLength(1);
  expect([landed.location, landed.location === null ? landed.text : '']).toEqual([`${merchant.base}/company`, '']);
  expect(await merchant.now()).toMatchObject({ lang: 'bg', done: ['store'], progress: { store: { app: 'corner' } } });
});
