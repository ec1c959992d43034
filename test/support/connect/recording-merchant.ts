import type { Connection } from '../../../src/bridge/connections/connection.ts';
import { findOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { EnteringBrowser } from '../console/entering-browser.ts';
import { formOf } from '../console/form-of.ts';
import { type AppWorld, approves, goesToApprove } from './app-merchant.ts';
import { inviteMerchant, type Merchant } from './store-merchant.ts';

/** A browser at pages below `base`. */
type AtPages = { browser: EnteringBrowser; base: string };

/** From webhooks to the start of a merchant whose company is known: nothing is left to answer. `from`: as the trial's form has it. `trial`: what that page says. */
export async function startsRecording({ browser, base }: AtPages, from = 'now'): Promise<{ trial: string }> {
  await browser.post(`${base}/webhooks`, { act: 'make' });
  const mapping = formOf((await browser.get(`${base}/mapping`)).text, `${base}/mapping`);
  const mapped = await browser.post(`${base}/mapping`, { ...mapping, act: 'save' });
  if (mapped.location !== `${base}/trial`) throw new Error(`the mapping was not taken: ${mapped.text}`);
  const trial = (await browser.get(`${base}/trial?from=${from}`)).text;
  const started = await browser.post(`${base}/trial`, { ...formOf(trial, `${base}/trial`), from: from.split('&', 1) });
  if (started.location === null) throw new Error(`it was not started: ${started.text}`);
  return { trial };
}

export const MAILBOX = 'maria@cups.example';

/** A merchant who was invited by their mailbox, let the app in, and records. */
export async function recordingMerchant(at: AppWorld): Promise<{ merchant: Merchant; connection: Connection; shopId: string }> {
  const { pool } = at.it.bridge;
  const merchant = await inviteMerchant(at.it);
  await saveOnboarding(pool, await merchant.now(), { email: MAILBOX });
  await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  const shopId = await merchant.chooseCompany();
  // By which the mapping learns how this store is paid.
  at.shop.buy().pay('Bank Deposit');
  at.shop.outbox.length = 0;
  await startsRecording(merchant);
  const [connection] = await connectionsOf(at);
  if (connection === undefined || (await findOnboarding(pool, merchant.id))?.startedAt == null) throw new Error('the store does not record');
  return { merchant, connection, shopId };
}

/** Those of the shop, live ones first. */
export function connectionsOf({ it }: Pick<AppWorld, 'it'>): Promise<Connection[]> {
  return it.bridge.app.core.connections.findByStore('shopify', 'corner.myshopify.com');
}

/** The app was uninstalled so many hours ago: its webhooks are gone, its tokens dead, the connection closed. */
export async function uninstalledFor({ it, shop, atShopify }: AppWorld, { id }: Pick<Connection, 'id'>, hours: number): Promise<void> {
  shop.uninstall(atShopify);
  shop.webhooks.length = 0;
  shop.outbox.length = 0;
  await it.bridge.app.core.connections.close(id);
  await it.bridge.pool.query(`update connections set closed_at = now() - $2 * interval '1 hour' where id = $1`, [id, hours]);
}

/** Installs the app from Shopify, without any link: the pages to which that leads. */
export async function installsAgain(at: AppWorld): Promise<AtPages> {
  const browser = new EnteringBrowser(at.it.bridge.app.url, { 'accept-language': 'en' });
  const { location } = await browser.get('/shopify/install?app=corner&shop=corner.myshopify.com');
  const landed = await browser.get(await approves(at, location ?? ''));
  if (landed.location === null) throw new Error(`it leads nowhere: ${landed.text}`);
  return { browser, base: landed.location };
}
