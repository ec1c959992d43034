import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { DemoAtWork } from './demo-at-work.ts';

/** One page in one way. `folder`: of the docs; absent: console. `cookie` null: nobody is signed in. `devices`: both if absent. `press`: what is done there first. */
export type Shot = {
  name: string;
  folder?: 'console' | 'connect';
  url: string;
  cookie: string | null;
  lang?: 'en' | 'bg';
  theme?: 'light' | 'dark';
  devices?: readonly ('desktop' | 'phone')[];
  press?: (page: Page) => Promise<void>;
};

/** A name, where it is, and how it is looked at. */
type Row = [name: string, path: string, how?: Pick<Shot, 'lang' | 'theme' | 'devices' | 'press'>];

/** Each page as the demo leaves it. */
export async function shotsOf(demo: DemoAtWork): Promise<Shot[]> {
  const rows = [...(await orderRows(demo)), ...(await monthRows(demo)), ...(await storeRows(demo)), ...(await peopleRows(demo))];
  return rows.map(([name, path, how = {}]): Shot => ({ name, url: `${demo.origin}${path}`, cookie: demo.cookie, ...how }));
}

async function orderRows(demo: DemoAtWork): Promise<Row[]> {
  const [asked, lost] = [await order(demo, '2006'), await order(demo, '4302')];
  const webhook = await linked(demo, '/console/review/webhooks', /href="(\/console\/webhooks\/[\w-]+)"/);
  return [
    ['today', '/console'],
    ['today-dark', '/console', { theme: 'dark', devices: ['desktop'] }],
    ['today-bg', '/console', { lang: 'bg', devices: ['phone'] }],
    ['orders', '/console/orders'],
    ['orders-none', '/console/find?q=90210'],
    ['not-there', '/console/nowhere'],
    ['order', asked],
    ['order-dark', asked, { theme: 'dark', devices: ['phone'] }],
    ['order-unconfirmed', lost],
    ['needs-a-person', '/console/review'],
    ['needs-a-person-bg', '/console/review', { lang: 'bg', devices: ['desktop'] }],
    ['issue', await linked(demo, '/console/review', /<a href="(\/console\/review\/[\w-]+)"><strong>[^<]*econt_pay/)],
    ['webhooks', '/console/review/webhooks'],
    ['webhook', webhook],
    ['hosts', '/console/review/hosts'],
  ];
}

/** The older month of the board is filed, the other one is to be. */
async function monthRows(demo: DemoAtWork): Promise<Row[]> {
  const linkedMonths = [...(await demo.text('/console/months')).matchAll(/href="(\/console\/months\/[\w-]+\/\d{4}-\d\d)"/g)].map(([, path = '']) => path);
  const [filed = '', last = ''] = linkedMonths.toSorted((a, b) => a.slice(-7).localeCompare(b.slice(-7))).filter((path, i, all) => path !== all[i - 1]);
  return [
    ['months', '/console/months'],
    ['month', last],
    ['month-filed', filed],
    ['months-older', `/console/months?older=1&shop=${filed.split('/')[3] ?? ''}`],
    ['month-differences', `${filed}/differences?first=1&second=2`],
  ];
}

async function storeRows(demo: DemoAtWork): Promise<Row[]> {
  const store = await linked(demo, '/console/stores', /href="(\/console\/stores\/[\w-]+)"[^>]*>[^<]*Sova/);
  return [
    ['stores', '/console/stores'],
    ['invitations', '/console/stores/invitations'],
    ['store', store],
    ['store-settings', `${store}/settings`],
    ['store-settings-preview', `${store}/settings`, { press: mapPayment }],
    ['store-secret', `${store}/secret`],
    ['store-secret-taken', `${store}/secret`, { press: takeSecret }],
    ['store-keys', `${store}/keys`],
    ['store-disconnect', `${store}/disconnect`],
    ['store-compare', `${store}/compare`],
    ['store-task', await compared(demo, store)],
    ['store-backfill', `${store}/backfill`],
    ['store-test', `${store}/test`],
    ['compliance-service', '/console/destinations'],
    ['exchange-rates', '/console/destinations/rates'],
    ['record', await recordOf(demo)],
  ];
}

/** Both forms wait for what is pressed next: nothing is changed but the secret of a store that is gone with the demo. */
async function mapPayment(page: Page): Promise<void> {
  await page.locator('#payment-0-type').selectOption('POSTAL_PAYMENT');
  await page.getByRole('button', { name: 'Show what it changes' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
}

async function takeSecret(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get the new secret' }).click();
  await page.locator('pre.secret').waitFor();
  // A secret belongs into no picture, although the store is gone.
  await page.evaluate(`document.querySelector('pre.secret').style.filter = 'blur(5px)'`);
}

const OVER_MS = 60_000;
const LOOK_MS = 200;

/** Holds a store against ledger and service. The address of the page with what came of it. */
async function compared(demo: DemoAtWork, store: string): Promise<string> {
  const { origin, cookie } = demo;
  const begun = await fetch(`${origin}${store}/compare`, {
    method: 'POST',
    body: new URLSearchParams({ by: 'days', from: '2026-01-01' }),
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  const page = begun.headers.get('location');
  if (page === null) throw new Error(`comparing ${store} was answered ${begun.status}`);
  for (const deadline = performance.now() + OVER_MS; performance.now() < deadline; await sleep(LOOK_MS)) {
    if (!(await demo.text(page)).includes('<progress')) return page;
  }
  throw new Error(`comparing ${store} takes too long`);
}

/** The page of the record of an order. */
async function recordOf(demo: DemoAtWork): Promise<string> {
  const recorded = await linked(demo, '/console/orders?state=recorded', /href="(\/console\/orders\/\d+)"/);
  const [, id] = /<code class="copy">([\da-f-]{36})<\/code>/.exec(await demo.text(recorded)) ?? [];
  if (id === undefined) throw new Error(`${recorded} names no record`);
  return `/console/records/${id}`;
}

async function peopleRows(demo: DemoAtWork): Promise<Row[]> {
  return [
    ['activity', '/console/activity'],
    ['people', '/console/people'],
    ['person', await linked(demo, '/console/people', /href="(\/console\/people\/[\w-]+)"/)],
    ['account', '/console/account'],
  ];
}

async function linked(demo: DemoAtWork, page: string, pattern: RegExp): Promise<string> {
  const [, path] = pattern.exec(await demo.text(page)) ?? [];
  if (path === undefined) throw new Error(`${page} links no ${pattern}`);
  return path;
}

/** One hit of the search opens the order at once. */
async function order({ origin, cookie }: DemoAtWork, number: string): Promise<string> {
  const { headers } = await fetch(`${origin}/console/find?q=${number}`, { headers: { cookie }, redirect: 'manual' });
  const goTo = headers.get('location');
  if (goTo === null) throw new Error(`the search finds no order ${number}`);
  return goTo;
}
