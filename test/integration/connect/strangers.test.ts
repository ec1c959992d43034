import { expect, test } from 'vitest';
import { STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { findOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { Secret } from '../../../src/config/secret.ts';
import { confirmLink, wayOutLink } from '../../../src/operations/onboarding/confirm-company.ts';
import { atCompany } from '../../support/connect/at-company.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { mailMerchants } from '../../support/connect/mail-merchants.ts';
import { invited, type Merchant, uninvited, withLink } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const BOX = 'me@cups.example';
const mailing = ({ url }: SmtpHandle) => ({
  config: { publicUrl: 'https://bridge.example', mail: { smtpUrl: new Secret(url), from: 'bridge@service.example' } },
});

/** A merchant whose store records, who typed where they want mails. */
async function typed(it: World): Promise<Awaited<ReturnType<typeof startedMerchant>>> {
  const started = await startedMerchant(it.bridge, { email: null, lang: 'en' });
  const kept = await findOnboarding(it.bridge.pool, started.id);
  if (kept !== null) await saveOnboarding(it.bridge.pool, kept, { mailTo: BOX });
  return started;
}

/** What lasts is mailed. */
async function lasting({ it, smtp, connectionId }: { it: World; smtp: SmtpHandle; connectionId: string }, from = Date.now()): Promise<string[]> {
  await it.bridge.app.core.connections.warn(connectionId, STORE_API_WARNING, 'refused');
  const before = smtp.taken.length;
  for (const ms of [0, 10 * 60_000]) await mailMerchants(it.bridge.app.core, { smtp, now: new Date(from + ms) });
  return smtp.taken.slice(before).map(plainTextOf);
}

const page = (it: World, token: string): Merchant => withLink(it.bridge, { id: '', token });
const tokenIn = (text = ''): string => [...text.matchAll(/\/connect\/([\w-]{43})/g)].at(-1)?.[1] ?? '';
const asLongAgo = ({ bridge: { pool } }: World, days: number) => pool.query(`update onboarding_links set made_at = made_at - $1 * interval '1 day'`, [days]);

test('S4: a mailbox that somebody typed gets one mail, whoever types it again; on later days three in a month', async () => {
  await using smtp = await startSmtp();
  await using it = await world({ ...mailing(smtp), embeddedService: true });
  const press = async () => {
    for (let merchant = 0; merchant < 3; merchant += 1) {
      const stranger = await atCompany(it, await uninvited(it.bridge, 'en'));
      for (let again = 0; again < 3; again += 1) await stranger.post('/company', companyTyped({ mailTo: again === 0 ? BOX : BOX.toUpperCase() }));
    }
  };
  await press();
  await until(() => expect(smtp.taken).toHaveLength(1), { what: 'the mail' });
  for (let day = 2; day <= 5; day += 1) {
    await asLongAgo(it, 1.01);
    await press();
  }
  expect(await confirmLink(it.bridge, (await atCompany(it, await uninvited(it.bridge))).id)).toBeNull();
  const { rowCount } = await it.bridge.pool.query(`select from onboarding_links where starts_with(scope, 'confirm:')`);
  expect(rowCount).toBe(3);
  await until(() => expect(smtp.taken).toHaveLength(3), { what: 'its mails' });
  for (const text of smtp.taken.map(plainTextOf)) expect(text).toContain('Is the company 206770508 yours?'.slice(3, 10));
});

test('S4: nothing goes to a typed mailbox before it is confirmed, and one press has its mails come', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const { id, connected } = await typed(it);
  expect(await lasting({ it, smtp, connectionId: connected.connection.id })).toEqual([]);

  const asked = await confirmLink(it.bridge, id);
  const link = page(it, asked?.token ?? '');
  expect((await link.get('/confirm')).text).toContain('Your address was given for mails about an online store');
  expect(await lasting({ it, smtp, connectionId: connected.connection.id })).toEqual([]);
  expect((await link.post('/confirm', { verb: 'yes' })).text).toContain('Mails about your store come here from now on.');

  expect(await lasting({ it, smtp, connectionId: connected.connection.id })).toHaveLength(1);
  expect(await confirmLink(it.bridge, id)).toBeNull();
  expect((await readBridgeActs(it.bridge.pool)).map(({ act, who }) => [act, who])).toContainEqual(['mailbox.confirmed', `merchant:${id}`]);
  // It says nothing of who they are.
  expect(await findOnboarding(it.bridge.pool, id)).toMatchObject({ email: null, mailTo: BOX });
});

test('anyone who gets a mail about a store that is not theirs says so by its link: mails stop, the operator learns of it, and orders are recorded', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const { id, connected } = await startedMerchant(it.bridge, { email: BOX, lang: 'en' });
  const [mail] = await lasting({ it, smtp, connectionId: connected.connection.id });
  expect(mail).toContain('This is not your shop?');
  const link = page(it, tokenIn(mail));
  const refused = async () => (await it.bridge.pool.query('select from mailboxes where refused_at is not null')).rowCount;

  for (let look = 0; look < 2; look += 1) expect((await link.get('/confirm')).text).toContain('This is not my shop');
  expect(await refused()).toBe(0);
  expect(await link.post('/confirm', { verb: 'not-mine' }, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect((await link.post('/confirm', { verb: 'not-mine' })).text).toContain('No mails about this store come to your address.');
  expect((await link.post('/confirm', { verb: 'not-mine' })).status).toBe(200);
  expect(await refused()).toBe(1);
  for (const path of ['/status', '/store', '/company']) expect(await link.get(path)).toMatchObject({ location: `/connect/${link.token}/confirm` });

  expect(await lasting({ it, smtp, connectionId: connected.connection.id }, Date.now() + 8 * 86_400_000)).toEqual([]);
  expect((await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'mails.refused')).toMatchObject([{ who: `merchant:${id}`, subject: id }]);
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');

  // To and fro takes a while; then they are the merchant after all.
  expect((await link.post('/confirm', { verb: 'mine' })).status).toBe(429);
  await it.bridge.pool.query(`update mailboxes set changed_at = now() - interval '2 minutes'`);
  expect((await link.post('/confirm', { verb: 'mine' })).text).toContain('Mails about an online store come to your address.');
  expect(await lasting({ it, smtp, connectionId: connected.connection.id }, Date.now() + 16 * 86_400_000)).toHaveLength(1);
});

test('a mailbox that refused is mailed no invitation, code or question of that store, and those of others', async () => {
  await using smtp = await startSmtp();
  await using it = await world({ ...mailing(smtp), embeddedService: true });
  const merchant = await atCompany(it, await invited(it.bridge, { email: BOX, company: null }));
  const token = await wayOutLink(it.bridge, merchant, BOX);
  await it.bridge.pool.query(`update onboardings set expires_at = now() - interval '1 day' where id = $1`, [merchant.id]);
  expect((await page(it, token).post('/confirm', { verb: 'not-mine' })).status).toBe(200);
  await it.bridge.pool.query(`update onboardings set expires_at = now() + interval '1 day' where id = $1`, [merchant.id]);

  await merchant.post('/company', companyTyped());
  expect(await confirmLink(it.bridge, merchant.id)).toBeNull();
  const other = await atCompany(it, await invited(it.bridge, { email: BOX, company: null }));
  await other.post('/company', companyTyped());
  await until(() => expect(smtp.taken).toHaveLength(1), { what: 'the question about the other store' });
});
