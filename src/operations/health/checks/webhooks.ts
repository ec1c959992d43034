import type { Connection } from '../../../bridge/connections/connection.ts';
import { type QuietStore, quietStores } from '../../../bridge/ledger/connections/connection-signs.ts';
import { keptOfStores } from '../../../bridge/ledger/counts/read-counts.ts';
import { quarantinedHosts } from '../../../bridge/ledger/deliveries/delivery-store.ts';
import { everyTraffic } from '../../../bridge/ledger/deliveries/traffic-store.ts';
import { reviewDeliveryGroups, type WaitingGroup, waitingGroups } from '../../../bridge/ledger/review/review-groups.ts';
import { type StoreReadState, storeReadStates } from '../../../bridge/ledger/sync/sync-store.ts';
import { watchStates } from '../../../bridge/ledger/sync/watch-store.ts';
import { failureWords, missingSettings } from '../../../bridge/order/facts/failure.ts';
import { decimalsOf, moneyText, parseMoney } from '../../../contract/money.ts';
import { counted, form } from '../../../contract/plural.ts';
import { deliveryWarnings, orderWarnings, subscriptionWarnings, unreadStore } from '../../connections/connection-warnings.ts';
import { codeWords } from '../../words.ts';
import { type Check, type Codes, failedBy, notes, ofStore, orders, review, store, webhooks } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';

export const codes = {
  'webhooks.broken': {
    level: 'attention',
    what: 'webhooks',
    en: 'A store has something wrong with its webhooks.',
    bg: 'Нещо не е наред с известията на магазин.',
    isWrong: true,
    bgOf: ofStore('Нещо не е наред с известията в магазина.'),
    action: store,
    quotes: true,
  },
  'webhooks.refused': {
    level: 'attention',
    what: 'webhooks',
    en: 'The webhooks of a store are refused one after the other.',
    bg: 'Известията на магазин се отказват едно след друго.',
    bgOf: (one, nameOf) => ofStore(`Известията му се отказват едно след друго (${one.count ?? 0}).`)(one, nameOf),
    action: store,
  },
  'webhooks.silent': {
    level: 'attention',
    what: 'webhooks',
    en: 'A store that used to send webhooks sends none.',
    bg: 'Магазин, който изпращаше известия, не изпраща.',
    bgOf: ofStore('Изпращаше известия, а сега не изпраща.'),
    action: store,
  },
  'webhooks.need-review': {
    level: 'attention',
    what: 'webhooks in review',
    en: 'Webhooks are signed and can’t be read, so that their orders are not known.',
    bg: 'Известия са подписани, но не могат да бъдат прочетени: поръчките им не са известни.',
    bgOf: ({ subject, count }) => `${webhooks(count)} за проверка: ${codeWords(subject ?? '', 'bg').means}`,
    action: review,
  },
  'bodies.cut': {
    level: 'attention',
    what: 'webhooks',
    en: 'A store sent more on a day than is kept of its webhooks: they are recorded, and their bodies cut.',
    bg: 'За един ден магазин изпрати повече, отколкото се пази от известията му: записват се, но съдържанието им се съкращава.',
    bgOf: (one, nameOf) =>
      ofStore(`За един ден изпрати ${one.count ?? 0} MB известия, повече, отколкото се пази: записват се, но съдържанието им се съкращава.`)(one, nameOf),
    action: store,
  },
  'hosts.quarantined': {
    level: 'attention',
    what: 'quarantined webhooks',
    en: 'Webhooks name another host than their store’s, and are quarantined.',
    bg: 'Известия назовават друг адрес, а не този на магазина, и са задържани.',
    bgOf: ({ subject, count }, nameOf) => {
      const [connection = '', host = ''] = (subject ?? '').split(' ');
      return `${nameOf(connection)}: ${webhooks(count)} ${form.bg(count ?? 0, 'назовава', 'назовават')} ${host} и ${form.bg(count ?? 0, 'е задържано', 'са задържани')}, докато човек каже чий е този адрес.`;
    },
    action: review,
  },
  'orders.need-review': {
    level: 'attention',
    what: 'orders in review',
    en: 'Orders wait for a person.',
    bg: 'Има поръчки за проверка.',
    bgOf: ({ subject, count }) => `${orders(count)} за проверка: ${codeWords(subject ?? '', 'bg').means}`,
    action: review,
  },
  'orders.unconfirmed': {
    level: 'attention',
    what: 'unconfirmed orders',
    en: 'It is not known whether these orders are recorded.',
    bg: 'Не е известно дали тези поръчки са записани.',
    bgOf: ({ count }) => `За ${orders(count)} не се знае ${form.bg(count ?? 0, 'записана ли е', 'записани ли са')}: отговорът на заявка се изгуби.`,
    action: () => ({ label: 'unconfirmed', path: '/console/orders?state=unconfirmed', right: 'orders.see' }),
  },
} as const satisfies Codes;

const failed = failedBy(codes);

/** The webhooks of stores that can be listed, as they were the last time. */
export const subscriptionCheck: Check = {
  name: 'subscriptions',
  codes: ['webhooks.broken'],
  async read({ pool, live }) {
    const [connections, watches] = await Promise.all([live(), watchStates(pool)]);
    return connections.flatMap((connection) => {
      const { id, name } = connection;
      const state = watches.get(id);
      const { wrong } = subscriptionWarnings(connection, state);
      if (wrong.length === 0) return [];
      const kinds = new Set(state?.problems.map(({ kind }) => kind));
      const of = { cause: `webhooks of it are ${[...kinds].toSorted().join(', ')}`, names: [name] };
      return [failed('webhooks.broken', { subject: id, words: `${name}: ${wrong.join('; ')}`, verb: `subscriptions ${id}`, of })];
    });
  },
  async remarks({ pool, live }) {
    const [connections, watches] = await Promise.all([live(), watchStates(pool)]);
    const good = { what: 'webhooks', words: 'no store’s are refused one after the other, and nothing is known to be wrong with those of any store' };
    return [good, ...connections.flatMap((one) => notes('webhooks', one, subscriptionWarnings(one, watches.get(one.id)).remarks))];
  },
};

/** Stores whose webhooks are refused one after the other: their orders are missed, or a disconnected one still sends. */
export const refusalCheck: Check = {
  name: 'refused webhooks',
  codes: ['webhooks.refused'],
  async read({ pool, all, now }) {
    const [connections, traffic] = await Promise.all([all(), everyTraffic(pool)]);
    const of = new Map(traffic.map((one) => [one.connectionId, one]));
    return connections.flatMap((connection) => {
      const { id, name } = connection;
      const [warning] = deliveryWarnings(connection, of.get(id), now);
      if (warning === undefined) return [];
      const { refusedInARow: count = 0, lastAccepted: since = null, refusedCode } = of.get(id) ?? {};
      const same = { cause: `its webhooks are refused (${refusedCode})`, names: [name] };
      return [failed('webhooks.refused', { subject: id, count, since, words: `${name}: ${warning}`, verb: `deliveries ${id} --refused`, of: same })];
    });
  },
};

const HOUR_MS = 3_600_000;
const LEAST_HOURS = 24;

/**
 * Stores that are quiet for longer than is usual for them: a day, and twice their longest quiet time of four weeks. Where the store is read by its
 * API that decides: nothing changed there, or orders were found that no webhook announced.
 */
export const silenceCheck: Check = {
  name: 'silent stores',
  codes: ['webhooks.silent'],
  async read({ pool, live, now, config: { reconcileSeconds } }) {
    const quiet = await quietStores(pool);
    if (quiet.length === 0) return [];
    const [connections, reads] = await Promise.all([live(), storeReadStates(pool)]);
    const known = new Map(connections.map((one) => [one.id, one]));
    return quiet.flatMap((store) => {
      const connection = known.get(store.connectionId);
      if (connection === undefined) return [];
      const state = reads.get(store.connectionId);
      const isRead = state?.readAt != null && unreadStore(connection, state, { now, periodMs: reconcileSeconds * 1000 }) === null;
      const isSilent = isRead ? (state.missedAt ?? '') > store.last : isUnusual(store, now);
      return isSilent ? [silence(connection, store, isRead ? state : undefined)] : [];
    });
  },
};

function isUnusual({ last, longestHours }: QuietStore, now: number): boolean {
  return now - Date.parse(last) > Math.max(LEAST_HOURS, 2 * longestHours) * HOUR_MS;
}

function silence({ id, name }: Connection, { last, longestHours }: QuietStore, read: StoreReadState | undefined): FailedCheck {
  const why =
    read === undefined
      ? `in the four weeks before it was quiet for ${longestHours} hours at the longest`
      : `${read.missed} paid ${form.en(read.missed, 'order was', 'orders were')} found by reading the store`;
  const words = `${name}: no webhook has come since ${last}; ${why}. Look at the webhooks in the store`;
  return failed('webhooks.silent', { subject: id, since: last, words, verb: `subscriptions ${id}`, of: { cause: 'no webhook comes', names: [name] } });
}

/** Orders that wait for a person, by code, and those of which it is not known whether they are recorded. */
export const waitingCheck: Check = {
  name: 'orders that wait for a person',
  codes: ['orders.need-review', 'orders.unconfirmed'],
  read: async ({ pool }) => (await waitingGroups(pool)).map((group) => (group.state === 'review' ? inReview(group) : unconfirmed(group))),
  async remarks({ pool, live, now }) {
    const connections = await live();
    const warnings = await orderWarnings(pool, connections, now);
    const all = connections.flatMap((one) => notes('orders', one, warnings.get(one.id) ?? []));
    return all.length > 0 ? all : [{ what: 'orders', words: 'no connection has orders that seem to be left out, or to lack their VAT' }];
  },
};

function inReview(group: WaitingGroup): FailedCheck {
  const { code, pattern, count, oldest } = group;
  const named = pattern !== null && missingSettings(code, pattern).some(({ of }) => of !== 'gift-cards') ? pattern : failureWords(code).means;
  const words = `${counted.en(count, 'order', 'orders')} in review, ${code}: ${named}`;
  return failed('orders.need-review', { subject: code, count, total: totalOf(group), since: oldest, words, verb: 'review' });
}

function unconfirmed(group: WaitingGroup): FailedCheck {
  const { count, oldest } = group;
  const words = `${count} unconfirmed ${form.en(count, 'order', 'orders')}: we lost the reply, so we don’t know what is recorded; look at the compliance service, then \`orderbridge confirm\``;
  return failed('orders.unconfirmed', { count, total: totalOf(group), since: oldest, words, verb: 'review' });
}

/** “36.00 EUR + 12.00 USD”; null: no total is known. */
function totalOf({ totals }: WaitingGroup): string | null {
  const sums = totals.flatMap(({ currency, total }) => {
    const minor = parseMoney(total, decimalsOf(currency));
    return minor === undefined ? [`${total} ${currency}`] : [moneyText(minor, currency)];
  });
  return sums.length === 0 ? null : sums.join(' + ');
}

/** Webhooks that are signed but can't be read, by code. */
export const unreadWebhookCheck: Check = {
  name: 'webhooks in review',
  codes: ['webhooks.need-review'],
  async read({ pool }) {
    return (await reviewDeliveryGroups(pool)).map(({ code, count, oldest }) => {
      const words = `${counted.en(count, 'webhook', 'webhooks')} in review, ${code}: ${failureWords(code).means}`;
      return failed('webhooks.need-review', { subject: code, count, since: oldest, words, verb: 'review' });
    });
  },
};

/** Hosts whose webhooks are quarantined until a person says whose they are. */
export const hostCheck: Check = {
  name: 'quarantined hosts',
  codes: ['hosts.quarantined'],
  async read({ pool, all }) {
    const quarantined = await quarantinedHosts(pool);
    if (quarantined.length === 0) return [];
    const names = new Map((await all()).map(({ id, name }) => [id, name]));
    return quarantined.map(({ connectionId, host, deliveries, firstAt }) => {
      const words = `${names.get(connectionId) ?? connectionId}: ${counted.en(deliveries, 'webhook names', 'webhooks name')} the host ${host}, which is not known as the store’s, and ${form.en(deliveries, 'is', 'are')} quarantined (store.other)`;
      return failed('hosts.quarantined', { subject: `${connectionId} ${host}`, count: deliveries, since: firstAt, words, verb: 'review' });
    });
  },
};

const MB = 1024 ** 2;
const DAYS_MS = 48 * HOUR_MS;

/** Stores that fill the disk: of today and yesterday, so that it does not end at midnight. */
export const bodyCheck: Check = {
  name: 'kept bodies',
  codes: ['bodies.cut'],
  async read({ pool, now, config: { keepBodiesMb } }) {
    const kept = await keptOfStores(pool, { since: new Date(now - DAYS_MS), each: keepBodiesMb * MB });
    return kept.flatMap(({ connectionId, name, most }) => {
      if (most <= keepBodiesMb * MB) return [];
      const count = Math.round(most / MB);
      const words = `${name}: sent ${count} MB of webhooks, compressed, on one day; ${keepBodiesMb} are kept (KEEP_BODIES_MB), the rest is recorded and cut`;
      return [failed('bodies.cut', { subject: connectionId, count, words, verb: `deliveries ${connectionId}` })];
    });
  },
};
