import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { appWide } from '../../../../../src/bridge/storefronts/shopify/app-grant.ts';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { sampleApp } from '../../../../support/samples/sample-app.ts';

const addresses = {
  install: 'https://bridge.example/shopify/install',
  callback: 'https://bridge.example/shopify/callback',
  webhooks: 'https://bridge.example/webhooks/shopify/app/corner',
};
const uri = addresses.webhooks;
const life = { topics: ['app/uninstalled', 'app/scopes_update'], uri };
const privacy = { compliance_topics: ['customers/data_request', 'customers/redact', 'shop/redact'], uri };
const orders = { topics: ['orders/paid', 'orders/updated', 'orders/cancelled', 'orders/delete', 'refunds/create', 'order_transactions/create'], uri };

test('the configuration is that of a standalone app, with every address, and without the secret', () => {
  const text = appWide.configuration(sampleApp({ scopes: ['read_orders', 'read_all_orders'] }), addresses);

  expect(parse(text)).toEqual({
    name: 'corner',
    client_id: 'client-of-corner',
    application_url: addresses.install,
    embedded: false,
    access_scopes: { scopes: 'read_orders,read_all_orders', use_legacy_install_flow: false },
    auth: { redirect_urls: [addresses.callback] },
    webhooks: { api_version: '2026-10', subscriptions: [life, privacy] },
  });
  expect(text).not.toContain('shpss');
});

test('a public app subscribes to orders in its configuration, other apps by the API', () => {
  const subscriptions = (kind: 'custom' | 'public' | 'own') => parse(appWide.configuration(sampleApp({ kind }), addresses))['webhooks'];

  expect(subscriptions('public')).toMatchObject({ subscriptions: [life, orders, privacy] });
  expect(subscriptions('custom')).toMatchObject({ subscriptions: [life, privacy] });
  expect(subscriptions('own')).toMatchObject({ subscriptions: [life, privacy] });
});

test('with all of its subscriptions a public app has every topic that is read here', () => {
  const { webhooks } = parse(appWide.configuration(sampleApp({ kind: 'public' }), addresses));
  const { subscriptions } = webhooks as unknown as { subscriptions: { topics?: string[]; compliance_topics?: string[] }[] };

  expect(subscriptions.flatMap(({ topics = [], compliance_topics = [] }) => [...topics, ...compliance_topics]).sort()).toEqual([...shopify.topics].sort());
});

test.each(['custom', 'public', 'own'] as const)('what a %s app is configured for is what its file says', (kind) => {
  const { webhooks } = parse(appWide.configuration(sampleApp({ kind }), addresses));
  const { subscriptions } = webhooks as unknown as { subscriptions: { topics?: string[]; compliance_topics?: string[] }[] };

  expect(appWide.configured(kind)).toEqual(subscriptions.flatMap(({ topics = [], compliance_topics = [] }) => [...topics, ...compliance_topics]));
});

test('values that need it are escaped', () => {
  const hostile = 'a"\\\n[webhooks]\nx = "\u0007й';
  const text = appWide.configuration(sampleApp({ clientId: hostile }), { ...addresses, webhooks: hostile });

  expect(parse(text)).toMatchObject({ client_id: hostile, webhooks: { api_version: '2026-10', subscriptions: [{ uri: hostile }, { uri: hostile }] } });
});

test.each([
  ['client-of_1', ['read_orders'], null],
  ['c1', ['write_orders', 'read_all_orders'], null],
  ['with space', ['read_orders'], 'no client id'],
  ['', ['read_orders'], 'no client id'],
  ['c1', ['read_orders', 'read orders'], 'read orders is no scope'],
  ['c1', ['read_orders', 'Read'], 'Read is no scope'],
  ['c1', ['read_products'], 'read_orders'],
  ['c1', [], 'read_orders'],
])('an app of the client id %j with the scopes %j: %s', (clientId, scopes, problem) => {
  const said = appWide.appProblem({ clientId, scopes });

  if (problem === null) expect(said).toBeNull();
  else expect(said).toContain(problem);
});

test('an app asks for orders alone, unless somebody says otherwise', () => {
  expect(appWide.appProblem({ clientId: 'c1', scopes: appWide.scopes })).toBeNull();
  expect(appWide.scopes).toEqual(['read_orders']);
});
