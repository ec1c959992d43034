import pg from 'pg';

/** One kind of request; `path` gives another address each time. `until`: what is waited for. */
export type PageCase = { name: string; path(draw: Draw): string; until: 'end' | 'first byte' };

/** A whole number below `below`. */
export type Draw = (below: number) => number;

type Found = {
  orders: { id: number; number: string; order_id: string; total: string; connection_id: string; at: string }[];
  records: { compliance_id: string; document: string }[];
  stores: string[];
  months: { shop: string; month: string }[];
  people: string[];
  runs: string[];
  webhooks: { id: string; platform_delivery_id: string; at: string }[];
  refused: string[];
  ways: string[];
  since: string;
};

/** What there is to look for, all over the ledger. `groups`: the addresses of issues. */
export async function readCases(databaseUrl: string, groups: readonly string[]): Promise<PageCase[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('set search_path = bridge');
    const all = await found(client);
    return [...orderCases(all), ...webhookCases(all), ...otherCases(all, groups)];
  } finally {
    await client.end();
  }
}

async function found(client: pg.Client): Promise<Found> {
  const rows = async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows;
  return {
    orders: await rows(`select o.id::int as id, o.number, o.order_id, o.total::text as total, o.connection_id, f.facts #>> '{snapshot,placedAt}' as at
      from generate_series(1, 1000) n join orders o on o.id = 1000 + n * ((select max(id) - 1000 from orders) / 1000) join order_facts f on f.order_ref = o.id`),
    records: await rows(
      `select o.id::text as compliance_id, lpad(o.document_number::text, 10, '0') as document from compliance.orders o tablesample system (1) limit 1000`,
    ),
    stores: (await rows<{ id: string }>('select id from connections order by created_at, id')).map(({ id }) => id),
    months: await rows(
      `select s.id as shop, to_char(date_trunc('month', now()) - n * interval '1 month', 'YYYY-MM') as month from compliance.shops s cross join generate_series(0, 12) n`,
    ),
    people: (await rows<{ id: string }>('select id from people order by created_at')).map(({ id }) => id),
    webhooks: await rows(
      `select id, platform_delivery_id, to_char(arrived_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from deliveries tablesample system (1) limit 1000`,
    ),
    refused: (await rows<{ id: string }>('select id::text as id from refusals limit 1000')).map(({ id }) => `r${id}`),
    ways: (await rows<{ id: string }>('select id from onboardings limit 1000')).map(({ id }) => id),
    since: new Date(Date.now() - 14 * 86_400_000).toISOString(),
    runs: (await rows<{ id: string }>('select id from bulk_actions order by cardinality(orders)')).map(({ id }) => id),
  };
}

function orderCases({ orders, records, stores, months, runs, since }: Found): PageCase[] {
  const list = (query: Record<string, string>, path = '/orders') => `${path}?${new URLSearchParams(query)}`;
  const find = (q: string) => list({ q, list: '1' }, '/find');
  const order = (draw: Draw) => of(orders, draw);
  const month = (draw: Draw) => order(draw).at.slice(0, 7);
  const store = (draw: Draw) => of(stores, draw);
  return [
    page('orders', () => '/orders'),
    page('find: number', (draw) => find(order(draw).number)),
    page('find: part of a number', (draw) => find(order(draw).number.slice(0, 4))),
    page('find: id in the store', (draw) => find(order(draw).order_id)),
    page('find: id of the record', (draw) => find(of(records, draw).compliance_id)),
    page('find: document', (draw) => find(of(records, draw).document)),
    page('find: amount', (draw) => find(order(draw).total)),
    page('find: none', (draw) => find(`#9${draw(1e6) + 1e8}`)),
    page('orders: amount', (draw) => list({ q: order(draw).total })),
    page('orders: state', (draw) => list({ state: of(['recorded', 'review', 'waiting', 'ignored', 'unconfirmed', 'queued'], draw) })),
    page('orders: store', (draw) => list({ store: store(draw) })),
    page('orders: store and state', (draw) => list({ store: store(draw), state: of(['recorded', 'review', 'waiting'], draw) })),
    page('orders: month', (draw) => list({ month: month(draw) })),
    page('orders: month, store, state', (draw) => list({ month: month(draw), store: store(draw), state: of(['recorded', 'ignored', 'review'], draw) })),
    page('orders: code', (draw) => list({ code: of(['payment.unmapped', 'vat.unmapped', 'compliance.refused', 'total.mismatch'], draw) })),
    page('orders: code and month', (draw) => list({ code: of(['payment.unmapped', 'compliance.refused'], draw), month: month(draw) })),
    page('orders: days', (draw) => list({ from: order(draw).at.slice(0, 10), to: '2999-01-01' })),
    page('orders: oldest first', () => list({ sort: '6' })),
    page('orders: by total, of a month and store', (draw) => list({ month: month(draw), store: store(draw), sort: of(['4', '-4'], draw) })),
    page('orders: mine', () => list({ mine: '1' })),
    page('orders: recorded since', () => list({ since: `recorded_${since}` })),
    page('orders: in review since', () => list({ since: `asked_${since}` })),
    page('orders: of a bulk action', (draw) => list({ action: of(runs.slice(0, -1), draw) })),
    page('orders: missing of a month', (draw) => {
      const one = of(months, draw);
      return list({ missing: `${one.shop}_${one.month}` });
    }),
    page('orders: deep', (draw) => list({ after: String(order(draw).id) })),
    page('orders: deep, recorded, store', (draw) => list({ state: 'recorded', store: store(draw), after: String(order(draw).id) })),
    page('orders: deep, month', (draw) => {
      const { id, at } = order(draw);
      return list({ month: at.slice(0, 7), after: `${id}~${at}` });
    }),
    page('order', (draw) => `/orders/${order(draw).id}`),
    page('record', (draw) => `/records/${of(records, draw).compliance_id}`),
    { ...page('orders.csv', () => '/orders.csv'), until: 'first byte' },
    { ...page('orders.csv: month, store', (draw) => list({ month: month(draw), store: store(draw) }, '/orders.csv')), until: 'first byte' },
  ];
}

function webhookCases({ webhooks, refused, stores, orders }: Found): PageCase[] {
  const list = (query: Record<string, string>) => `/webhooks?${new URLSearchParams(query)}`;
  const day = (draw: Draw) => of(orders, draw).at.slice(0, 10);
  return [
    page('webhooks', () => '/webhooks'),
    page('webhooks: store', (draw) => list({ store: of(stores, draw) })),
    page('webhooks: answer', (draw) => list({ answer: of(['accepted', 'refused'], draw) })),
    page('webhooks: topic', (draw) => list({ topic: of(['order.paid', 'order.deleted'], draw) })),
    page('webhooks: day', (draw) => {
      const one = day(draw);
      return list({ from: one, to: one });
    }),
    page('webhooks: deep', (draw) => {
      const { id, at } = of(webhooks, draw);
      return list({ after: `${at}~${id}` });
    }),
    page('webhook', (draw) => `/webhooks/${of(webhooks, draw).id}`),
    page('webhook: refused', (draw) => `/webhooks/${of(refused, draw)}`),
    page('find: webhook', (draw) => `/find?${new URLSearchParams({ q: of(webhooks, draw).platform_delivery_id, list: '1' })}`),
  ];
}

function otherCases({ stores, months, people, runs, orders, ways, since }: Found, groups: readonly string[]): PageCase[] {
  // Who did something came first.
  const busy = people.slice(0, 24);
  const store = (path: string) => (draw: Draw) => `/stores/${of(stores, draw)}${path}`;
  const week = (path: string) => () => `${path}?${new URLSearchParams({ from: since.slice(0, 10), to: '2999-01-01' })}`;
  return [
    page('today', () => ''),
    page('needs a person', () => '/review'),
    page('needs a person: mine', () => '/review?mine=1'),
    page('needs a person: by orders', () => '/review?sort=-2'),
    page('needs a person: deep', (draw) => `/review?n=${50 * draw(4)}`),
    page('issue', (draw) => `/review/${of(groups, draw)}`),
    page('unreadable webhooks', () => '/review/webhooks'),
    page('unknown hosts', () => '/review/hosts'),
    page('run', (draw) => `/bulk-actions/${of(runs.slice(0, -1), draw)}`),
    page('run of 100,000', () => `/bulk-actions/${runs.at(-1)}`),
    page('months', () => '/months'),
    page('months: shop', (draw) => `/months?shop=${of(months, draw).shop}`),
    page('months: older', (draw) => `/months?older=1&shop=${of(months, draw).shop}`),
    page('month', (draw) => {
      const { shop, month } = of(months, draw);
      return `/months/${shop}/${month}`;
    }),
    page('months: older, of no shop', () => '/months?older=1'),
    ...['', 'late', 'open', 'check', 'file', 'filed', 'rejected'].map((state) => page(`months: due ${state}`.trimEnd(), () => `/months/due?state=${state}`)),
    page('months: due, of a month', (draw) => `/months/due?month=${of(months, draw).month}`),
    page('months: due, of a shop', (draw) => `/months/due?shop=${of(months, draw).shop}`),
    page('months: due, deep', (draw) => `/months/due?n=${50 * draw(40)}`),
    page('stores', () => '/stores'),
    page('stores: days', week('/stores')),
    page('stores: deep', (draw) => `/stores?n=${50 * draw(Math.ceil(stores.length / 50))}&sort=${of(['0', '-2', '-8'], draw)}`),
    page('invitations', () => '/stores/invitations'),
    page('invitations: open, deep', (draw) => `/stores/invitations?state=open&before=${of(ways, draw)}`),
    page('store', store('')),
    page('store: refused', store('?refused=1')),
    ...['settings', 'secret', 'keys', 'disconnect', 'start', 'compare', 'backfill', 'test'].map((name) => page(`store: ${name}`, store(`/${name}`))),
    page('compliance service', () => '/destinations'),
    page('compliance service: days', week('/destinations')),
    page('compliance service: jobs', () => '/destinations/jobs'),
    page('compliance service: events', () => '/destinations/events'),
    page('compliance service: rates', () => '/destinations/rates'),
    page('live', () => '/live'),
    page('live: store', (draw) => `/live?store=${of(stores, draw)}`),
    page('activity', () => '/activity'),
    page('activity: who', (draw) => `/activity?who=person:${of(busy, draw)}`),
    page('activity: what', (draw) => `/activity?act=${of(['order.released', 'buyer.seen', 'person.signed-in', 'store.connected', 'month.filed'], draw)}`),
    page('activity: days', week('/activity')),
    page('activity: order', (draw) => `/activity?order=${encodeURIComponent(of(orders, draw).number)}`),
    page('activity: decided since', (draw) => `/activity?${new URLSearchParams({ act: 'decided', who: `person:${of(busy, draw)}`, since })}`),
    { ...page('activity.csv', () => '/activity.csv'), until: 'first byte' },
    page('compliance service: deep', (draw) => `/destinations?n=${10 * draw(10)}`),
    page('people', () => '/people'),
    page('people: deep', (draw) => `/people?n=${50 * draw(Math.ceil(people.length / 50))}&sort=${of(['0', '-3'], draw)}`),
    page('find: store', () => `/find?${new URLSearchParams({ q: 'Магазин 19', list: '1' })}`),
    page('person', (draw) => `/people/${of(people, draw)}`),
    page('account', () => '/account'),
    page('not there', () => '/nowhere'),
  ];
}

function page(name: string, path: PageCase['path']): PageCase {
  return { name, path, until: 'end' };
}

function of<One>(all: readonly One[], draw: Draw): One {
  const one = all[draw(all.length)];
  if (one === undefined) throw new Error('there is nothing to look for');
  return one;
}
