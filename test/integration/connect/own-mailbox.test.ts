import { expect, test } from 'vitest';
import { STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { findOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { chooseShop, offeredShops } from '../../../src/operations/onboarding/choose-shop.ts';
import { decideCompany } from '../../../src/operations/onboarding/confirm-company.ts';
import { carryMailbox, confirmMailbox, mailboxSays, saveNewest, sayWhose, toOnboarding } from '../../../src/operations/onboarding/onboarding.ts';
import { mailboxMark } from '../../../src/platform/mail/mailboxes.ts';
import { recipientState, refusedShops, sayOfShop } from '../../../src/service/mail/recipients.ts';
import { readShop } from '../../../src/service/reading/read-shops.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { mailMerchants } from '../../support/connect/mail-merchants.ts';
import { invited, type Merchant, uninvited as uninvitedMerchant } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const MARIA = 'maria@shop.example';
const ASKED = 'Where do we write if only you can fix something?';
const ASKED_BG = 'Къде да пишем, ако само вие можете да поправите нещо?';

/** Anyone who came by the install link, or from the platform, whose store is known. */
async function uninvited({ bridge }: World): Promise<Merchant> {
  return atCompany(bridge, await uninvitedMerchant(bridge));
}

async function atCompany({ pool }: World['bridge'], merchant: Merchant): Promise<Merchant> {
  await saveOnboarding(pool, await kept(pool, merchant), { step: 'store', done: true, progress: {}, lang: 'en' });
  return merchant;
}

async function kept(pool: World['bridge']['pool'], { id }: Pick<Merchant, 'id'>) {
  const found = await findOnboarding(pool, id);
  if (found === null) throw new Error('there is no such onboarding');
  return found;
}

/** To whom mails go of what lasts. */
async function mailedTo({ bridge }: World): Promise<string[]> {
  await using smtp = await startSmtp();
  const began = Date.now();
  for (const ms of [0, 10 * 60_000]) await mailMerchants(bridge.app.core, { smtp, now: new Date(began + ms) });
  return smtp.taken.flatMap(({ to }) => to);
}

test('anyone who was invited nowhere is asked where they want mails: the mailbox of their company is proposed, what is wrong is said, and empty is right', async () => {
  await using it = await world({ embeddedService: true });
  const { pool } = it.bridge;
  const merchant = await uninvited(it);
  await merchant.post('/company', { verb: 'uic', companyUic: '206770508' });
  expect((await merchant.get('/company')).text).toContain(ASKED);

  const wrong = await merchant.post('/company', companyTyped({ mailTo: 'nobody', vat: '' }));
  expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining('2 fields need correcting.') });
  expect(wrong.text).toMatch(/name="mailTo"[^>]*value="nobody"[^>]*aria-invalid="true"/);
  // What they typed of their company is kept; the address that is none is not.
  expect(await kept(pool, merchant)).toMatchObject({ mailTo: null, shopId: null });
  expect((await merchant.get('/company')).text).toMatch(/name="mailTo"[^>]*value="shop@cups.example"/);
  // Nothing is made by a form with a mailbox that is none.
  expect(await merchant.post('/company', companyTyped({ mailTo: 'nobody' }))).toMatchObject({ status: 422 });
  expect((await kept(pool, merchant)).shopId).toBeNull();

  expect((await merchant.post('/company', companyTyped({ mailTo: 'me@cups.example' }))).status).toBe(303);
  await decideCompany(it.bridge, { id: merchant.id, company: '206770508', isTheirs: true, by: 'cli:test' });
  expect((await merchant.post('/company', companyTyped({ mailTo: 'me@cups.example' }))).status).toBe(303);
  expect(await kept(pool, merchant)).toMatchObject({ email: null, mailTo: 'me@cups.example', done: ['store', 'company'] });
  expect((await merchant.post('/company', companyTyped({ mailTo: '' }))).status).toBe(303);
  expect(await kept(pool, merchant)).toMatchObject({ mailTo: null });
  // They left it empty: it is not proposed again.
  expect((await merchant.get('/company')).text).toMatch(/name="mailTo"[^>]*value=""/);
  await merchant.post('/language', { lang: 'bg' });
  expect((await merchant.get('/company')).text).toContain(ASKED_BG);
});

test('anyone who was invited by a mailbox is not asked, and keeps it whatever their browser sends', async () => {
  await using it = await world({ embeddedService: true });
  const merchant = await atCompany(it.bridge, await invited(it.bridge, { email: 'maria@shop.example' }));
  await merchant.post('/company', { verb: 'uic', companyUic: '206770508' });

  expect((await merchant.get('/company')).text).not.toContain(ASKED);
  for (const form of [companyTyped({ mailTo: 'other@cups.example' }), { verb: 'mail', mailTo: 'other@cups.example' }]) await merchant.post('/company', form);
  expect(await kept(it.bridge.pool, merchant)).toMatchObject({ email: 'maria@shop.example', mailTo: null });
});

test('whose shop was given without a mailbox is asked on the same page', async () => {
  await using it = await world({ embeddedService: true });
  const { connection } = await it.bridge.connect();
  const merchant = await atCompany(it.bridge, await invited(it.bridge, { email: null }));
  await saveOnboarding(it.bridge.pool, await kept(it.bridge.pool, merchant), { shopId: connection.shopId, step: 'company', done: true });

  expect((await merchant.get('/company')).text).toContain(ASKED);
  expect(await merchant.post('/company', { verb: 'mail', mailTo: 'nobody' })).toMatchObject({ status: 422, text: expect.stringContaining('value="nobody"') });
  expect((await merchant.post('/company', { verb: 'mail', mailTo: 'me@cups.example' })).status).toBe(303);
  expect(await kept(it.bridge.pool, merchant)).toMatchObject({ mailTo: 'me@cups.example' });
});

test('mails of what only they can mend go there once it is confirmed', async () => {
  await using it = await world();
  const { pool, app } = it.bridge;
  const { id, connected } = await startedMerchant(it.bridge, { email: null });
  await saveOnboarding(pool, await kept(pool, { id }), { mailTo: 'me@cups.example' });
  await app.core.connections.warn(connected.connection.id, STORE_API_WARNING, 'refused');

  expect(await mailedTo(it)).toEqual([]);
  await confirmMailbox(pool, { id, shopId: null }, mailboxMark(pool, 'me@cups.example'));
  expect(await mailedTo(it)).toEqual(['me@cups.example']);
});

test('a mailbox that was typed is no invitation: it shows nobody’s shops, neither to who typed it nor to who is invited there', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const { connection } = await it.bridge.connect();
  const { shopId, destinationId } = connection;
  await it.bridge.app.core.connections.close(connection.id);
  const before = await invited(it.bridge, { email: 'maria@shop.example' });
  await saveOnboarding(pool, await kept(pool, before), { shopId, destinationId });
  const typed = await uninvited(it);
  await saveOnboarding(pool, await kept(pool, typed), { mailTo: 'maria@shop.example' });
  const byPerson = await invited(it.bridge, { email: null });
  await saveOnboarding(pool, await kept(pool, byPerson), { mailTo: 'maria@shop.example' });
  const offered = async (one: Pick<Merchant, 'id'>) =>
    offeredShops({ pool, sealer: it.bridge.app.core.sealer, service: null }, toOnboarding(await kept(pool, one)));

  expect(await offered(typed)).toEqual([]);
  expect(await offered(byPerson)).toEqual([]);
  // A way that has a shop, and a mailbox that was typed alone.
  await saveOnboarding(pool, await kept(pool, before), { email: null, mailTo: 'petar@shop.example' });
  expect(await offered(await invited(it.bridge, { email: 'petar@shop.example' }))).toEqual([]);
  await saveOnboarding(pool, await kept(pool, before), { email: 'petar@shop.example' });
  expect(await offered(await invited(it.bridge, { email: 'petar@shop.example' }))).toMatchObject([{ shopId }]);
});

test('what a mailbox refused holds for another way to the same shop, and for a way of the same store', async () => {
  await using it = await world();
  const { pool, app } = it.bridge;
  const { connection } = await it.bridge.connect();
  const { shopId, destinationId } = connection;
  await app.core.connections.close(connection.id);
  const [before, after, typed] = [await invited(it.bridge, { email: MARIA }), await invited(it.bridge, { email: MARIA }), await uninvited(it)];
  await saveOnboarding(pool, await kept(pool, before), { shopId, destinationId });
  await sayWhose({ pool }, await kept(pool, before), { mailbox: mailboxMark(pool, MARIA), isRefused: true });
  const says = async (way: Merchant) => mailboxSays({ pool }, await kept(pool, way), mailboxMark(pool, MARIA));
  expect(await says(after)).toMatchObject({ isOpen: true });

  await chooseShop({ pool, sealer: app.core.sealer, service: null }, toOnboarding(await kept(pool, after)), shopId);
  await carryMailbox({ pool }, await kept(pool, before), { to: typed.id, address: MARIA });

  expect(await says(after)).toMatchObject({ isConfirmed: true, isRefused: true, isOpen: false });
  expect(await says(typed)).toMatchObject({ isConfirmed: true, isRefused: true });
});

test('what a mailbox refused before its way had a shop holds for the months of that shop', async () => {
  await using it = await world({ embeddedService: true });
  const { pool } = it.bridge;
  const merchant = await atCompany(it.bridge, await invited(it.bridge, { email: MARIA }));
  await sayWhose({ pool }, await kept(pool, merchant), { mailbox: mailboxMark(pool, MARIA), isRefused: true });
  const [made, chosen] = [await kept(pool, merchant), await ownShop(it)];

  await merchant.post('/company', companyTyped({ customerEmail: MARIA }));
  const { shopId } = await kept(pool, merchant);
  const other = await invited(it.bridge, { email: 'petar@shop.example' });
  await sayWhose({ pool }, await kept(pool, other), { mailbox: mailboxMark(pool, MARIA), isRefused: true });
  await saveNewest({ pool }, other.id, () => ({ shopId: chosen.shopId }));

  expect(made.shopId).toBeNull();
  expect((await refusedShops(pool)).map((shop) => shop.shopId)).toEqual([shopId]);
  for (const id of [shopId ?? '', chosen.shopId]) expect(await recipientState(pool, { shopId: id, address: MARIA })).toMatchObject({ isRefused: true });
});

test('a recipient whom a merchant types again gets the months as before: one whom the shop named otherwise, and one who confirmed it', async () => {
  await using it = await world({ embeddedService: true });
  const { pool } = it.bridge;
  const { call } = await ownShop(it);
  const merchant = await atCompany(it.bridge, await invited(it.bridge, { email: MARIA }));
  await merchant.post('/company', companyTyped());
  const shopId = (await kept(pool, merchant)).shopId ?? '';
  const [one, two, named] = ['one@books.example', 'two@books.example', 'named@books.example'] as const;
  const open = () => Promise.all([one, two, named, MARIA].map(async (address) => (await recipientState(pool, { shopId, address })).isOpen));
  await sayOfShop(pool, { shopId, mailbox: mailboxMark(pool, one), says: 'confirmed', by: 'cli:test' });
  await call('PUT', `/shop/${shopId}`, { body: { auditRecipientEmails: [one, named] } });
  expect(await open()).toEqual([true, false, true, true]);

  // Theirs by a code, and then another’s: it is a recipient now, whom nobody needs to ask.
  await saveNewest({ pool }, merchant.id, () => ({ email: 'petar@shop.example' }));
  await merchant.post('/company', companyTyped({ auditRecipientEmails: `${one}, ${two}, ${named.toUpperCase()}, ${MARIA}` }));

  expect((await readShop(pool, { id: shopId }))?.auditRecipientEmails).toHaveLength(4);
  expect(await open()).toEqual([true, false, true, true]);
});
