import { z } from 'zod';
import type { Connection } from '../../../src/bridge/connections/connection.ts';
import { TOKEN_COLUMNS, tokenRows } from '../../../src/bridge/ledger/connections/store-tokens.ts';
import { listOnboardings } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { readRow, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { type Answer, EnteringBrowser } from '../console/entering-browser.ts';
import type { ShopifyAdmin } from '../servers/shopify-admin/shopify-admin.ts';
import { signedQuery } from '../servers/shopify-admin/signed-query.ts';
import type { useWorlds } from '../worlds/world.ts';
import { type AppWorld, approves, type Given, goesToApprove, openAppWorld } from './app-merchant.ts';
import { inviteMerchant, type Merchant } from './store-merchant.ts';

export const SHOP = 'corner.myshopify.com';
export const INSTALL = `/shopify/install?app=corner&shop=${SHOP}`;

/** Our server behind a proxy that names the network of each browser: one is slowed down, and not the others. */
export function openAttempts(world: ReturnType<typeof useWorlds>, given: Given = {}): Promise<AppWorld> {
  return openAppWorld(world, { ...given, config: { trustProxy: ['loopback'], ...given.config } });
}

let networks = 0;

/** A browser in a network of its own, in English. `cookie`: what it sends instead of its own. */
export function newBrowser({ it }: Pick<AppWorld, 'it'>, cookie?: string): EnteringBrowser {
  networks += 1;
  const address = `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
  return new EnteringBrowser(it.bridge.app.url, { 'x-forwarded-for': address, 'accept-language': 'en', ...(cookie === undefined ? {} : { cookie }) });
}

/** A browser that was sent to its store: where, and by which state. */
export type Begun = { browser: EnteringBrowser; asked: string; state: string };

export async function begins(at: Pick<AppWorld, 'it'>, browser = newBrowser(at), install = INSTALL): Promise<Begun> {
  const { location, text } = await browser.get(install);
  if (location === null) throw new Error(`the merchant was not sent to the store: ${text}`);
  return { browser, asked: location, state: stateOf(location) };
}

/** And approved there: what leads back, which they have not opened yet. */
export async function approved(at: AppWorld, browser = newBrowser(at)): Promise<Begun & { back: string }> {
  const begun = await begins(at, browser);
  return { ...begun, back: await approves(at, begun.asked) };
}

export function stateOf(address: string): string {
  return new URL(address, 'http://any').searchParams.get('state') ?? '';
}

/** The way back with some of its values changed (null: left out), signed with this secret. */
export function signedBack(back: string, changes: Readonly<Record<string, string | null>>, secret: string): string {
  const { pathname, searchParams } = new URL(back, 'http://any');
  searchParams.delete('hmac');
  const values = Object.entries({ ...Object.fromEntries(searchParams), ...changes }).filter((pair): pair is [string, string] => pair[1] !== null);
  return `${pathname}?${signedQuery(Object.fromEntries(values), secret)}`;
}

/** How often somebody asked the store for tokens. */
export function exchanges({ asked }: Pick<ShopifyAdmin, 'asked'>): number {
  return asked.filter(({ path }) => path === '/admin/oauth/access_token').length;
}

/** What is in the way of going on: the title of the page; or where it leads. */
export function seen({ status, text, location }: Answer): [number, string] {
  return [status, location ?? titleIn(text)];
}

export function titleIn(text: string): string {
  return (/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? '').trim();
}

const found = z.object({ store: z.object({ url: z.string() }) });

/** The merchants' ways, and the store that each found. */
export async function waysOf({ it }: Pick<AppWorld, 'it'>) {
  const ways = (await listOnboardings(it.bridge.pool)).toReversed();
  return ways.map(({ done, progress }) => ({ done, store: found.safeParse(progress).data?.store.url ?? null }));
}

const requests = rowsOf('grant_requests', z.object({ isUsed: z.boolean() }));

/** Merchants who were sent to their stores, and whether anybody came back. */
export function begunRequests({ it }: Pick<AppWorld, 'it'>) {
  return readRows(it.bridge.pool, requests, { text: 'select used_at is not null as "isUsed" from grant_requests order by made_at' });
}

/** A merchant who approved by their link, chose their company, and had their store connected. */
export async function connectedMerchant(at: AppWorld): Promise<Merchant> {
  const merchant = await approvedMerchant(at);
  const made = await merchant.post('/webhooks', { act: 'make' });
  if (made.location !== `${merchant.base}/webhooks`) throw new Error(`the store was not connected: ${made.text}`);
  return merchant;
}

/** The same, before their store is connected. */
export async function approvedMerchant(at: AppWorld): Promise<Merchant> {
  const merchant = await inviteMerchant(at.it);
  const landed = await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  if (landed.location !== `${merchant.base}/company`) throw new Error(`the approval was not taken: ${landed.text}`);
  await merchant.chooseCompany();
  return merchant;
}

/** The connections of the store, the newest last. */
export async function connectionsOf({ it }: Pick<AppWorld, 'it'>): Promise<Connection[]> {
  const all = await it.bridge.app.core.connections.findByStore('shopify', SHOP);
  return all.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

/** Whether Shopify still takes what is kept to renew the tokens of this connection. */
export async function isRenewable({ it, shop, atShopify }: AppWorld, { id }: Pick<Connection, 'id'>): Promise<boolean> {
  const { pool, sealer } = it.bridge.app.core;
  const kept = await readRow(pool, tokenRows(sealer), { text: `select ${TOKEN_COLUMNS} from store_tokens t where t.connection_id = $1`, values: [id] });
  return shop.grants.installations.get(atShopify.clientId)?.refreshTokens.get(kept?.stored?.refreshToken ?? '')?.isDead === false;
}

/** Anyone who writes this loses its connection to the database, until it is mended. */
export async function cutAt({ it }: Pick<AppWorld, 'it'>, { table, when = 'true' }: { table: string; when?: string }) {
  const { pool } = it.bridge;
  await pool.query(
    `create function bridge.cut() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`,
  );
  await pool.query(`create trigger cut before insert or update on bridge.${table} for each row when (${when}) execute function bridge.cut()`);
  return { mend: () => pool.query('drop function bridge.cut() cascade') };
}
