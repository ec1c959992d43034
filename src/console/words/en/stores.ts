const orders = (n: number): string => `${n} ${n === 1 ? 'order' : 'orders'}`;

/** The connected stores. */
export const stores = {
  title: 'Stores',
  none: 'No store is connected yet.',
  connect:
    'Invite its merchant, who connects it by clicking; or connect one with `orderbridge connect --help`, which says how for each platform; or play the demo with `npm run demo`.',
  another: 'Another store is connected by inviting its merchant, or with `orderbridge connect`.',
  invite: 'Invite a merchant',
  caption: 'Stores and how they do',
  store: 'Store',
  state: 'State',
  states: { well: 'all is well', look: 'look at it', stuck: 'orders wait', disconnected: 'disconnected' },
  lastWebhook: 'Last webhook',
  refused: (n: number, ago: string): string => `${n} refused since, the last ${ago}`,
  lastRefused: (ago: string): string => `last refused ${ago}`,
  webhooks: 'Its webhooks',
  listed: (ago: string): string => `all work, seen ${ago}`,
  broken: (topics: string): string => `not working: ${topics}`,
  notListed: 'not listed',
  unlisted: 'can’t be listed',
  key: 'API key',
  keys: { given: 'given', works: 'works', none: 'none', fails: 'does not work', never: 'not needed' },
  day: 'Recorded 24 h',
  asked: 'Asked 24 h',
  waiting: 'Waits for a person',
  gaps: (values: string): string => `without a mapping: ${values}`,
  warnings: (n: number): string => (n === 1 ? '1 warning' : `${n} warnings`),
  isMore: (n: number): string => `There are more than ${n} of some; not all are counted.`,
  orders,
};
