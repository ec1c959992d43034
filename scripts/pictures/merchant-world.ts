import type { Page } from 'playwright-core';
import { companyTyped } from '../../test/support/connect/company-typed.ts';
import { approveAt, comeBack, goToStore, inviteMerchant, type Merchant, reachable } from '../../test/support/connect/store-merchant.ts';
import { formOf } from '../../test/support/console/form-of.ts';
import { startOwnPostgres } from '../../test/support/servers/own-postgres.ts';
import { startWooServer, type WooServer } from '../../test/support/servers/woo/start-woo-server.ts';
import { usualSettings } from '../../test/support/servers/woo/woo-settings.ts';
import { Bridge } from '../../test/support/worlds/bridge.ts';
import { until } from '../../test/support/worlds/settled.ts';
import type { Shot } from './shots.ts';

type Picture = (shot: Shot) => Promise<void>;
type Way = { bridge: Bridge; store: WooServer; merchant: Merchant; shoot(name: string, path: string, how?: Pick<Shot, 'lang' | 'devices'>): Promise<void> };

/** The way of a merchant from their link to the page that they keep, each page as they come to it. */
export async function pictureMerchant(picture: Picture): Promise<void> {
  await using postgres = await startOwnPostgres();
  await using bridge = await Bridge.start({ databaseUrl: postgres.url, config: await reachable() });
  await using store = await startWooServer({ now: Date.now, settings: { ...usualSettings, statuses } });
  sell(store);
  const merchant = await inviteMerchant({ bridge });
  // In the language of who looks.
  await bridge.pool.query('update onboardings set lang = null');
  const shoot: Way['shoot'] = (name, path, how = { devices: ['desktop'] }) =>
    picture({ name, folder: 'connect', url: `${bridge.app.url}${path}`, cookie: null, press: (page) => asOnline(page, store.url), ...how });
  const way = { bridge, store, merchant, shoot };
  await toCompany(way);
  await toMapping(way);
  await toStatus(way);
}

const statuses = [{ slug: 'econt-delivered', name: 'Доставена с Еконт' }];
const PHONE = { lang: 'bg', devices: ['phone'] } as const;

function sell({ floor }: WooServer): void {
  for (let sold = 0; sold < 3; sold += 1) floor.buy({ items: [{ cents: 1450, name: 'Чаша с дръжка' }] });
  floor.buy({ gateway: 'bacs' });
  floor.buy({ items: [{ cents: 1090, rate: 9, name: 'Книга с рецепти' }] });
  floor.setStatus(floor.buy({ gateway: 'cod', paid: false }).id, 'completed');
  floor.buy({ gateway: 'cod', paid: false, values: { status: 'econt-delivered' } });
}

/** The stand-in as a store on the internet: its address is what a picture would show of this machine. */
async function asOnline(page: Page, url: string): Promise<void> {
  const { host } = new URL(url);
  await page.evaluate(`(() => {
    const named = (text) => text.replaceAll('http://${host}', 'https://cups.example').replaceAll('${host}', 'cups.example');
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = named(texts.currentNode.data);
    // It is called over http, on this machine alone.
    document.querySelector('ul.notes')?.remove();
    for (const field of document.querySelectorAll('input[type=text], input:not([type])')) field.value = named(field.value);
  })()`);
}

async function toCompany({ store, merchant, shoot }: Way): Promise<void> {
  const { base } = merchant;
  await shoot('store', `${base}/store`);
  await shoot('store-bg', `${base}/store`, PHONE);
  const asked = await goToStore(merchant, store.url);
  await shoot('store-found', `${base}/store/found`);
  await shoot('store-keys', `${base}/store/keys`);
  await comeBack(merchant, await approveAt(asked));
  const { companyUic = '' } = companyTyped();
  await merchant.post('/company', { verb: 'uic', companyUic });
  await shoot('company', `${base}/company`);
  await merchant.post('/company', companyTyped({ domain: 'cups.example' }));
}

async function toMapping({ store, merchant, shoot }: Way): Promise<void> {
  const { base } = merchant;
  await merchant.post('/webhooks', { act: 'make', agree: 'yes' });
  await store.webhooks.runQueue();
  await until(async () => (await merchant.get('/webhooks')).text.includes('class="tag ok">✓'), { what: 'the first message to be shown' });
  await shoot('webhooks', `${base}/webhooks`);
  await shoot('mapping', `${base}/mapping`);
  await shoot('mapping-bg', `${base}/mapping`, PHONE);
  const answers = { ...formOf((await merchant.get('/mapping')).text, `${base}/mapping`), 'on-delivery': 'cod', 'cod-paid': 'completed', act: 'save' };
  await merchant.browser.post(`${base}/mapping`, answers);
}

async function toStatus({ bridge, store, merchant, shoot }: Way): Promise<void> {
  const { base } = merchant;
  await shoot('trial', `${base}/trial`);
  const { text } = await merchant.get('/trial?from=month');
  const form = { ...formOf(text, `${base}/trial`), from: 'month' };
  const [kept] = /^\/connect\/[^/]+/.exec((await merchant.browser.post(`${base}/trial`, form)).location ?? '') ?? [];
  if (kept === undefined) throw new Error('the store does not start');
  store.floor.buy();
  await store.webhooks.runQueue();
  const recorded = async () => (await bridge.pool.query(`select from orders where state = 'recorded'`)).rowCount ?? 0;
  await until(async () => (await recorded()) > 1, { what: 'orders to be recorded' });
  await shoot('status', `${kept}/status`);
  await shoot('status-bg', `${kept}/status`, PHONE);
  await shoot('status-disconnect', `${kept}/status/disconnect`);
}
