import { expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { monthOf, sofiaDay } from '../../../src/service/law/calendar.ts';
import { codeBrowser, openByCode } from '../../support/connect/code-browser.ts';
import { type Merchant, withLink } from '../../support/connect/merchant.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { formOf } from '../../support/console/form-of.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import { type Bridge, type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const mailing = ({ url }: SmtpHandle) => ({
  embeddedService: true,
  config: { publicUrl: 'https://bridge.example', mail: { smtpUrl: new Secret(url), from: 'bridge@service.example' } },
});
const DAY_MS = 24 * 3_600_000;

async function keptPage(bridge: Bridge, id: string): Promise<Merchant> {
  return withLink(bridge, { id, token: await newOnboardingLink({ pool: bridge.pool }, { id }, { scope: { kind: 'status' }, days: null }) });
}

type Paid = { id: string; daysAgo?: number; state?: 'recorded' | 'review' | 'ignored'; method?: string };

async function paid(bridge: Bridge, connected: Connected, { id, daysAgo = 0, state = 'recorded', method = 'stripe' }: Paid) {
  const at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  await bridge.send(connected, 'order.paid', { order: orderOf(id, { createdAt: at, updatedAt: at, paidAt: at, payment: { method, transactionId: 'pi_1' } }) });
  await bridge.settled(connected, id, state);
}

test('a merchant sees how the store does and its orders without buyers, by the address alone; files take a code, and are those of their shop alone', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const { bridge } = it;
  const [own, others] = [await ownShop(it), await ownShop(it)];
  const started = await startedMerchant(bridge, { email: 'maria@shop.example', lang: 'en', connect: { name: 'Corner', shopId: own.shopId } });
  const other = await startedMerchant(bridge, { email: 'petar@shop.example', lang: 'en', connect: { name: 'Garden', shopId: others.shopId } });
  await paid(bridge, started.connected, { id: '1' });
  await paid(bridge, started.connected, { id: '2', state: 'review', method: 'econt_pay' });
  const paidAt = new Date().toISOString();
  const many = Array.from({ length: 26 }, (_, n) => orderOf(String(n + 10), { paidAt }));
  await Promise.all(many.map((order) => bridge.send(started.connected, 'order.paid', { order })));
  await paid(bridge, started.connected, { id: '3', daysAgo: 120, state: 'recorded' });
  await paid(bridge, other.connected, { id: '77' });
  const merchant = await keptPage(bridge, started.id);

  // What came is counted behind the answers.
  const page = await until(
    async () => {
      const { text } = await merchant.get('/status');
      expect(text).toMatch(/Last message of the store: <time/);
      return text;
    },
    { what: 'the last message to be counted' },
  );
  expect(page).toMatch(/Orders recorded in \w+ 20\d\d: \d+ \(€[\d,.]+\)\./);
  expect(page).toContain('class="strip silence"');
  expect(page).toContain(`“econt_pay” has no mapping: 1 order waits for it. <a href="/connect/${merchant.token}/mapping">Tell us what it is</a>`);
  // It is said once.
  expect(page).not.toContain('to be looked at');
  const first = (await merchant.get('/status/orders')).text;
  const second = (await merchant.get(`/status/orders?after=${/orders\?after=([^"]+)"/.exec(first)?.[1]}`)).text;
  const all = first + second;
  for (const shown of ['#1<', '#2<', '#35<', '€48.00', 'econt_pay']) expect([shown, all.includes(shown)]).toEqual([shown, true]);
  expect(all).toMatch(/data-label="Document">00\d{8}</);
  expect(second).toContain('Previous page');
  for (const hidden of ['#3<', '#77', 'maria', 'Мария', 'Иванова', 'Тениска', 'pi_1']) expect([hidden, all.includes(hidden)]).toEqual([hidden, false]);

  const month = monthOf(sofiaDay(new Date().toISOString()));
  const deps = { pool: bridge.pool, now: () => new Date(Date.now() + 40 * DAY_MS), currency: null, replacementWaitMs: 0 };
  for (const { shopId } of [own, others]) expect((await generateMonth(deps, { shopId, month, now: true })).kind).toBe('generated');
  expect((await merchant.get('/status')).text).toContain(`/status/files/${month}/bookkeeping"`);
  expect((await merchant.get(`/status/files/${month}/xml`)).location).toBe(`/connect/${merchant.token}/status/code?to=/status/files/:month/:kind`);
  const browser = codeBrowser(merchant);
  await openByCode(browser, smtp, ['maria@shop.example', 1]);
  const xml = await browser.get(`/status/files/${month}/xml`);
  expect([xml.status, xml.headers.get('content-type'), xml.text.includes('<ord_n>'), xml.headers.get('referrer-policy')]).toEqual([
    200,
    'application/xml; charset=windows-1251',
    true,
    'no-referrer',
  ]);
  expect((await browser.get(`/status/files/${month}/bookkeeping`)).headers.get('content-disposition')).toContain('_bookkeeping.csv');
  for (const wrong of [`${month}/page`, '2020-01/xml', `${month}-01/xml`, `${month}/constructor`]) {
    const answer = await browser.get(`/status/files/${wrong}`);
    expect([wrong, answer.status, answer.location]).toEqual([wrong, 303, `/connect/${merchant.token}/status`]);
  }
  // The same browser has nothing of another store’s.
  const neighbour = await keptPage(bridge, other.id);
  expect((await codeBrowser(neighbour, browser.cookie()).get(`/status/files/${month}/xml`)).status).toBe(303);
});

test('what a new way to pay is, is answered from the page that a merchant keeps, and what waited for it is decided again in their name', async () => {
  await using smtp = await startSmtp();
  await using it = await world({ ...mailing(smtp), embeddedService: false });
  const { bridge } = it;
  const started = await startedMerchant(bridge, { email: 'maria@shop.example', lang: 'en', connect: { name: 'Corner' } });
  await paid(bridge, started.connected, { id: '1', state: 'review', method: 'econt_pay' });
  const browser = codeBrowser(await keptPage(bridge, started.id));
  await openByCode(browser, smtp, ['maria@shop.example', 1]);
  const path = `/connect/${(await browser.get('/status')).text.match(/connect\/([\w-]{43})/)?.[1]}/mapping`;

  const asked = await browser.get('/mapping');
  const fields = { act: 'save', seen: formOf(asked.text, path)['seen']?.[0] ?? '', gateway: 'econt_pay', type: 'POSTAL_PAYMENT', processor: '' };
  const saved = await Promise.all([1, 2].map(() => browser.post('/mapping', fields)));

  for (const one of saved) expect([one.status, one.location]).toEqual([303, `${path}?saved=1`]);
  expect((await browser.get('/mapping?saved=1')).text).toContain('Orders that waited for it are decided again');
  await bridge.settled(started.connected, '1', 'recorded');
  expect(await readBridgeActs(bridge.pool)).toContainEqual(expect.objectContaining({ act: 'order.released', who: `merchant:${started.id}` }));
  expect((await browser.get('/status')).text).toContain('All is well');
});
