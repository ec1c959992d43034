import { expect, test } from 'vitest';
import { findOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { confirmLink } from '../../../src/operations/onboarding/confirm-company.ts';
import { statusLink } from '../../../src/operations/onboarding/invitations.ts';
import { createLog } from '../../../src/platform/log.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { invited, type Merchant, withLink } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { openAs, wrongForMerchant } from '../../support/console/look-at.ts';
import { longTest } from '../../support/long-test.ts';
import { inLong } from '../../support/run-size.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

const SAME = { 'sec-fetch-site': 'same-origin' };

test('CONNECT=open is gone: without a link nobody begins, from whatever address', async () => {
  await using it = await world({ config: { mail: { smtpUrl: null, from: 'a@b.example', replyTo: 'help@service.example' } } });
  const at = (init: RequestInit = {}) => fetch(`${it.bridge.app.url}/connect`, { redirect: 'manual', ...init });
  const shown = await at();
  expect(shown.status).toBe(404);
  const words = await shown.text();
  expect(words).toContain('Тук е нужна връзка');
  expect(words).toContain('Пишете на help@service.example.');
  for (const headers of [SAME, { origin: 'null' }]) expect((await at({ method: 'POST', headers })).status).toBe(404);
  expect((await it.bridge.pool.query('select from onboardings')).rowCount).toBe(0);

  const loaded = loadConfig({ CONNECT: 'open' }, { role: 'all', cwd: '/' });
  expect(loaded).toEqual({ ok: false, problems: [expect.stringMatching(/^CONNECT must be invited, or left out: `open` is gone; .+`orderbridge invite`/)] });
  expect(loadConfig({ CONNECT: 'invited' }, { role: 'all', cwd: '/' }).ok).toBe(true);
});

test('the token is in no line of the log, whatever is asked or fails, and no other site learns it', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', name: 'test', destination: { write: (line) => lines.push(line) } });
  await using it = await world({ log });
  const { bridge } = it;
  const merchant = await invited(bridge, { email: 'maria@shop.example' });
  for (const path of ['', '/company', '/status', '/nowhere', '?a=1']) expect((await merchant.get(path)).headers.get('referrer-policy')).toBe('no-referrer');
  for (const path of ['/company', '/language', '/status/unlink', '/nowhere']) await merchant.post(path, companyTyped());
  for (const path of ['%E0%A4%A', '/company%E0', '%00', `/${'x'.repeat(5_000)}`]) expect((await merchant.get(path)).status).toBeLessThan(500);
  await bridge.pool.query('alter table onboarding_links rename to gone');
  expect(await merchant.get('')).toMatchObject({ status: 500 });
  expect(await merchant.post('/company', companyTyped())).toMatchObject({ status: 500 });

  expect(lines.filter((line) => line.includes('a request failed')).length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes(merchant.token) || line.includes('maria@'))).toEqual([]);
});

longTest('the pages are well in both languages, with and without script, on a desktop and a phone, light and dark', async () => {
  await using it = await world();
  const { bridge } = it;
  const link = async (id: string) => withLink(bridge, { id, token: await statusLink({ pool: bridge.pool }, { id }) });
  const started = await startedMerchant(bridge, { connect: { name: 'Магазин за чаши' } });
  await bridge.send(started.connected, 'order.paid', { order: orderOf('2', { payment: { method: 'econt_pay' } }) });
  await bridge.settled(started.connected, '2', 'review');
  const status = await link(started.id);
  const [early, late] = [
    await invited(bridge, { lang: null, email: 'maria@shop.example' }),
    await invited(bridge, { lang: null, email: 'maria@shop.example' }),
  ];
  for (const { id } of [early, late]) {
    const onboarding = await findOnboarding(bridge.pool, id);
    if (onboarding !== null) await saveOnboarding(bridge.pool, onboarding, { step: 'store', done: true });
  }
  await late.post('/company', companyTyped({ companyName: '' }));
  const of = ({ token }: { token: string }, ...paths: string[]) => paths.map((path) => `/connect/${token}${path}`);

  const visitor = { url: bridge.app.url };
  const waits = await invited(bridge, { lang: null, company: null, email: 'petar@shop.example' });
  const { token: confirm } = await waitsForCompany(bridge.pool, waits);
  const paths = [
    ...of(waits, '/company'),
    ...of({ token: confirm }, '/confirm'),
    ...of(early, '/company', '/status'),
    ...of(late, '/company'),
    ...of(status, '/status', '/status/orders', '/status/code', '/status/disconnect', '/status/unlink'),
  ];
  expect(await wrongForMerchant(visitor, ...paths)).toEqual([]);
  expect(await wrongForMerchant({ ...visitor, status: 404 }, '/connect', '/connect/nobody')).toEqual([]);
});

/** They named a company, and are to confirm it by the link that is returned. */
async function waitsForCompany(pool: World['bridge']['pool'], { id, post }: Merchant) {
  const onboarding = await findOnboarding(pool, id);
  if (onboarding !== null) await saveOnboarding(pool, onboarding, { step: 'store', done: true });
  await post('/company', companyTyped());
  return (await confirmLink({ pool }, id)) ?? { token: '' };
}

test.each(inLong([true, false]))('a merchant fills in their company in a browser, script: %s', async (script) => {
  await using it = await world({ embeddedService: true });
  const merchant = await invited(it.bridge, { lang: null });
  const onboarding = await findOnboarding(it.bridge.pool, merchant.id);
  if (onboarding !== null) await saveOnboarding(it.bridge.pool, onboarding, { step: 'store', done: true });
  await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { width: 360, theme: 'light', script, lang: 'bg' });
  const { page, problems } = opened;

  await page.goto(`${it.bridge.app.url}/connect/${merchant.token}`);
  await page.fill('#companyUic', '206770509');
  await page.click('text=Проверете');
  expect(await page.textContent('#companyUic-problem')).toContain('Това не е ЕИК');
  await page.fill('#companyUic', '206770508');
  await page.click('text=Проверете');
  const { verb: _verb, vat: _vat, receiptStartNumber: _start, ...typed } = companyTyped();
  for (const [field, value] of Object.entries(typed)) await page.fill(`#${field}`, value);
  await page.check('input[name=vat][value=yes]');
  await page.click('text=Продължете');
  await page.waitForURL(/\/webhooks$/);

  expect(problems.filter((words) => !/40[49]|422/.test(words))).toEqual([]);
  expect(await findOnboarding(it.bridge.pool, merchant.id)).toMatchObject({ done: ['store', 'company'], shopId: expect.any(String) });
});
