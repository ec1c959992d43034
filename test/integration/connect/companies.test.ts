import { expect, test } from 'vitest';
import { openComplianceClient } from '../../../src/app/compliance-api.ts';
import { openService } from '../../../src/app/embedded-service.ts';
import { findOnboarding, insertOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { Secret } from '../../../src/config/secret.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { askForCompany, confirmByMailbox, confirmLink, decideCompany } from '../../../src/operations/onboarding/confirm-company.ts';
import { listInvitations } from '../../../src/operations/onboarding/invitations.ts';
import { makeShop } from '../../../src/operations/onboarding/make-shop.ts';
import { findNewest, openLink } from '../../../src/operations/onboarding/onboarding.ts';
import type { TypedCompany } from '../../../src/operations/onboarding/own-company.ts';
import { numbersOf } from '../../../src/operations/service/numbers.ts';
import { grantMerchant } from '../../../src/service/keys/company-owners.ts';
import { listShops } from '../../../src/service/reading/read-shops.ts';
import { atCompany, newcomer } from '../../support/connect/at-company.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { invited, type Merchant, uninvited, withLink } from '../../support/connect/merchant.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { longTest } from '../../support/long-test.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import { orderDto } from '../../support/worlds/compliance-caller.ts';
import { ownShop, startApart } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const UIC = '206770508';
const FREE = '131071587';

const mailing = ({ url }: SmtpHandle) => ({
  embeddedService: true,
  config: { publicUrl: 'https://bridge.example', mail: { smtpUrl: new Secret(url), from: 'bridge@service.example' } },
});
const stateOf = async ({ bridge }: World, { id }: Pick<Merchant, 'id'>) => findOnboarding(bridge.pool, id);
const shopsOf = async ({ bridge }: World) => (await listShops(bridge.pool, { limit: 100 })).items;

/** A company that has a shop and an order already, by another merchant's invitation. */
async function withVictim(it: World): Promise<void> {
  const victim = await atCompany(it, await invited(it.bridge, { email: 'victim@shop.example' }));
  await victim.post('/company', companyTyped());
  const { call } = await ownShop(it);
  await call('POST', '/order', { body: orderDto((await shopsOf(it))[0]?.id ?? '') });
}

/** What a mail to this mailbox lets confirm. */
async function linkMailedTo({ it, smtp }: { it: World; smtp: SmtpHandle }, mailbox: string, nth = 1): Promise<Merchant> {
  const mails = () => smtp.taken.filter(({ to }) => to.includes(mailbox));
  await until(() => expect(mails().length).toBeGreaterThanOrEqual(nth), { what: `mail ${nth} to ${mailbox}` });
  const token = /\/connect\/([\w-]{43})/.exec(plainTextOf(mails().at(-1) ?? { text: '' }))?.[1] ?? '';
  return withLink(it.bridge, { id: '', token });
}

/** Without what differs by the link and the mailbox alone. */
const bare = ({ status, text, location }: { status: number; text: string; location: string | null }, { token }: Merchant) => ({
  ...{ status, location: location?.replaceAll(token, 'TOKEN') },
  text: text
    .replaceAll(token, 'TOKEN')
    .replaceAll(/\w+@shop\.example/g, 'MAILBOX')
    .replaceAll(/206770508|131071587/g, 'UIC'),
});

longTest('S1: a taken and a free company get the same pages, mails included, and no shop is made', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  await withVictim(it);
  const [taken, free] = [await newcomer(it, 'mallory@shop.example'), await newcomer(it, 'maria@shop.example')];
  const seen = async (merchant: Merchant, companyUic: string, mailbox: string) => {
    const pages = [await merchant.post('/company', { verb: 'uic', companyUic }), await merchant.get('/company')];
    pages.push(await merchant.post('/company', companyTyped({ companyUic, receiptStartNumber: '5000000' })), await merchant.get('/company'));
    const mailed = await linkMailedTo({ it, smtp }, mailbox);
    const confirming = [
      await mailed.get(''),
      await mailed.get('/confirm'),
      await mailed.get('/company'),
      await mailed.post('/confirm', { verb: 'yes', company: companyUic }),
    ];
    const subject = /^Subject: .*$/m.exec(smtp.taken.find(({ to }) => to.includes(mailbox))?.text ?? '')?.[0].replaceAll(/\d{9}/g, 'UIC');
    return { pages: pages.map((page) => bare(page, merchant)), confirming: confirming.map((page) => bare(page, mailed)), subject };
  };

  const [ofTaken, ofFree] = [await seen(taken, UIC, 'mallory@shop.example'), await seen(free, FREE, 'maria@shop.example')];

  expect(ofTaken).toEqual(ofFree);
  expect(ofTaken.pages.at(-1)?.text).toContain('No shop is made until it is confirmed');
  expect(await shopsOf(it)).toHaveLength(2);
  expect(await numbersOf(it.bridge, UIC)).toMatchObject({ next: 2, skipped: [] });
  // Whose company nobody has goes on; the other one waits, and the operator alone sees why.
  expect(await free.post('/company', companyTyped({ companyUic: FREE }))).toMatchObject({ location: `/connect/${free.token}` });
  expect(await taken.post('/company', companyTyped())).toMatchObject({ location: `/connect/${taken.token}/company` });
  expect((await shopsOf(it)).map(({ companyUic }) => companyUic)).toEqual([UIC, UIC, FREE]);
  const [waiting] = (await listInvitations(it.bridge)).filter(({ waits }) => waits !== null);
  expect(waiting).toMatchObject({ id: taken.id, waits: { company: UIC, others: ['victim@shop.example'] } });
  // Anyone who met another's company tries no other one, free or not.
  await taken.post('/company', { verb: 'unask' });
  await taken.post('/company', companyTyped({ companyUic: '831641791' }));
  const again = await linkMailedTo({ it, smtp }, 'mallory@shop.example', 3);
  expect((await again.post('/confirm', { verb: 'yes', company: '831641791' })).text).toContain('Thank you.');
  expect(await stateOf(it, taken)).toMatchObject({ company: null, shopId: null });
});

test('S1: the operator confirms or refuses a company in the console, as it was seen, and the acts name the merchant', async () => {
  await using it = await world({ embeddedService: true });
  await withVictim(it);
  const [second, third] = [await newcomer(it, 'second@shop.example'), await newcomer(it, 'third@shop.example')];
  for (const one of [second, third]) await one.post('/company', companyTyped());
  const owner = await signIn(it.bridge);
  const PATH = '/console/stores/invitations';
  const decided = async ({ id }: Merchant, verb: string) => owner.post(`${PATH}/${id}/${verb}`, formOf((await owner.get(PATH)).text, `${PATH}/${id}/${verb}`));

  const page = (await owner.get(PATH)).text;
  expect(page).toContain('says that the company 206770508 (Чаши ЕООД) is theirs');
  expect(page).toContain('Already used by victim@shop.example.');
  const stale = formOf(page, `${PATH}/${second.id}/confirm`);
  await second.post('/company', { verb: 'unask' });
  await second.post('/company', companyTyped({ companyUic: FREE }));
  expect((await owner.post(`${PATH}/${second.id}/confirm`, stale)).status).toBe(409);
  await second.post('/company', companyTyped());
  expect(await decided(second, 'confirm')).toMatchObject({ location: `${PATH}?done=company-confirmed` });
  expect(await decided(third, 'refuse')).toMatchObject({ location: `${PATH}?done=company-refused` });

  expect(await second.post('/company', companyTyped())).toMatchObject({ location: `/connect/${second.token}` });
  expect((await third.get('/company')).text).toContain('did not confirm that the company is yours');
  expect(await third.post('/company', companyTyped())).toMatchObject({ location: `/connect/${third.token}/company` });
  expect(await stateOf(it, third)).toMatchObject({ company: null, shopId: null });
  const acts = (await readBridgeActs(it.bridge.pool)).filter(({ act }) => act.startsWith('company.'));
  expect(acts.map(({ act, who, subject }) => [act, who.split(':')[0], subject])).toContainEqual(['company.refused', 'person', third.id]);
  expect(acts).toContainEqual(expect.objectContaining({ act: 'company.named', who: `merchant:${second.id}`, subject: second.id, after: { company: UIC } }));
});

test('S1: a merchant’s form never moves the numbers of their own company, before or after', async () => {
  await using it = await world({ embeddedService: true });
  const merchant = await atCompany(it, await invited(it.bridge, { email: 'maria@shop.example' }));
  await merchant.post('/company', companyTyped({ receiptStartNumber: '700' }));
  const [shop] = await shopsOf(it);
  const { call } = await ownShop(it);
  expect((await call('POST', '/order', { body: orderDto(shop?.id ?? '') })).body['documentNumber']).toBe('0000000700');

  expect((await merchant.get('/company')).text).not.toContain('name="receiptStartNumber"');
  for (const receiptStartNumber of ['', '1', '900', '9999999999'])
    expect(await merchant.post('/company', companyTyped({ receiptStartNumber, name: 'Чаши' }))).toMatchObject({ location: `/connect/${merchant.token}` });

  expect(await numbersOf(it.bridge, UIC)).toMatchObject({ next: 701, skipped: [] });
  expect(await shopsOf(it)).toMatchObject([{ name: 'Чаши', receiptStartNumber: 700 }, {}]);
  expect(await merchant.post('/company', companyTyped({ companyUic: FREE }))).toMatchObject({
    status: 422,
    text: expect.stringContaining('This link is for the company 206770508'),
  });
});

test('S1: an invitation that names its company takes no other one; its mailbox has the company from then on, whichever its case', async () => {
  await using it = await world({ embeddedService: true });
  const first = await atCompany(it, await invited(it.bridge, { email: 'Maria@shop.example', company: UIC }));
  expect((await first.get('/company')).text).toContain(`value="${UIC}"`);
  expect((await first.post('/company', companyTyped({ companyUic: FREE }))).text).toContain('This link is for the company 206770508');
  expect(await first.post('/company', companyTyped({ companyUic: '2067705080005' }))).toMatchObject({ location: `/connect/${first.token}` });

  const second = await newcomer(it, 'maria@SHOP.example');
  expect(await second.post('/company', companyTyped())).toMatchObject({ location: `/connect/${second.token}` });
  expect(await shopsOf(it)).toHaveLength(2);
});

test('S4: nothing is mailed to anybody whom an unconfirmed merchant typed; their own mailbox gets one mail, in our words', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const stranger = await atCompany(it, await uninvited(it.bridge, 'en'));
  const typed = { companyName: 'Your bank', name: 'Your Bank Security', customerEmail: 'victim@bank.example' };
  await stranger.post('/company', companyTyped({ ...typed, mailTo: 'mallory@shop.example' }));
  const link = await linkMailedTo({ it, smtp }, 'mallory@shop.example');

  expect(smtp.taken.map(({ to }) => to)).toEqual([['mallory@shop.example']]);
  expect(smtp.taken.map(plainTextOf).join()).not.toMatch(/evil|Bank/);
  expect((await link.get('/confirm')).text).not.toMatch(/evil|Bank/);
  expect(await shopsOf(it)).toEqual([]);
  // Many presses are one mail.
  for (let press = 0; press < 8; press += 1) await stranger.post('/company', { verb: 'mail-again' });
  expect(await confirmLink(it.bridge, stranger.id)).toBeNull();
  expect(smtp.taken).toHaveLength(1);
});

test('the link of a way confirms nothing, and one that was mailed confirms only that company, by that mailbox', async () => {
  await using it = await world({ embeddedService: true });
  const merchant = await atCompany(it, await uninvited(it.bridge, 'en'));
  await merchant.post('/company', companyTyped({ mailTo: 'mallory@shop.example' }));
  expect(await merchant.post('/confirm')).toMatchObject({ status: 303, location: `/connect/${merchant.token}/company` });

  const { pool } = it.bridge;
  const mailed = await confirmLink({ pool }, merchant.id);
  const link = withLink(it.bridge, { id: merchant.id, token: mailed?.token ?? '' });
  expect(await openLink({ pool }, link.token)).toMatchObject({ scope: { kind: 'confirm', isAsked: true } });
  for (const path of ['/company', '/store', '/status']) expect(await link.get(path)).toMatchObject({ status: 303, location: `/connect/${link.token}/confirm` });
  // Its mailbox is another one by now: who reads the first one says nothing about the second.
  await merchant.post('/company', { verb: 'unask' });
  await merchant.post('/company', companyTyped({ mailTo: 'victim@shop.example' }));
  expect((await link.post('/confirm', { verb: 'yes', company: UIC })).text).toContain('nothing left to confirm');
  expect(await stateOf(it, merchant)).toMatchObject({ email: null, company: null });
});

test('a mailbox that was confirmed is checked from then on, and its free company is its own', async () => {
  await using it = await world({ embeddedService: true });
  const merchant = await atCompany(it, await uninvited(it.bridge, 'en'));
  await merchant.post('/company', companyTyped({ mailTo: 'maria@shop.example' }));
  const mailed = await confirmLink(it.bridge, merchant.id);
  await withLink(it.bridge, { id: merchant.id, token: mailed?.token ?? '' }).post('/confirm', { verb: 'yes', company: UIC });

  expect(await stateOf(it, merchant)).toMatchObject({ email: 'maria@shop.example', company: UIC, shopId: null });
  expect((await merchant.get('/company')).text).toContain('It is confirmed that the company is yours.');
  expect(await merchant.post('/company', companyTyped())).toMatchObject({ location: `/connect/${merchant.token}` });
  expect(await shopsOf(it)).toMatchObject([{ companyUic: UIC }]);
});

test('a company that another key has at the service is not made either, in the same words', async () => {
  await using it = await world({ embeddedService: true });
  const merchant = await atCompany(it, await invited(it.bridge, { email: 'maria@shop.example' }));
  const { pool } = it.bridge;
  await pool.query(
    `with other as (insert into compliance.api_keys (id, key_hash, hint, sealed_secret, multi_shop, dialect, created_at)
        values (gen_random_uuid(), sha256('other'), 'ck_other', '', true, '{}', now()) returning id)
      insert into compliance.company_owners (merchant, owner_id, since) select $1, id, now() from other`,
    [UIC],
  );

  expect(await merchant.post('/company', companyTyped())).toMatchObject({ status: 303, location: `/connect/${merchant.token}/company` });

  expect((await merchant.get('/company')).text).toContain('No shop is made until it is confirmed');
  expect(await listInvitations({ pool })).toMatchObject([{ waits: { company: UIC, others: ['compliance'] } }]);
});

test('of merchants who confirm one company at once, one gets it', async () => {
  await using it = await world({ embeddedService: true });
  const merchants = await Promise.all(['a', 'b', 'c', 'd'].map((name) => newcomer(it, `${name}@shop.example`)));
  for (const one of merchants) await one.post('/company', companyTyped());
  const links = await Promise.all(merchants.map(async ({ id }) => withLink(it.bridge, { id, token: (await confirmLink(it.bridge, id))?.token ?? '' })));

  const answers = await Promise.all(links.map((link) => link.post('/confirm', { verb: 'yes', company: UIC })));

  expect(new Set(answers.map((answer) => bare(answer, { ...merchants[0], token: '' } as Merchant).status))).toEqual(new Set([200]));
  const confirmed = await Promise.all(merchants.map(async (one) => (await stateOf(it, one))?.company));
  expect(confirmed.filter((company) => company === UIC)).toHaveLength(1);
});

test('a company that our own service has is contested, also where that is a process of its own', async () => {
  await using it = await world({ fresh: true });
  const { pool, app } = it.bridge;
  await using service = await openService(app.core);
  const { id: keyId } = await service.keys.create({ multiShop: true });
  await grantMerchant(pool, { keyId, merchant: UIC, move: false, now: new Date(), said: { by: 'test' } });
  const { id } = await insertOnboarding(pool, { who: 'cli:test', email: 'maria@shop.example', lang: null, shopId: null, destinationId: null, days: 14 });
  const deps = { pool };
  await askForCompany(deps, id, { company: UIC, by: `merchant:${id}`, now: new Date() });
  const asked = await confirmLink(deps, id);
  const opened = await openLink(deps, asked?.token ?? '');
  const mailbox = 'scope' in opened && opened.scope.kind === 'confirm' ? opened.scope.mailbox : '';

  expect(await confirmByMailbox(deps, { id }, { company: UIC, mailbox })).toBe(true);

  expect((await readBridgeActs(pool)).map(({ act }) => act)).toContain('company.contested');
  expect((await findOnboarding(pool, id))?.company).toBeNull();
});

test('anyone who is to get the mails of a shop’s months is asked first, also where our own service is a process of its own', async () => {
  await using it = await world({ fresh: true });
  await using own = await startApart(it.databaseUrl, 'receiver');
  const { core } = own.bridge.app;
  const { pool, config } = core;
  const { id } = await insertOnboarding(pool, { who: 'cli:test', email: 'maria@shop.example', lang: null, shopId: null, destinationId: null, days: 14 });
  await askForCompany({ pool }, id, { company: FREE, by: `merchant:${id}`, now: new Date() });
  await decideCompany({ pool }, { id, company: FREE, isTheirs: true, by: 'cli:test' });
  await using client = openComplianceClient(config);
  const baseUrl = config.compliance.kind === 'remote' ? config.compliance.baseUrl : '';
  const endpoint = async () => ({ baseUrl, ...own.key, dialect: embeddedDialect });
  const deps = { pool, client, compliance: { endpoint, destination: () => core.destinations.ensure(baseUrl, own.key) }, now: () => new Date() };
  const { verb: _verb, ...typed } = companyTyped({ companyUic: FREE, auditRecipientEmails: 'one@books.example' });

  expect(await makeShop(deps, await findNewest({ pool }, id), { typed: typed as TypedCompany, mailTo: null, by: `merchant:${id}` })).toEqual({ is: 'made' });

  // Theirs, and two that they named.
  expect((await pool.query('select from compliance.mailboxes')).rowCount).toBe(3);
});
