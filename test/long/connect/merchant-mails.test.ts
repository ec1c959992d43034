import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { APP_WARNING, apiWarningOf, STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { pruneMerchants } from '../../../src/bridge/ledger/alerts/merchant-incidents.ts';
import { findHandOver, insertHandOver, takeHandOver } from '../../../src/bridge/ledger/invitations/hand-over-store.ts';
import { findOnboarding, insertOnboarding, revokeOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { subscriptionCheck } from '../../../src/operations/health/checks/webhooks.ts';
import { listInvitations } from '../../../src/operations/onboarding/invitations.ts';
import { openLink } from '../../../src/operations/onboarding/onboarding.ts';
import { mailMerchants } from '../../support/connect/mail-merchants.ts';
import { invited, uninvited } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { startSmtp, type TakenMail } from '../../support/servers/smtp-server.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { checksBy } from '../../support/worlds/checks-by.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const DAY_MS = 24 * 3_600_000;
const TEN_MINUTES_MS = 10 * 60_000;

/** The mails that are sent when somebody looks at this moment. */
async function sentAt({ bridge }: World, smtp: { url: string; taken: TakenMail[] }, now: Date): Promise<TakenMail[]> {
  const before = smtp.taken.length;
  await mailMerchants(bridge.app.core, { smtp, now });
  return smtp.taken.slice(before);
}

test('a merchant is mailed what only they can put right, once, and again after a week; anyone who was not asked for their address is not', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { bridge } = it;
  const maria = await startedMerchant(bridge, { email: 'maria@shop.example' });
  const silent = await startedMerchant(bridge, { email: null });
  const left = await startedMerchant(bridge, { email: 'left@shop.example' });
  for (const { connected } of [maria, silent, left]) await bridge.app.core.connections.warn(connected.connection.id, STORE_API_WARNING, 'refused');
  await revokeOnboarding(bridge.pool, left.id);
  const began = Date.now();
  const at = (ms: number) => sentAt(it, smtp, new Date(began + ms));

  expect(await at(0)).toEqual([]);
  const [mail, ...others] = await at(TEN_MINUTES_MS);

  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: ['maria@shop.example'] });
  const text = mail === undefined ? '' : plainTextOf(mail);
  expect(text).toContain('вече не приема ключа ни');
  const token = /https:\/\/bridge\.example\/connect\/([\w-]+)/.exec(text)?.[1] ?? '';
  expect(await openLink(bridge, token)).toMatchObject({ scope: { kind: 'step', step: 'store' }, onboarding: { id: maria.id } });
  expect(await at(DAY_MS / 2)).toEqual([]);
  expect(await at(DAY_MS)).toEqual([]);
  for (const day of [1.5, 2, 3, 4, 5, 6, 7]) expect(await at(day * DAY_MS)).toEqual([]);
  expect(await at(7.1 * DAY_MS)).toHaveLength(1);
  // What comes back within a day is the same trouble; later, it is another one.
  await bridge.app.core.connections.endWarning(maria.connected.connection.id, STORE_API_WARNING);
  expect(await at(7.2 * DAY_MS)).toEqual([]);
  await bridge.app.core.connections.warn(maria.connected.connection.id, STORE_API_WARNING, 'refused');
  expect(await at(7.5 * DAY_MS)).toEqual([]);
  await bridge.app.core.connections.endWarning(maria.connected.connection.id, STORE_API_WARNING);
  expect(await at(9 * DAY_MS)).toEqual([]);
  await bridge.app.core.connections.warn(maria.connected.connection.id, STORE_API_WARNING, 'refused');
  expect(await at(9.1 * DAY_MS)).toEqual([]);
  expect(await at(9.1 * DAY_MS + TEN_MINUTES_MS)).toHaveLength(1);
});

test.each([
  ['store-frozen', 'е замразил магазина Corner'],
  ['store-locked', 'е заключил магазина Corner'],
  ['store-blocked', 'защитна стена, парола или модул за сигурност'],
])('what they must mend elsewhere they are told as what it is, with the page of how their store does: %s', async (kind, words) => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { bridge } = it;
  const { id, connected } = await startedMerchant(bridge, { email: 'maria@shop.example', connect: { name: 'Corner' } });
  await bridge.app.core.connections.warn(connected.connection.id, STORE_API_WARNING, 'refused');
  await bridge.app.core.connections.warn(connected.connection.id, kind, 'refused');
  const began = Date.now();

  await sentAt(it, smtp, new Date(began));
  const [mail, ...others] = await sentAt(it, smtp, new Date(began + TEN_MINUTES_MS));

  // The last refusal counts: the key is not what is wrong.
  expect(others).toEqual([]);
  const text = mail === undefined ? '' : plainTextOf(mail);
  expect(text).toContain(words);
  expect(text).not.toContain('ключа ни:');
  const token = /connect\/([\w-]+)/.exec(text)?.[1] ?? '';
  expect(await openLink(bridge, token)).toMatchObject({ scope: { kind: 'status' }, onboarding: { id } });
});

test('a mailbox that somebody typed and nobody confirmed gets nothing of what the merchant must mend', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { pool, app } = it.bridge;
  const { id, connected } = await startedMerchant(it.bridge, { email: null });
  const onboarding = await findOnboarding(pool, id);
  if (onboarding === null) throw new Error('the onboarding is gone');
  await saveOnboarding(pool, onboarding, { mailTo: 'anybody@else.example' });
  await app.core.connections.warn(connected.connection.id, 'store-frozen', 'refused');
  const began = Date.now();

  await sentAt(it, smtp, new Date(began));

  expect(await sentAt(it, smtp, new Date(began + TEN_MINUTES_MS))).toEqual([]);
  expect((await pool.query('select from onboarding_links')).rowCount).toBe(0);
});

/** The program may have begun to watch it. */
async function watched({ bridge }: World, { connection }: Connected, problems: readonly object[]): Promise<void> {
  await bridge.pool.query(
    'insert into watches (connection_id, problems) values ($1, $2) on conflict (connection_id) do update set problems = excluded.problems',
    [connection.id, JSON.stringify(problems)],
  );
}

test('of what only the operator can mend a merchant is mailed nothing', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { bridge } = it;
  const nobodys = [{ topic: 'order.paid', kind: 'missing', words: 'the configuration of its app should bring it, and nothing ever came', repairs: 'nothing' }];
  const merchants = [await startedMerchant(bridge, { email: 'a@shop.example' }), await startedMerchant(bridge, { email: 'b@shop.example' })];
  for (const kind of [APP_WARNING, apiWarningOf(null)]) {
    const merchant = merchants[kind === APP_WARNING ? 0 : 1];
    await bridge.app.core.connections.warn(merchant?.connected.connection.id ?? '', kind, 'refused');
  }
  const undeployed = await startedMerchant(bridge, {
    email: 'c@shop.example',
    connect: { platform: 'shopify', access: { url: 'https://corner.myshopify.com', accessToken: 'shpat_1' } },
  });
  await watched(it, undeployed.connected, nobodys);
  const began = Date.now();

  for (const ms of [0, TEN_MINUTES_MS, DAY_MS]) expect(await sentAt(it, smtp, new Date(began + ms))).toEqual([]);
  // The operator hears of it.
  expect(await checksBy(bridge.app.core, [subscriptionCheck])).toContainEqual(
    expect.objectContaining({ code: 'webhooks.broken', subject: undeployed.connected.connection.id }),
  );
});

test('of a store that has another merchant now, the one before is told nothing', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { bridge } = it;
  const { connected } = await startedMerchant(bridge, { email: 'before@shop.example' });
  const { id: connectionId, shopId, destinationId } = connected.connection;
  const given = { who: 'cli:test', email: null, lang: null, shopId, destinationId, days: 14 };
  await saveOnboarding(bridge.pool, await insertOnboarding(bridge.pool, given), { connectionId, startedAt: new Date().toISOString() });
  await bridge.app.core.connections.warn(connectionId, STORE_API_WARNING, 'refused');
  const began = Date.now();

  expect(await sentAt(it, smtp, new Date(began))).toEqual([]);
  expect(await sentAt(it, smtp, new Date(began + TEN_MINUTES_MS))).toEqual([]);
});

test('webhooks that do not repair and a new way to pay each have a mail with their own step, in their language', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { bridge } = it;
  const { id, connected } = await startedMerchant(bridge, { email: 'john@shop.example', lang: 'en' });
  await bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'econt_pay' } }) });
  await bridge.settled(connected, '1', 'review');
  await watched(it, connected, [{ topic: 'order.paid', kind: 'paused', words: 'somebody paused it', repairs: 'request' }]);
  const began = Date.now();

  await sentAt(it, smtp, new Date(began));
  const mails = await sentAt(it, smtp, new Date(began + TEN_MINUTES_MS));

  const texts = mails.map(plainTextOf);
  const link = (text: string) => /connect\/([\w-]+)/.exec(text)?.[1] ?? '';
  const step = async (words: string) => openLink(bridge, link(texts.find((text) => text.includes(words)) ?? ''));
  expect(texts).toHaveLength(2);
  expect(await step('a way to pay or a VAT rate')).toMatchObject({ scope: { step: 'mapping' }, onboarding: { id } });
  expect(await step('notifications about orders were paused')).toMatchObject({ scope: { step: 'webhooks' }, onboarding: { id } });
});

test('what somebody began whom nobody invited, and did not end, is kept for a month', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { pool } = it.bridge;
  await uninvited(it.bridge);
  const kept = await invited(it.bridge);
  const ids = async () => (await listInvitations({ pool })).map(({ id }) => id);

  await sentAt(it, smtp, new Date(Date.now() + 43 * DAY_MS));
  expect(await ids()).toHaveLength(2);
  await sentAt(it, smtp, new Date(Date.now() + 45 * DAY_MS));
  expect(await ids()).toEqual([kept.id]);
});

test('keys of a store that was not connected go with the time of the link, or at once when it is revoked', async () => {
  await using it = await world();
  const { bridge } = it;
  const { pool } = bridge;
  const known = async (id: string) => (await findOnboarding(pool, id)) ?? Promise.reject(new Error('the onboarding is gone'));
  const withKeys = async (said: object = {}) => {
    const { id } = await invited(bridge);
    await saveOnboarding(pool, await known(id), { step: 'store', progress: { kind: 'address' }, done: true, sealed: 'keys', ...said });
    const state = randomBytes(32);
    await insertHandOver(pool, { state, onboarding: id, url: 'https://cups.example/', minutes: 15 });
    await takeHandOver(pool, { state, sealed: 'keys' });
    return { id, state };
  };
  const left = await withKeys();
  const revoked = await withKeys();
  const { connection } = await bridge.connect();
  await pool.query('update connections set trial_since = now() where id = $1', [connection.id]);
  const died = await withKeys({ shopId: connection.shopId });
  const prune = (days: number) => pruneMerchants(pool, { days: 30, now: new Date(Date.now() + days * DAY_MS) });

  await revokeOnboarding(pool, revoked.id);
  expect([(await known(revoked.id)).sealed, await findHandOver(pool, revoked.state)]).toEqual([null, null]);
  await prune(0.5);
  expect(await findHandOver(pool, left.state)).toMatchObject({ sealed: 'keys' });
  await prune(2);
  expect(await findHandOver(pool, left.state)).toBeNull();
  expect(await known(left.id)).toMatchObject({ sealed: 'keys', done: ['store'] });
  await prune(14.1);
  expect(await known(left.id)).toMatchObject({ sealed: null, done: [] });
  expect(await known(died.id)).toMatchObject({ sealed: 'keys', done: ['store'] });
});

test('two processes that look at once send one mail', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  const { connected } = await startedMerchant(it.bridge, { email: 'maria@shop.example' });
  await it.bridge.app.core.connections.warn(connected.connection.id, STORE_API_WARNING, 'refused');
  const began = Date.now();
  await sentAt(it, smtp, new Date(began));

  await Promise.all([1, 2, 3].map(() => sentAt(it, smtp, new Date(began + TEN_MINUTES_MS))));

  expect(smtp.taken).toHaveLength(1);
});
