import { expect, test } from 'vitest';
import { insertOnboarding, revokeOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { renewInvitation } from '../../../src/operations/onboarding/invitations.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { createLog } from '../../../src/platform/log.ts';
import { withLink } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('a link that opens nothing, a form of another site and a wrong code are logged, without the address', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', name: 'test', destination: { write: (line) => lines.push(line) } });
  await using it = await world({ log });
  const { pool } = it.bridge;
  const { id } = await startedMerchant(it.bridge);
  const merchant = withLink(it.bridge, { id, token: await newOnboardingLink({ pool }, { id }, { scope: { kind: 'status' }, days: null }) });

  await fetch(`${it.bridge.app.url}/connect/no-such-link`);
  await merchant.post('/language', { lang: 'en' }, { 'sec-fetch-site': 'cross-site' });
  await merchant.post('/status/code', { act: 'open', code: '12345678' });

  const refused = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'console.refused');
  expect(refused.map(({ why }) => why)).toEqual(['link', 'foreign', 'wrong']);
  expect(lines.join('')).not.toMatch(/no-such-link|12345678/);
});

test('a link opens what it is for, until it is ended', async () => {
  await using it = await world();
  const { bridge } = it;
  const { pool } = bridge.app.core;
  const given = { who: 'cli:test', email: null, lang: null, shopId: null, destinationId: null };
  const { id } = await insertOnboarding(pool, { ...given, days: 14 });
  const late = await insertOnboarding(pool, { ...given, days: 0 });
  const all = await newOnboardingLink({ pool }, { id }, { scope: { kind: 'all' }, days: 14 });
  const expired = await newOnboardingLink({ pool }, late, { scope: { kind: 'all' }, days: 14 });
  const ask = async (path: string, lang = 'bg') => {
    const answer = await fetch(`${bridge.app.url}/connect/${path}`, { redirect: 'manual', headers: { 'accept-language': lang } });
    return { status: answer.status, location: answer.headers.get('location'), policy: answer.headers.get('referrer-policy'), text: await answer.text() };
  };

  expect(await ask(all)).toMatchObject({ status: 303, location: `/connect/${all}/store`, policy: 'no-referrer' });
  expect(await ask(`${all}/trial`)).toMatchObject({ status: 303, location: `/connect/${all}/store` });
  expect(await ask('no-such-link')).toMatchObject({ status: 404, text: expect.stringContaining('Няма такава връзка') });
  expect(await ask(expired, 'en')).toMatchObject({ status: 404, text: expect.stringContaining('The time of this link has passed') });
  const step = await newOnboardingLink({ pool }, { id }, { scope: { kind: 'step', step: 'mapping' }, days: 14 });
  expect(await ask(step)).toMatchObject({ status: 303, location: `/connect/${step}/mapping` });
  const { token: renewed } = await renewInvitation({ pool }, { id, by: 'cli:test' });
  for (const before of [all, step]) expect(await ask(before)).toMatchObject({ status: 404 });
  expect(await ask(renewed)).toMatchObject({ status: 303, location: `/connect/${renewed}/store` });
  await revokeOnboarding(pool, id);
  expect(await ask(renewed)).toMatchObject({ status: 404, text: expect.stringContaining('прекратена') });
});

test('the page of a store says until which day of Sofia its address works', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const { id } = await startedMerchant(it.bridge);
  const merchant = withLink(it.bridge, { id, token: await newOnboardingLink({ pool }, { id }, { scope: { kind: 'status' }, days: 1 }) });
  await pool.query(`update onboarding_links set expires_at = '2031-06-10T22:30:00Z' where onboarding = $1 and expires_at is not null`, [id]);

  expect((await merchant.get('/status')).text).toMatch(/11 June 2031|11 юни 2031/);
});
