import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOnboarding, insertOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { type LinkScope, newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { CliStores } from '../../support/worlds/cli-stores.ts';

let stores: CliStores;
beforeAll(async () => {
  stores = await CliStores.start();
});
afterAll(async () => {
  await stores?.[Symbol.asyncDispose]();
});

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

/** A merchant who connected this store by a link, and records. */
async function merchantOf(connectionId: string) {
  const { pool } = stores.core;
  const made = await insertOnboarding(pool, { who: 'cli:test', email: 'maria@shop.example', lang: null, shopId: null, destinationId: null, days: 14 });
  await saveOnboarding(pool, made, { connectionId, startedAt: new Date().toISOString() });
  const link = async (scope: LinkScope, days: number | null) => `/connect/${await newOnboardingLink({ pool }, made, { scope, days })}`;
  return { id: made.id, links: [await link({ kind: 'status' }, null), await link({ kind: 'step', step: 'mapping' }, 14), await link({ kind: 'all' }, 14)] };
}

async function statusesOf(url: string, links: readonly string[]): Promise<number[]> {
  return Promise.all(links.map(async (link) => (await fetch(`${url}${link}`, { redirect: 'manual' })).status));
}

test('a store that is connected again by command ends the links of the merchant before, and says so', async () => {
  const { program } = stores;
  const connect = ['connect', '--platform', 'standard', '--name', 'Corner', '--secret', SECRET, '--compliance-shop', await stores.shop()];
  const { connectionId, webhookUrl } = await program.json<{ connectionId: string; webhookUrl: string }>(connect);
  const { origin } = new URL(webhookUrl);
  const merchant = await merchantOf(connectionId);
  const other = await merchantOf((await program.json<{ connectionId: string }>([...connect.slice(0, -1), await stores.shop()])).connectionId);
  await program.ok(['disconnect', connectionId]);
  expect(await statusesOf(origin, merchant.links)).toEqual([303, 303, 303]);

  const said = await program.ok(connect);

  expect(said).toContain(connectionId);
  expect(said).toContain('The links by which a merchant saw this store ended: it may be another’s now.');
  expect(await statusesOf(origin, merchant.links)).toEqual([404, 404, 404]);
  expect(await statusesOf(origin, other.links)).toEqual([303, 303, 303]);
  const { pool } = stores.core;
  const ended = (await readBridgeActs(pool)).filter(({ act }) => act === 'invitation.revoked');
  expect(ended).toMatchObject([{ who: expect.stringMatching(/^cli:/), subject: merchant.id, connectionId }]);
  expect((await findOnboarding(pool, other.id))?.revokedAt).toBeNull();
  // Once more, there is nobody left whom it could end.
  await program.ok(['disconnect', connectionId]);
  expect(await program.ok(connect)).not.toContain('The links by which');
});
