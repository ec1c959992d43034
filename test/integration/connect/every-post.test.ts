import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { pages } from '../../../src/connect/connect-router.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { type Merchant, withLink } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const forms = pages.filter(({ post }) => post !== undefined).map(({ path }) => path);

let it: World;
let merchant: Merchant;
let lost: Merchant;
beforeAll(async () => {
  it = await world();
  const { bridge } = it;
  const { id } = await startedMerchant(bridge, { startedAt: null });
  merchant = withLink(bridge, { id, token: await newOnboardingLink({ pool: bridge.pool }, { id }, { scope: { kind: 'all' }, days: 14 }) });
  lost = withLink(bridge, { id, token: 'x'.repeat(43) });
});
afterAll(() => it[Symbol.asyncDispose]());

/** What anybody did, and the state of the way. */
async function state(): Promise<unknown> {
  const { pool } = it.bridge;
  return [(await readBridgeActs(pool)).length, await findOnboarding(pool, merchant.id)];
}

describe('a form that another site sends, or somebody without a link, does nothing', () => {
  test.each(forms)('%s', async (path) => {
    const before = await state();

    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      {},
    ])
      expect([path, headers, (await merchant.post(path, { verb: 'save' }, headers as Record<string, string>)).status]).toEqual([path, headers, 403]);
    expect((await lost.post(path)).status).toBe(404);
    expect((await fetch(`${it.bridge.app.url}/connect${path}`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(404);
    expect(await state()).toEqual(before);
  });
});

test('browsers that say "null" for a page without a referrer, and nothing else, may send its forms', async () => {
  const chosen = await merchant.post('/language', { lang: 'en' }, { origin: 'null' });

  expect([chosen.status, chosen.location]).toEqual([303, `/connect/${merchant.token}`]);
  expect((await findOnboarding(it.bridge.pool, merchant.id))?.lang).toBe('en');
  expect((await lost.post('/language', { lang: 'en' }, { origin: 'null' })).status).toBe(404);
});

test.each(pages.filter(({ get }) => get !== undefined).map(({ path }) => path))(
  '%s is kept by nobody, found by no search, and framed by no site',
  async (path) => {
    const { headers, status } = await merchant.get(path);

    // One that a store alone leads to says that nothing is asked of it.
    expect(status).toBeLessThan(500);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);
