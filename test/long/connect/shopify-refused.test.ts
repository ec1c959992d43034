import { expect, test } from 'vitest';
import { firstStatusLink } from '../../../src/operations/onboarding/invitations.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { type AppWorld, approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { inviteMerchant, type Merchant } from '../../support/connect/store-merchant.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

/** A merchant whose store is connected by the app, with its webhooks. */
async function connected(at: AppWorld): Promise<Merchant> {
  const merchant = await inviteMerchant(at.it);
  await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  await merchant.chooseCompany();
  await merchant.post('/webhooks', { act: 'make' });
  return merchant;
}

test.each([
  { what: 'an app that it does not know', refusal: { status: 400, body: { error: 'invalid_client' } }, title: 'The app is not set up right on our side' },
  { what: 'a bill', refusal: { status: 402, body: {} }, title: 'The store is frozen' },
])('a store that refuses for $what: their pages say who can mend it, and name no command', async ({ refusal, title }) => {
  await using at = await openAppWorld(world);
  const merchant = await connected(at);
  at.shop.grants.expire(at.atShopify.clientId);
  at.shop.state.intercept = ({ path }) => (path.endsWith('access_token') ? refusal : undefined);

  const made = await merchant.post('/webhooks', { act: 'make' });
  const mapping = await merchant.get('/mapping?inspect=again');

  expect(made.text).toContain(title);
  expect(mapping.text).toMatch(/e couldn’t read (your|its) orders/);
  expect(mapping.text).toMatch(/not set up right on our side|is frozen until its bill is paid/);
  for (const { text } of [made, mapping]) expect(text).not.toMatch(/Dev Dashboard|orderbridge |a new key is needed/);
});

test('a link to their page that ends is none to keep: they get that once, all the same', async () => {
  await using at = await openAppWorld(world);
  const { pool } = at.it.bridge;
  const { id } = await inviteMerchant(at.it);
  await newOnboardingLink({ pool }, { id }, { scope: { kind: 'status' }, days: 14 });

  expect(await firstStatusLink({ pool }, { id })).toEqual(expect.any(String));
  expect(await firstStatusLink({ pool }, { id })).toBeNull();
});
