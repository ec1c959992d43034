import { expect, test } from 'vitest';
import { SCOPES_WARNING, STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { openLink } from '../../../src/operations/onboarding/onboarding.ts';
import { useShopify } from '../../support/connect/at-shopify.ts';
import { mailMerchants } from '../../support/connect/mail-merchants.ts';
import { startedOn } from '../../support/connect/started-merchant.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { startSmtp, type TakenMail } from '../../support/servers/smtp-server.ts';
import type { Bridge } from '../../support/worlds/bridge.ts';
import { grantedShop } from '../../support/worlds/granted-shop.ts';
import { readIn } from '../../support/worlds/read-in.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const shopify = useShopify();

async function sentAt({ app: { core } }: Bridge, smtp: { url: string; taken: TakenMail[] }, minutes: number): Promise<string[]> {
  const before = smtp.taken.length;
  await mailMerchants(core, { smtp, now: new Date(Date.now() + minutes * 60_000) });
  return smtp.taken.slice(before).map(plainTextOf);
}

test.each([
  ['en', 'lost the right to read orders', 'approve the app again'],
  ['bg', 'няма право да чете поръчки', 'одобрявате приложението отново'],
] as const)('a merchant who withdrew the right to read orders is asked once to approve again (%s)', async (lang, what, todo) => {
  await using it = await world({ config: { reconcileSeconds: 3_600 } });
  await using smtp = await startSmtp();
  const { bridge } = it;
  const { connections } = bridge.app.core;
  const of = await grantedShop(bridge, shopify);
  const { id } = of.connected.connection;
  await startedOn(bridge, of.connected, { email: 'maria@shop.example', lang });
  const warned = async () => SCOPES_WARNING in ((await connections.find(id))?.warnings ?? {});
  of.shop.changeScopes(of.there, []);
  expect(await of.shop.send()).toEqual([200]);
  await until(warned, { what: 'the warning' });

  expect(await sentAt(bridge, smtp, 0)).toEqual([]);
  const [text = '', ...others] = await sentAt(bridge, smtp, 11);
  expect(others).toEqual([]);
  expect(text).toContain(what);
  expect(text).toContain(todo);
  const token = /https:\/\/bridge\.example\/connect\/([\w-]+)/.exec(text)?.[1] ?? '';
  expect(await openLink(bridge, token)).toMatchObject({ scope: { kind: 'step', step: 'store' } });
  // Reading the store is refused, too: one link mends both, and one mail has it.
  await connections.warn(id, STORE_API_WARNING, 'refused');
  for (const minutes of [15, 30]) expect(await sentAt(bridge, smtp, minutes)).toEqual([]);
  await connections.endWarning(id, STORE_API_WARNING);

  of.shop.changeScopes(of.there, ['read_orders']);
  await of.shop.send();
  await until(async () => !(await warned()), { what: 'the warning to end' });
  expect(await sentAt(bridge, smtp, 60)).toEqual([]);
});

test('orders that can be read again end it, though no webhook says so', async () => {
  await using it = await world({ config: { reconcileSeconds: 3_600 } });
  const of = await grantedShop(it.bridge, shopify);
  const { connections } = it.bridge.app.core;
  const { id } = of.connected.connection;
  const warnings = async () => Object.keys((await connections.find(id))?.warnings ?? {});
  const read = () => readIn(it.bridge.pool, id, 0);
  of.shop.changeScopes(of.there, []);
  await of.shop.send();
  await until(async () => (await warnings()).includes(SCOPES_WARNING), { what: 'the warning' });
  await read();
  await until(async () => (await warnings()).includes('store-refuses'), { what: 'the reading to be refused' });
  expect((await warnings()).toSorted()).toEqual([SCOPES_WARNING, 'store-refuses']);

  await of.reinstalls();
  await it.bridge.pool.query('delete from bridge.store_calls');
  await read();
  await until(async () => (await warnings()).length === 0, { what: 'the warnings to end' });
});
