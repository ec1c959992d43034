import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pruneHandOvers } from '../../../src/bridge/ledger/invitations/hand-over-store.ts';
import { findOnboarding, revokeOnboarding, saveOnboarding, wayCodes } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { Secret } from '../../../src/config/secret.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { mailboxMark } from '../../../src/platform/mail/mailboxes.ts';
import { isOpenByCode, makeCode, takeMailedCode } from '../../../src/platform/mail/mailed-codes.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { codeBrowser, mailedCode, openByCode } from '../../support/connect/code-browser.ts';
import { type Merchant, withLink } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { refusal, type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import type { Bridge } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const mailing = ({ url }: SmtpHandle) => ({
  config: { publicUrl: 'https://bridge.example', mail: { smtpUrl: new Secret(url), from: 'bridge@service.example' } },
});
const MARIA = 'maria@shop.example';

async function linked(bridge: Bridge, id: string, scope: Parameters<typeof newOnboardingLink>[2]['scope'] = { kind: 'status' }): Promise<Merchant> {
  return withLink(bridge, { id, token: await newOnboardingLink({ pool: bridge.pool }, { id }, { scope, days: null }) });
}

/** A merchant with the page that they keep. */
async function merchantOf(bridge: Bridge, email: string | null = MARIA): Promise<Merchant> {
  return linked(bridge, (await startedMerchant(bridge, { email, lang: 'en', connect: {} })).id);
}

test('a code that was mailed opens answers and mailbox in one browser, once, however it is pressed, and the page says nothing of the mailbox before', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const merchant = await merchantOf(it.bridge);
  const browser = codeBrowser(merchant);

  for (const path of ['/mapping', '/status/mailbox'])
    expect(await browser.get(path)).toMatchObject({ status: 303, location: `/connect/${merchant.token}/status/code?to=${path}` });
  const asked = await browser.get('/status/code?to=/mapping');
  expect(asked.text).toContain('Mail me a code');
  expect(asked.text).not.toContain('maria');
  expect(asked.headers.get('set-cookie')).toMatch(/^orderbridge-opened-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2700$/);
  // Pressed twice: either code is good.
  await Promise.all([1, 2].map(() => browser.post('/status/code', { act: 'send', to: '/mapping' })));
  const code = await mailedCode(smtp, MARIA, 2);
  const other = codeBrowser(merchant);
  await other.get('/status/code');
  expect(await other.post('/status/code', { act: 'open', code })).toMatchObject({ status: 422, text: expect.stringContaining('This code does not work') });
  expect((await browser.post('/status/code', { act: 'send', to: '//evil.example' })).location).toMatch(/sent=1&to=\/status$/);
  const pressed = await Promise.all([1, 2].map(() => browser.post('/status/code', { act: 'open', to: '/mapping', code })));
  for (const one of pressed) expect(one).toMatchObject({ status: 303, location: `/connect/${merchant.token}/mapping` });
  expect((await browser.get('/mapping')).status).toBe(200);
  expect((await browser.get('/status/mailbox')).text).toContain(`Mails to you go to ${MARIA}.`);
  expect((await other.get('/mapping')).status).toBe(303);
  expect((await readBridgeActs(it.bridge.pool)).filter(({ act, subject }) => act === 'code.taken' && subject === merchant.id)).toMatchObject([
    { who: `merchant:${merchant.id}` },
  ]);
  // Nothing of it can be read in the ledger.
  const kept = await readRows(it.bridge.pool, rowsOf('mail_codes', z.object({ kept: z.string() })), {
    text: 'select t::text as kept from mail_codes t',
  });
  expect(JSON.stringify(kept)).not.toContain(code.replace(' ', ''));
  await it.bridge.pool.query(`update mail_codes set opened_until = now() where opened_until is not null`);
  expect((await browser.get('/mapping')).status).toBe(303);
  expect(await browser.post('/status/code', { act: 'open', code })).toMatchObject({ status: 422 });
});

test('after five tries, after its time, and of another store a code opens nothing', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const { pool } = it.bridge;
  const [merchant, neighbour] = [await merchantOf(it.bridge), await merchantOf(it.bridge, 'petar@shop.example')];
  const browser = codeBrowser(merchant);
  const tried = (code: string) => browser.post('/status/code', { act: 'open', code });
  await browser.get('/status/code');
  await browser.post('/status/code', { act: 'send' });
  const code = await mailedCode(smtp, MARIA);
  // Even if their browser kept the same.
  const theirs = codeBrowser(neighbour);
  await theirs.get('/status/code');
  const others = codeBrowser(neighbour, browser.cookie().replace(/^[^=]+/, theirs.cookie().split('=')[0] ?? ''));
  expect((await others.post('/status/code', { act: 'open', code })).status).toBe(422);
  expect((await others.get('/mapping')).status).toBe(303);

  await Promise.all(['1', '2', '3', '4', '5'].map((wrong) => tried(wrong.repeat(8))));
  expect((await tried(code)).status).toBe(422);
  expect((await browser.get('/mapping')).status).toBe(303);

  await browser.post('/status/code', { act: 'send' });
  const late = await mailedCode(smtp, MARIA, 2);
  await pool.query(`update mail_codes set made_at = now() - interval '15 minutes' where opened_until is null`);
  expect((await tried(late)).status).toBe(422);
  expect((await openByCode(browser, smtp, [MARIA, 3])).status).toBe(303);
  expect((await browser.get('/mapping')).status).toBe(200);
});

test('a typed mailbox gets three codes a month that nobody gives, and a way that ends leaves its own good for nothing, and counted', async () => {
  await using it = await world({});
  const { pool } = it.bridge;
  const newWay = async () => (await startedMerchant(it.bridge, { lang: 'en' })).id;
  const [ended, other] = [await newWay(), await newWay()];
  const at = new Date();
  const asked = (ownerId: string) => ({ ownerId, browser: 'theirs', at, mailbox: mailboxMark(pool, 'somebody@else.example'), isConfirmed: false });
  const code = async () => (await makeCode(pool, wayCodes, asked(ended))) ?? '';
  const [first, second] = [await code(), await code()];
  const typed = (said: string) => takeMailedCode(pool, wayCodes, { ...asked(ended), typed: said, act: async () => true });
  expect(await typed(first)).toBe(true);
  // The one that was given does not count: anyone who reads the mailbox asked for it.
  expect([await code(), await code(), await code()]).toEqual([expect.stringMatching(/^\d{8}$/), expect.stringMatching(/^\d{8}$/), '']);

  await revokeOnboarding(pool, ended);
  expect([await typed(second), await isOpenByCode(pool, wayCodes, asked(ended))]).toEqual([null, false]);
  expect(await makeCode(pool, wayCodes, asked(other))).toBeNull();
  const daysLater = (days: number) => new Date(at.getTime() + days * 86_400_000 + 1);
  await pruneHandOvers(pool, daysLater(29));
  expect(await makeCode(pool, wayCodes, { ...asked(other), at: daysLater(29) })).toBeNull();
  expect(await makeCode(pool, wayCodes, { ...asked(other), at: daysLater(30) })).toMatch(/^\d{8}$/);
});

test('so many codes go to a mailbox in an hour, whichever store asks, and the page answers the same', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const stores = [codeBrowser(await merchantOf(it.bridge)), codeBrowser(await merchantOf(it.bridge, 'Maria@shop.example'))];
  const mails = () => smtp.taken.filter(({ to }) => to.some((one) => one.toLowerCase() === MARIA)).length;
  const answers = new Set<string>();
  for (let i = 0; i < 4; i += 1)
    for (const store of stores) answers.add((await store.post('/status/code', { act: 'send' })).location?.replace(/[\w-]{43}/, '') ?? '');

  await until(() => mails() >= 5, { what: 'five mails' });
  await sleep(300);
  expect(mails()).toBe(5);
  expect([...answers]).toEqual(['/connect//status/code?sent=1&to=/status']);
});

test('a new mailbox gets a code alone until that is given; then the one before is told, and what it opened elsewhere ends', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const merchant = await merchantOf(it.bridge);
  const [browser, second] = [codeBrowser(merchant), codeBrowser(merchant)];
  await openByCode(browser, smtp, [MARIA, 1]);
  await openByCode(second, smtp, [MARIA, 2]);

  expect(await browser.post('/status/mailbox', { mailbox: 'nobody' })).toMatchObject({
    status: 422,
    text: expect.stringMatching(/aria-invalid="true"/),
  });
  await browser.post('/status/mailbox', { mailbox: 'new@shop.example' });
  const code = await mailedCode(smtp, 'new@shop.example');
  expect(await findOnboarding(it.bridge.pool, merchant.id)).toMatchObject({ email: MARIA });
  expect((await second.post('/status/code', { act: 'open', code })).status).toBe(422);
  const pressed = await Promise.all([1, 2].map(() => browser.post('/status/code', { act: 'open', code, to: '/status/mailbox' })));
  expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
  expect(await findOnboarding(it.bridge.pool, merchant.id)).toMatchObject({ email: 'new@shop.example', mailTo: null });
  await until(() => smtp.taken.filter(({ to }) => to.includes(MARIA)).length === 3, { what: 'the mailbox of before to be told' });
  const told = plainTextOf(smtp.taken.filter(({ to }) => to.includes(MARIA)).at(-1) ?? { text: '' });
  expect(told).toContain('go to another address from now on');
  expect(told).not.toContain('new@');
  expect((await browser.get('/status/mailbox')).text).toContain('Mails to you go to new@shop.example.');
  expect((await second.get('/status/mailbox')).status).toBe(303);
  expect(await readBridgeActs(it.bridge.pool)).toContainEqual(expect.objectContaining({ act: 'mailbox.changed', who: `merchant:${merchant.id}` }));
});

test('that the mailbox of before is told waits for a mail server that is down, and its address is kept no longer', async () => {
  let isDown = false;
  const onMail = () => {
    if (isDown) throw refusal(451, '4.3.0 try again later');
  };
  await using smtp = await startSmtp({ onMail });
  await using it = await world(mailing(smtp));
  const merchant = await merchantOf(it.bridge);
  const browser = codeBrowser(merchant);
  await openByCode(browser, smtp, [MARIA, 1]);
  await browser.post('/status/mailbox', { mailbox: 'new@shop.example' });
  const code = await mailedCode(smtp, 'new@shop.example');
  isDown = true;
  const { pool } = it.bridge;
  const kept = () =>
    readRows(pool, keptRows, { text: `select ref ->> 'mailbox' as mailbox, sent_at is not null as "isSent" from mails where kind = 'mailbox-changed'` });
  expect((await browser.post('/status/code', { act: 'open', code })).status).toBe(303);
  await until(async () => (await pool.query(`select from jobs where kind = 'bridge-mail' and error is not null and lease is null`)).rowCount === 1, {
    what: 'a first try',
  });
  expect(await kept()).toEqual([{ mailbox: expect.stringMatching(/^v1\./), isSent: false }]);

  isDown = false;
  await pool.query(`update jobs set due_at = now() where kind = 'bridge-mail'`);

  await until(async () => (await kept())[0]?.isSent === true, { what: 'the mailbox of before to be told' });
  expect(await kept()).toEqual([{ mailbox: null, isSent: true }]);
  expect(plainTextOf(smtp.taken.at(-1) ?? { text: '' })).toContain('go to another address from now on');
});

const keptRows = rowsOf('mails', z.object({ mailbox: z.string().nullable(), isSent: z.boolean() }));

test('a mailbox that was typed is confirmed by its code; a link of one step needs none; before recording and without a mailbox nothing is mailed', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const { pool } = it.bridge;
  const merchant = await merchantOf(it.bridge, null);
  const typed = async (mailTo: string) => {
    const stored = await findOnboarding(pool, merchant.id);
    if (stored !== null) await saveOnboarding(pool, stored, { mailTo });
  };
  const browser = codeBrowser(merchant);
  expect((await browser.get('/status/code')).text).toContain('No mailbox of yours is known here');
  await browser.post('/status/code', { act: 'send' });
  await typed('typed@shop.example');
  // The mailbox was changed after the code went out: it confirms neither.
  await browser.get('/status/code');
  await browser.post('/status/code', { act: 'send' });
  const early = await mailedCode(smtp, 'typed@shop.example');
  await typed('other@shop.example');
  await browser.post('/status/code', { act: 'open', code: early });
  expect((await browser.get('/mapping')).status).toBe(303);
  expect(await findOnboarding(pool, merchant.id)).toMatchObject({ email: null });
  await openByCode(browser, smtp, ['other@shop.example', 1]);
  expect(await findOnboarding(pool, merchant.id)).toMatchObject({ email: 'other@shop.example', mailTo: null });
  expect((await browser.get('/mapping')).status).toBe(200);

  const step = await linked(it.bridge, merchant.id, { kind: 'step', step: 'mapping' });
  expect((await step.get('/mapping')).status).toBe(200);
  expect((await step.get('/status/code')).location).toBe(`/connect/${step.token}/mapping`);
  const all = await linked(it.bridge, merchant.id, { kind: 'all' });
  for (const path of ['/mapping', '/company']) expect((await all.get(path)).location).toBe(`/connect/${all.token}/status/code?to=${path}`);
  const early2 = await linked(it.bridge, (await startedMerchant(it.bridge, { email: MARIA, startedAt: null })).id, { kind: 'all' });
  expect((await early2.get('/status/code')).location).toBe(`/connect/${early2.token}`);
  expect((await early2.get('/mapping')).status).toBe(200);
  const keptEarly = await linked(it.bridge, early2.id);
  expect((await keptEarly.get('/mapping')).location).toBe(`/connect/${keptEarly.token}/status`);
  expect(smtp.taken.filter(({ to }) => to.includes(MARIA))).toEqual([]);
});
