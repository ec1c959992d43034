import { expect, test } from 'vitest';
import { STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { statusLink } from '../../../src/operations/onboarding/invitations.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { invited, type Merchant, withLink } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Bridge, orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

async function statusOf(bridge: Bridge, onboarding: { id: string }): Promise<Merchant> {
  return withLink(bridge, { id: onboarding.id, token: await statusLink({ pool: bridge.pool }, onboarding) });
}

const EN = { 'accept-language': 'en' };

test('the page that a merchant keeps is green or red with words, with the last order and the months, and nothing of other stores', async () => {
  await using it = await world({ embeddedService: true });
  const { bridge } = it;
  const { shopId } = await ownShop(it);
  const started = await startedMerchant(bridge, { email: 'maria@shop.example', connect: { name: 'Corner', shopId } });
  const other = await bridge.connect({ name: 'Garden' });
  await bridge.app.core.connections.warn(other.connection.id, STORE_API_WARNING, 'refused');
  const merchant = await statusOf(bridge, started);

  expect((await merchant.get('/status')).text).toContain('Всичко е наред');
  expect((await merchant.get('/status', EN)).text).toContain('No order has come yet.');
  await recorded(it, started.connected, '1');
  const green = (await merchant.get('/status', EN)).text;
  expect(green).toMatch(/class="tag ok">All is well/);
  expect(green).toMatch(/<p>#1, received .*: recorded/);
  expect(green).toMatch(/November 2026/);
  expect(green).not.toContain('Garden');

  await bridge.send(started.connected, 'order.paid', { order: orderOf('2', { payment: { method: 'econt_pay' } }) });
  await bridge.settled(started.connected, '2', 'review');
  await bridge.app.core.connections.warn(started.connected.connection.id, STORE_API_WARNING, 'refused');
  const red = (await merchant.get('/status', EN)).text;
  expect(red).toMatch(/class="tag failing">Something needs checking/);
  expect(red).toContain('Tell us what it is');
  expect(red).not.toContain('to be looked at');
  expect(red).toContain('The payment method “econt_pay” has no mapping');
  expect(red).toContain('refuses its key');
  expect(red).not.toContain('orderbridge ');
});

test('disconnecting says what will no longer be recorded, and asks; ending the link ends it alone', async () => {
  await using it = await world();
  const { bridge } = it;
  const started = await startedMerchant(bridge, { lang: 'en', connect: { name: 'Corner' } });
  const [merchant, second] = [await statusOf(bridge, started), await statusOf(bridge, started)];
  const scope = { kind: 'step', step: 'mapping' } as const;
  const accountant = withLink(bridge, { id: started.id, token: await newOnboardingLink({ pool: bridge.pool }, started, { scope, days: 14 }) });
  expect((await accountant.get('/mapping')).status).not.toBe(404);

  const asked = (await merchant.get('/status/disconnect')).text;
  expect(asked).toContain('New orders of Corner will no longer be recorded');
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}] as Record<string, string>[])
    for (const path of ['/status/disconnect', '/status/unlink']) expect(await merchant.post(path, {}, headers)).toMatchObject({ status: 403 });
  expect(await merchant.post('/status/disconnect')).toMatchObject({ status: 303, location: `/connect/${merchant.token}/status` });
  expect((await merchant.get('/status')).text).toContain('New orders are no longer recorded.');
  expect(await bridge.send(started.connected, 'order.paid', { order: orderOf('1') })).not.toBe(200);
  expect(await merchant.get('/status/disconnect')).toMatchObject({ status: 303 });
  expect(await readBridgeActs(bridge.pool)).toContainEqual(expect.objectContaining({ act: 'store.disconnected', who: `merchant:${started.id}` }));

  expect((await merchant.get('/status/unlink')).text).toContain('If somebody else has this address');
  expect(await merchant.post('/status/unlink')).toMatchObject({ status: 200, text: expect.stringContaining('It no longer works.') });
  for (const one of [merchant, second]) expect(await one.get('/status')).toMatchObject({ status: 404 });
  expect(await accountant.get('/mapping')).toMatchObject({ status: 404 });
});

test('a link to the status opens nothing else; one to the whole way leads there once recording began', async () => {
  await using it = await world();
  const { bridge } = it;
  const started = await startedMerchant(bridge, { connect: { name: 'Corner' } });
  const merchant = await statusOf(bridge, started);
  for (const path of ['', '/store', '/company', '/webhooks', '/mapping', '/trial']) {
    const { status, location } = await merchant.get(path);
    expect([path, status, location]).toEqual([path, ...(path === '' || path === '/company' ? [303, `/connect/${merchant.token}/status`] : [status, location])]);
    expect(status).not.toBe(200);
  }
  const whole = withLink(bridge, { id: started.id, token: await newOnboardingLink({ pool: bridge.pool }, started, { scope: { kind: 'all' }, days: 14 }) });
  expect(await whole.get('')).toMatchObject({ status: 303, location: `/connect/${whole.token}/status` });
  expect((await whole.get('/status', EN)).text).toContain('The link by which you came expires.');
  const kept = (await whole.post('/status/keep')).location ?? '';
  expect(kept).toMatch(/^\/connect\/[\w-]{43}\/status$/);
  expect(kept).not.toContain(whole.token);
  expect(await fetch(`${bridge.app.url}${kept}`, { headers: EN }).then((answer) => answer.text())).toContain('Keep the address of this page');
  const early = await invited(bridge, { lang: 'en' });
  expect((await early.get('/status')).text).toContain('Not recording yet');
  expect((await early.get('/status')).text).toContain(`href="/connect/${early.token}"`);
});
