import type { DemoAtWork } from './demo-at-work.ts';

/** One page in one way. `cookie` null: nobody is signed in. `devices`: both if absent. */
export type Shot = {
  name: string;
  url: string;
  cookie: string | null;
  lang?: 'en' | 'bg';
  theme?: 'light' | 'dark';
  devices?: readonly ('desktop' | 'phone')[];
};

/** A name, where it is, and how it is looked at. */
type Row = [name: string, path: string, how?: Pick<Shot, 'lang' | 'theme' | 'devices'>];

/** Each page as the demo leaves it. */
export async function shotsOf(demo: DemoAtWork): Promise<Shot[]> {
  const rows = [...(await orderRows(demo)), ...(await monthRows(demo)), ...(await storeRows(demo)), ...(await peopleRows(demo))];
  const shots = rows.map(([name, path, how = {}]): Shot => ({ name, url: `${demo.origin}${path}`, cookie: demo.cookie, ...how }));
  return [{ name: 'sign-in', url: `${demo.origin}/console/sign-in`, cookie: null }, ...shots];
}

async function orderRows(demo: DemoAtWork): Promise<Row[]> {
  const [asked, lost] = [await order(demo, '2006'), await order(demo, '4302')];
  const webhook = await linked(demo, '/console/parked/webhooks', /href="(\/console\/parked\/webhooks\/[\w-]+)"/);
  return [
    ['today', '/console'],
    ['today-dark', '/console', { theme: 'dark', devices: ['desktop'] }],
    ['today-bg', '/console', { lang: 'bg', devices: ['phone'] }],
    ['orders', '/console/orders'],
    ['order', asked],
    ['order-dark', asked, { theme: 'dark', devices: ['phone'] }],
    ['order-unconfirmed', lost],
    ['needs-a-person', '/console/parked'],
    ['needs-a-person-bg', '/console/parked', { lang: 'bg', devices: ['desktop'] }],
    ['desk', await linked(demo, '/console/parked', /<a href="(\/console\/parked\/[\w-]+)"><strong>[^<]*econt_pay/)],
    ['webhooks', '/console/parked/webhooks'],
    ['webhook', webhook],
    ['hosts', '/console/parked/hosts'],
  ];
}

/** The older month of the board is filed, the other one is to be. */
async function monthRows(demo: DemoAtWork): Promise<Row[]> {
  const linkedMonths = [...(await demo.text('/console/months')).matchAll(/href="(\/console\/months\/[\w-]+\/\d{4}-\d\d)"/g)].map(([, path = '']) => path);
  const [filed = '', last = ''] = linkedMonths.toSorted((a, b) => a.slice(-7).localeCompare(b.slice(-7))).filter((path, i, all) => path !== all[i - 1]);
  return [
    ['months', '/console/months'],
    ['month', last],
    ['month-filed', filed, { devices: ['desktop'] }],
    ['month-differences', `${filed}/differences?first=1&second=2`],
  ];
}

async function storeRows(demo: DemoAtWork): Promise<Row[]> {
  const store = await linked(demo, '/console/stores', /href="(\/console\/stores\/[\w-]+)"[^>]*>[^<]*Сова/);
  return [
    ['stores', '/console/stores'],
    ['invitations', '/console/stores/invitations'],
    ['store', store],
    ['store-settings', `${store}/settings`],
    ['store-secret', `${store}/secret`],
    ['store-keys', `${store}/keys`],
    ['store-disconnect', `${store}/disconnect`],
    ['compliance-service', '/console/destinations'],
  ];
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
  const { headers } = await fetch(`${origin}/console/orders?q=${number}`, { headers: { cookie }, redirect: 'manual' });
  const goTo = headers.get('location');
  if (goTo === null) throw new Error(`the search finds no order ${number}`);
  return goTo;
}
