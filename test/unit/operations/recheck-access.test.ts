import { expect, test } from 'vitest';
import type { Connection } from '../../../src/bridge/connections/connection.ts';
import type { FetchJson } from '../../../src/bridge/storefronts/contract.ts';
import { recheckAccess } from '../../../src/operations/connections/verify-credentials.ts';
import { sampleConnection } from '../../support/samples/sample-claim.ts';

const store = (id: string): Connection => ({
  ...sampleConnection(),
  ...{ id, platform: 'woocommerce', access: { url: `https://${id}.example`, consumerKey: 'ck', consumerSecret: 'cs' }, warnings: {} },
});

test('a store that is down is told, and not kept; one that refuses is kept; one that can’t be tried hides no other', async () => {
  const kept: string[] = [];
  const connections = {
    list: async () => ['broken', 'down', 'refuses', 'works'].map(store),
    warn: async (id: string) => void kept.push(id),
    endWarning: async () => true,
  };
  const fetchJson: FetchJson = async ({ url }) => {
    const name = new URL(url).host.split('.')[0];
    if (name === 'broken') throw new TypeError('a defect');
    const status = { down: 503, refuses: 401 }[name ?? ''] ?? 200;
    return { status, body: status === 200 ? [] : { code: 'woocommerce_rest_cannot_view', message: 'No.' } };
  };

  const found = await recheckAccess({ connections, fetchJson });

  expect(Object.fromEntries(found)).toEqual({
    broken: 'it could not be tried (a defect)',
    down: expect.stringContaining('503'),
    refuses: expect.stringContaining('401'),
    works: '',
  });
  expect(kept).toEqual(['refuses']);
});
