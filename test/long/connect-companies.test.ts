import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findOnboarding } from '../../src/bridge/ledger/invitations/onboarding-store.ts';
import { Secret } from '../../src/config/secret.ts';
import { numbersOf } from '../../src/operations/service/numbers.ts';
import { invited, type Merchant } from '../support/connect/merchant.ts';
import { reachable } from '../support/connect/store-merchant.ts';
import { Walker } from '../support/connect/walker.ts';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { plainTextOf } from '../support/samples/mail-parts.ts';
import { type SmtpHandle, startSmtp } from '../support/servers/smtp-server.ts';
import { startWooServer, type WooServer } from '../support/servers/woo/start-woo-server.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();
const UIC = '206770508';

type At = { it: World; smtp: SmtpHandle };

/** From the link to the page that waits, which the mail to this mailbox leads on from. Returns what that page says. */
async function namesCompany({ it, smtp }: At, store: WooServer, mailbox: string) {
  const merchant = await invited(it.bridge, { lang: 'en', email: mailbox, company: null });
  const opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { theme: 'light', width: 1280, script: true, lang: 'en' });
  const { page, context } = opened;
  const link = `${it.bridge.app.url}/connect/${merchant.token}`;
  const walker = new Walker({ page, link, double: false, script: true, lang: 'en' });
  await page.goto(link);
  await walker.giveStore(store.url);
  await walker.giveCompany('cups.example');
  await page.getByText('No shop is made until it is confirmed').waitFor();
  await walker.look('waits');
  const waits = (await page.locator('main').innerText()).replaceAll(mailbox, 'MAILBOX');
  return { merchant, page, walker, waits, thanks: await confirms(context, smtp, mailbox), opened };
}

async function confirms(context: BrowserContext, smtp: SmtpHandle, mailbox: string): Promise<string> {
  const mails = () => smtp.taken.filter(({ to }) => to.includes(mailbox)).map(plainTextOf);
  await until(() => mails().length > 0, { what: `the mail to ${mailbox}` });
  const page = await context.newPage();
  await page.goto(/http\S+\/connect\/[\w-]{43}/.exec(mails()[0] ?? '')?.[0] ?? '');
  await page.getByRole('button', { name: 'Yes, it is my company' }).click();
  await page.getByText('Thank you.').waitFor();
  const said = await page.locator('main').innerText();
  await page.close();
  return said;
}

const continues = async (page: Page) => {
  await page.getByRole('link', { name: 'It is confirmed: go on' }).click();
  await page.getByText('It is confirmed that the company is yours.').waitFor();
  await page.locator('button[value="save"]').click();
  await page.waitForURL(/\/webhooks$/);
};
const shopOf = async ({ it }: At, { id }: Merchant) => (await findOnboarding(it.bridge.pool, id))?.shopId ?? null;

test('S1: two merchants with one company number: the second gets the same page, no shop and no number, until the operator decides', {
  timeout: 300_000,
}, async () => {
  await using smtp = await startSmtp();
  const mail = { smtpUrl: new Secret(smtp.url), from: 'bridge@service.example' };
  await using it = await world({ embeddedService: true, config: { ...(await reachable()), mail } });
  const at = { it, smtp };
  await using store = await startWooServer({ now: Date.now });
  await using other = await startWooServer({ now: Date.now });
  for (const one of [store, other]) one.floor.buy({ gateway: 'bacs' });

  const first = await namesCompany(at, store, 'first@shop.example');
  await using _first = first.opened;
  await continues(first.page);
  await first.walker.makeWebhooks();
  await first.walker.answerAndStart(async () => undefined);
  store.floor.buy({ gateway: 'bacs' });
  await store.webhooks.runQueue();
  await until(async () => (await numbersOf(it.bridge, UIC)).next === 2, { what: 'the first order to be recorded' });

  const second = await namesCompany(at, other, 'second@shop.example');
  await using _second = second.opened;
  expect([second.waits, second.thanks]).toEqual([first.waits, first.thanks]);
  await second.page.getByRole('link', { name: 'It is confirmed: go on' }).click();
  await second.page.getByText('No shop is made until it is confirmed').waitFor();
  expect(await shopOf(at, second.merchant)).toBeNull();
  expect(await numbersOf(it.bridge, UIC)).toMatchObject({ next: 2, skipped: [], shops: [{ orders: 1 }] });

  const { url } = it.bridge.app;
  expect(await wrongIn({ url, cookie: (await signIn(it.bridge)).cookie }, '/console/stores/invitations')).toEqual([]);
  const visitor = { url, cookie: (await signIn(it.bridge)).cookie };
  await using console = await openAs(visitor, { theme: 'light', width: 1280, script: true, lang: 'en' });
  await console.page.goto(`${it.bridge.app.url}/console/stores/invitations`);
  await console.page.getByText('Already used by first@shop.example.').waitFor();
  await console.page.getByRole('button', { name: 'It is not theirs' }).click();
  await console.page.getByText('no shop is made').waitFor();
  await second.page.getByRole('link', { name: 'It is confirmed: go on' }).click();
  await second.page.getByText('did not confirm that the company is yours').waitFor();
  expect(await shopOf(at, second.merchant)).toBeNull();

  // It was theirs after all: they name it once more.
  await second.walker.type('companyUic', UIC);
  await second.page.locator('button[value="uic"]').click();
  await second.page.locator('button[value="save"]').click();
  await second.page.getByText('No shop is made until it is confirmed').waitFor();
  await console.page.reload();
  await console.page.getByRole('button', { name: 'It is theirs', exact: true }).click();
  await console.page.getByText('the merchant can go on').waitFor();
  await continues(second.page);
  expect(await numbersOf(it.bridge, UIC)).toMatchObject({ next: 2, skipped: [], shops: [{ orders: 1 }, { orders: 0 }] });
  expect([first.walker.wrong, second.walker.wrong]).toEqual([[], []]);
});
