import { randomUUID } from 'node:crypto';
import { findOnboarding, insertOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import type { Config } from '../../../src/config/config.ts';
import { newOnboardingLink, type Onboarding, toOnboarding } from '../../../src/operations/onboarding/onboarding.ts';
import { type Answer, EnteringBrowser } from '../console/entering-browser.ts';
import { freePort } from '../servers/free-port.ts';
import type { World } from '../worlds/world.ts';

/** A server that stores reach at a known address. */
export async function reachable(): Promise<Partial<Config>> {
  const port = await freePort();
  return { port, publicUrl: `http://127.0.0.1:${port}` };
}

/** A merchant with a link and a browser of their own; paths are below `/connect/{token}`. */
export type Merchant = {
  id: string;
  token: string;
  base: string;
  browser: EnteringBrowser;
  get(path: string): Promise<Answer>;
  post(path: string, fields?: Record<string, string>): Promise<Answer>;
  /** As it is kept now. */
  now(): Promise<Onboarding>;
  /** The company is chosen, as its step does it. */
  chooseCompany(shopId?: string): Promise<string>;
};

export async function inviteMerchant({ bridge }: Pick<World, 'bridge'>, lang: 'en' | 'bg' = 'en'): Promise<Merchant> {
  const { pool, destinations, config } = bridge.app.core;
  const { id } = await insertOnboarding(pool, { who: 'cli:test', email: null, lang, shopId: null, destinationId: null, company: '206770508', days: 14 });
  const token = await newOnboardingLink({ pool }, { id }, { scope: { kind: 'all' }, days: 14 });
  const base = `/connect/${token}`;
  const browser = new EnteringBrowser(bridge.app.url);
  const now = async () => {
    const stored = await findOnboarding(pool, id);
    if (stored === null) throw new Error('the onboarding is gone');
    return toOnboarding(stored);
  };
  return {
    ...{ id, token, base, browser, now },
    get: (path) => browser.get(`${base}${path}`),
    post: (path, fields) => browser.post(`${base}${path}`, fields),
    async chooseCompany(shopId = randomUUID()) {
      const { compliance } = config;
      const destinationId = compliance.kind === 'remote' ? await destinations.ensure(compliance.baseUrl, { apiKey: 'key', apiSecret: 'secret' }) : null;
      await saveOnboarding(pool, await now(), { step: 'company', done: true, shopId, destinationId });
      return shopId;
    },
  };
}

type Approving = { answer?: 'Approve' | 'Deny'; times?: number };

/** What the merchant does at their store: signs in if they must, approves (or denies), and where that leads. Throws with the page of the store, if nowhere. */
export async function approveAt(address: string, { answer = 'Approve', times = 1 }: Approving = {}): Promise<string> {
  const store = new EnteringBrowser(new URL(address).origin);
  let page = await store.get(pathOf(address));
  if (page.location !== null) {
    const login = pathOf(new URL(page.location, address).href);
    page = await store.post(login, { user: 'owner' });
    page = await store.get(pathOf(new URL(page.location ?? '', address).href));
  }
  const href = new RegExp(`href="([^"]+)">${answer}<`).exec(page.text)?.[1]?.replaceAll('&amp;', '&');
  if (href === undefined) throw new Error(`the store shows: ${page.text}`);
  if (answer === 'Deny') return href;
  for (let time = 1; time <= times; time += 1) page = await store.get(href);
  if (page.location === null) throw new Error(`the store shows: ${page.text}`);
  return page.location;
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Types the address and goes to the store: the address at which it asks. */
export async function goToStore(merchant: Merchant, url: string): Promise<string> {
  const looked = await merchant.post('/store', { kind: 'address', platform: 'woocommerce', address: url });
  if (looked.location !== `${merchant.base}/store/found`) throw new Error(`the address was not taken: ${looked.text}`);
  const { location } = await merchant.get('/store/go');
  if (location === null) throw new Error('nothing leads to the store');
  return location;
}

/** Back from the store in the merchant's browser: the last answer that is no redirect of the store's step. */
export async function comeBack(merchant: Merchant, returnUrl: string): Promise<Answer> {
  const back = await merchant.browser.get(pathOf(returnUrl));
  return back.location === null ? back : merchant.browser.get(back.location);
}

/** By the shortest way: a store that has handed its keys over, of a company that is known. */
export async function withKeys(merchant: Merchant, url: string): Promise<void> {
  const done = await comeBack(merchant, await approveAt(await goToStore(merchant, url)));
  if (done.location !== `${merchant.base}/company`) throw new Error(`the keys were not taken: ${done.text}`);
  await merchant.chooseCompany();
}
