import { expect, test } from 'vitest';
import { storeMeans } from '../../../../src/bridge/store-api/store-means.ts';
import { noKeys } from '../../../support/attempts/stores-at-hand.ts';
import { sampleApp } from '../../../support/samples/sample-app.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const url = 'https://corner.myshopify.com';
const given = { fetchJson: () => Promise.reject(new Error('nothing is fetched here')), now: NOW };
const means = (access: { url: string; [name: string]: string } | null, find = noKeys.apps.find) =>
  storeMeans({ id: 'c1', access, secrets: [{ secret: 'of webhooks', until: null }] }, { ...given, tokens: noKeys.tokens, apps: { find } });

test('a store is called by the app that its merchant approved, with the newest secret that is live', async () => {
  const secrets = [
    { secret: 'ended', until: '2026-11-23T11:59:59Z' },
    { secret: 'newest', until: null },
    { secret: 'older', until: '2026-11-24T12:00:00Z' },
  ];
  const asked: string[] = [];
  const { app, secret } = await means({ url, app: 'corner' }, async (id) => {
    asked.push(id);
    return sampleApp({ clientId: 'client-id', secrets });
  });

  expect({ app, secret, asked }).toEqual({ app: { clientId: 'client-id', clientSecret: 'newest' }, secret: 'of webhooks', asked: ['corner'] });
});

test('an app that is gone, or has no live secret, is none; where no app is named, none is looked up', async () => {
  expect((await means({ url, app: 'corner' }, async () => null)).app).toBeUndefined();
  expect((await means({ url, app: 'corner' }, async () => sampleApp({ secrets: [] }))).app).toBeUndefined();
  expect((await means({ url, accessToken: 'shpat_static' })).app).toBeUndefined();
  expect((await means(null)).app).toBeUndefined();
});
