import { expect, test } from 'vitest';
import { z } from 'zod';
import { openComplianceAccess, openComplianceClient } from '../../../src/app/compliance-api.ts';
import { findOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { nameMadeShop } from '../../../src/operations/onboarding/invitations.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { listShops } from '../../../src/service/reading/read-shops.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { invited, type Merchant, uninvited } from '../../support/connect/merchant.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const acts = rowsOf('acts', z.object({ act: z.string(), who: z.string() }));

/** The step before it is done. */
async function atCompany({ bridge }: World, merchant: Merchant, store: unknown = {}): Promise<Merchant> {
  const onboarding = await findOnboarding(bridge.pool, merchant.id);
  if (onboarding === null) throw new Error('there is no such onboarding');
  await saveOnboarding(bridge.pool, onboarding, { step: 'store', done: true, progress: store });
  return merchant;
}

const shopsOf = async ({ bridge }: World) => (await listShops(bridge.pool, { limit: 100 })).items;
const stateOf = async ({ bridge }: World, { id }: Merchant) => findOnboarding(bridge.pool, id);

test('the company number is asked first and checked at once; the shop is made once, whatever is pressed twice, and changed if they change it', async () => {
  await using it = await world({ embeddedService: true });
  const merchant = await atCompany(it, await invited(it.bridge, { email: 'maria@shop.example' }), { home: 'https://cups.example/', name: 'Cups' });

  const first = await merchant.get('/company');
  expect(first.text).toContain('name="companyUic"');
  expect(first.text).not.toContain('name="companyName"');
  const mistyped = await merchant.post('/company', { verb: 'uic', companyUic: '206770509' });
  expect(mistyped).toMatchObject({ status: 422, text: expect.stringContaining('This is not a ЕИК') });
  expect(mistyped.text).toContain('value="206770509"');
  expect(await merchant.post('/company', { verb: 'uic', companyUic: 'BG 206770508' })).toMatchObject({
    status: 303,
    location: `/connect/${merchant.token}/company`,
  });
  const whole = (await merchant.get('/company')).text;
  expect(whole).toContain('The number is right.');
  expect(whole).toMatch(/name="domain"[^>]*value="cups.example"/);
  expect(whole).toMatch(/name="name"[^>]*value="Cups"/);
  expect(whole).toMatch(/name="customerEmail"[^>]*value="maria@shop.example"/);

  const [a, b] = await Promise.all([merchant.post('/company', companyTyped()), merchant.post('/company', companyTyped())]);
  expect([a.status, b.status]).toEqual([303, 303]);
  const [shop, ...others] = await shopsOf(it);
  expect(others).toEqual([]);
  expect(shop).toMatchObject({ companyUic: '206770508', nraNumber: 'RF0000123', customerPhone: '+359888123456', vatGroup: 'GROUP_B', auditGenerationDay: 10 });
  expect(shop?.auditRecipientEmails).toEqual(['one@books.example', 'two@books.example']);
  expect(await stateOf(it, merchant)).toMatchObject({ shopId: shop?.id, done: ['store', 'company'], destinationId: await it.bridge.embeddedDestinationId() });

  expect((await merchant.get('/company')).text).toContain('Your shop is made.');
  expect(await merchant.post('/company', companyTyped({ name: 'Чаши', vat: 'no' }))).toMatchObject({ status: 303 });
  expect(await shopsOf(it)).toMatchObject([{ id: shop?.id, name: 'Чаши', vatGroup: 'GROUP_A' }]);
  const told = await readRows(it.bridge.pool, acts, {
    text: `select act, who from acts where act like 'shop.%' and who <> $1`,
    values: [`merchant:${merchant.id}`],
  });
  expect(told).toEqual([]);
  expect((await readBridgeActs(it.bridge.pool)).map(({ act }) => act)).toContain('shop.create');
});

test('what is missing or wrong is said beside its field, and all that was typed is kept, also when they leave', async () => {
  await using it = await world({ embeddedService: true });
  const merchant = await atCompany(it, await invited(it.bridge, { lang: 'bg' }));
  const typed = companyTyped({
    companyName: '',
    vat: '',
    nraNumber: '12',
    domain: 'no domain',
    customerPhone: '12',
    auditGenerationDay: '31',
    auditRecipientEmails: 'x',
    receiptStartNumber: 'a',
  });

  const wrong = await merchant.post('/company', typed);

  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('Попълнете правилно още 8 полета.');
  for (const field of ['companyName', 'nraNumber', 'domain', 'customerPhone', 'auditGenerationDay', 'auditRecipientEmails', 'receiptStartNumber'])
    expect(wrong.text).toContain(`id="${field}-problem"`);
  expect(wrong.text).toContain('Кажете дали фирмата е регистрирана по ЗДДС.');
  expect(wrong.text).toContain('Познатите ни номера са RF и седем цифри.');
  const empty = await merchant.post('/company', { ...typed, nraNumber: '' });
  expect(empty.text).toContain('id="nraNumber-problem"');
  expect(empty.text).not.toContain('Познатите ни номера');
  const again = (await merchant.get('/company')).text;
  expect(again).toContain('value="Магазин за чаши"');
  expect(again).toContain('value="no domain"');
  expect(again).toContain('приложение № 33');
  // An unknown form of number is uncertain once.
  expect(await merchant.post('/company', companyTyped({ nraNumber: 'X12' }))).toMatchObject({ status: 422 });
  expect(await merchant.post('/company', companyTyped({ nraNumber: 'X12' }))).toMatchObject({ status: 303 });
  expect(await shopsOf(it)).toMatchObject([{ nraNumber: 'X12' }]);
});

test('an answer that is lost is asked for again, and there is one shop; a service that honours no key is asked once', async () => {
  await using it = await world();
  it.service.next('create', 'lose-reply');
  const merchant = await atCompany(it, await invited(it.bridge));
  expect(await merchant.post('/company', companyTyped())).toMatchObject({ status: 503, text: expect.stringContaining('press the button again') });
  expect(await merchant.post('/company', companyTyped())).toMatchObject({ status: 303 });
  expect(it.service.living).toBe(1);

  await using other = await world({ idempotencyKey: 'ignored' });
  other.service.next('create', 'lose-reply');
  const unlucky = await atCompany(other, await invited(other.bridge));
  expect(await unlucky.post('/company', companyTyped())).toMatchObject({ status: 409, text: expect.stringContaining('its answer was lost') });
  expect(await unlucky.post('/company', companyTyped())).toMatchObject({ status: 409 });
  expect(other.service.living).toBe(1);

  // Its operator looks, and says which it is.
  const [made] = other.service.records;
  const { core } = other.bridge.app;
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  const deps = { pool: core.pool, connections: core.connections, compliance, client };
  await nameMadeShop(deps, { id: unlucky.id, shopId: made?.id ?? '', by: 'cli:test' });
  expect(await stateOf(other, unlucky)).toMatchObject({ shopId: made?.id, done: ['store', 'company'] });

  other.service.next('create', 'lose-request');
  const third = await atCompany(other, await invited(other.bridge));
  expect(await third.post('/company', companyTyped())).toMatchObject({ status: 409 });
  await nameMadeShop(deps, { id: third.id, shopId: null, by: 'cli:test' });
  expect(await third.post('/company', companyTyped())).toMatchObject({ status: 303 });
  expect(other.service.living).toBe(2);
});

test('what the service refuses is said in its words, and can be put right', async () => {
  await using it = await world();
  it.service.next('create', { status: 422, body: { detail: 'the shop is wrong', errors: [{ path: 'domain', message: 'is taken' }] } });
  const merchant = await atCompany(it, await invited(it.bridge));

  const refused = await merchant.post('/company', companyTyped());

  expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('the shop is wrong') });
  expect(refused.text).toContain('id="domain-problem"');
  expect(await merchant.post('/company', companyTyped({ domain: 'other.example' }))).toMatchObject({ status: 303 });
});

test('a shop of the same mailbox can be chosen; nobody sees another company by typing its number or address', async () => {
  await using it = await world({ embeddedService: true });
  const before = await atCompany(it, await invited(it.bridge, { email: 'Maria@shop.example' }));
  await before.post('/company', companyTyped());
  const [shop] = await shopsOf(it);
  const stranger = await atCompany(it, await uninvited(it.bridge, 'en'));
  const other = await atCompany(it, await invited(it.bridge, { email: 'other@shop.example' }));

  for (const one of [stranger, other]) {
    const page = (await one.post('/company', { verb: 'uic', companyUic: '206770508' })).status;
    expect(page).toBe(303);
    expect((await one.get('/company')).text).not.toContain('Магазин за чаши');
    expect(await one.post('/company', { verb: 'choose', shop: shop?.id ?? '' })).toMatchObject({ status: 409 });
  }

  const merchant = await atCompany(it, await invited(it.bridge, { email: 'maria@SHOP.example' }));
  expect((await merchant.get('/company')).text).toContain('Магазин за чаши');
  expect(await merchant.post('/company', { verb: 'choose', shop: shop?.id ?? '' })).toMatchObject({ status: 303 });
  expect(await stateOf(it, merchant)).toMatchObject({ shopId: shop?.id, done: ['store', 'company'] });
  expect((await merchant.get('/company')).text).toContain('Your store is connected to the shop Магазин за чаши.');
});

test('whose shop it is was said by who invites: it must be there, and free', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const merchant = await invited(it.bridge, { shopId });

  expect(await stateOf(it, merchant)).toMatchObject({ shopId, done: ['company'] });
  await atCompany(it, merchant);
  expect((await merchant.get('/company')).text).toContain('Магазин за чаши');
  await expect(invited(it.bridge, { shopId: crypto.randomUUID() })).rejects.toThrow(/has no shop/);
  await expect(invited(it.bridge, { shopId: 'mine' })).rejects.toThrow(/UUID/);
  const { connection } = await it.bridge.connect({ shopId });
  await expect(invited(it.bridge, { shopId })).rejects.toThrow(`is connected already, as ${connection.id}`);
});

test('a link whose shop was given, chosen, or is being made gets no second one', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const given = await atCompany(it, await invited(it.bridge, { shopId, email: 'maria@shop.example' }));
  const chosen = await atCompany(it, await invited(it.bridge, { email: 'maria@shop.example' }));
  expect(await chosen.post('/company', { verb: 'choose', shop: shopId })).toMatchObject({ status: 303 });

  for (const one of [given, chosen]) {
    expect(await one.post('/company', companyTyped())).toMatchObject({ status: 409, text: expect.stringContaining('this link has its shop already') });
    expect(await stateOf(it, one)).toMatchObject({ shopId });
  }
  expect(await shopsOf(it)).toMatchObject([{ id: shopId }]);

  await using other = await world();
  const before = await atCompany(other, await invited(other.bridge, { email: 'maria@shop.example' }));
  await before.post('/company', companyTyped());
  const { shopId: earlier } = (await stateOf(other, before)) ?? {};
  const merchant = await atCompany(other, await invited(other.bridge, { email: 'maria@shop.example' }));
  other.service.next('create', 'lose-reply');
  expect(await merchant.post('/company', companyTyped())).toMatchObject({ status: 503 });
  const choosing = await merchant.post('/company', { verb: 'choose', shop: earlier ?? '' });
  expect(choosing).toMatchObject({ status: 409, text: expect.stringContaining('a new shop was asked for') });
  expect(await merchant.post('/company', companyTyped())).toMatchObject({ status: 303 });
  expect(other.service.living).toBe(2);
});
