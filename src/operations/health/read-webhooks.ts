import type { Connection } from '../../bridge/connections/connection.ts';
import { type QuietStore, quietStores } from '../../bridge/ledger/connections/connection-signs.ts';
import { quarantinedHosts } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { everyTraffic } from '../../bridge/ledger/deliveries/traffic-store.ts';
import { reviewDeliveryGroups, type WaitingGroup, waitingGroups } from '../../bridge/ledger/review/review-groups.ts';
import { type StoreReadState, storeReadStates } from '../../bridge/ledger/sync/sync-store.ts';
import { watchStates } from '../../bridge/ledger/sync/watch-store.ts';
import { failureWords } from '../../bridge/order/facts/failure.ts';
import { decimalsOf, moneyText, parseMoney } from '../../contract/money.ts';
import { counted, form } from '../../contract/plural.ts';
import { deliveryWarnings, subscriptionWarnings, unreadStore } from '../connections/connection-warnings.ts';
import { type FailedCheck, failedCheck } from './health-status.ts';
import type { Reader } from './round.ts';

/** The webhooks of stores that can be listed, as they were the last time. */
export const subscriptionReader: Reader = {
  codes: ['webhooks.broken'],
  async read({ pool, live }) {
    const [connections, watches] = await Promise.all([live(), watchStates(pool)]);
    return connections.flatMap((connection) => {
      const { id, name } = connection;
      const { wrong } = subscriptionWarnings(connection, watches.get(id));
      return wrong.length === 0 ? [] : [failedCheck('webhooks.broken', { subject: id, words: `${name}: ${wrong.join('; ')}`, verb: `subscriptions ${id}` })];
    });
  },
};

/** Stores whose webhooks are refused one after the other: their orders are missed, or a disconnected one still sends. */
export const refusalReader: Reader = {
  codes: ['webhooks.refused'],
  async read({ pool, all, now }) {
    const [connections, traffic] = await Promise.all([all(), everyTraffic(pool)]);
    const of = new Map(traffic.map((one) => [one.connectionId, one]));
    return connections.flatMap((connection) => {
      const { id, name } = connection;
      const [warning] = deliveryWarnings(connection, of.get(id), now);
      if (warning === undefined) return [];
      const { refusedInARow: count = 0, lastAccepted = null } = of.get(id) ?? {};
      return [failedCheck('webhooks.refused', { subject: id, count, since: lastAccepted, words: `${name}: ${warning}`, verb: `deliveries ${id} --refused` })];
    });
  },
};

const HOUR_MS = 3_600_000;
const LEAST_HOURS = 24;

/**
 * Stores that are quiet for longer than is usual for them: a day, and twice their longest quiet time of four weeks. Where the store is read by its
 * API that decides: nothing changed there, or orders were found of which no webhook told.
 */
export const silenceReader: Reader = {
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
  return failedCheck('webhooks.silent', { subject: id, since: last, words, verb: `subscriptions ${id}` });
}

/** Orders that wait for a person, by code, and those of which it is not known whether they are recorded. */
export const waitingReader: Reader = {
  codes: ['orders.need-review', 'orders.unconfirmed'],
  read: async ({ pool }) => (await waitingGroups(pool)).map((group) => (group.state === 'review' ? review(group) : unconfirmed(group))),
};

function review(group: WaitingGroup): FailedCheck {
  const { code, count, oldest } = group;
  const words = `${counted.en(count, 'order', 'orders')} in review, ${code}: ${failureWords(code).means}`;
  return failedCheck('orders.need-review', { subject: code, count, total: totalOf(group), since: oldest, words, verb: 'review' });
}

function unconfirmed(group: WaitingGroup): FailedCheck {
  const { count, oldest } = group;
  const words = `${count} unconfirmed ${form.en(count, 'order', 'orders')}: the reply to a create or a delete was lost; look at the compliance service, then \`orderbridge confirm\``;
  return failedCheck('orders.unconfirmed', { count, total: totalOf(group), since: oldest, words, verb: 'review' });
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
export const unreadWebhookReader: Reader = {
  codes: ['webhooks.need-review'],
  async read({ pool }) {
    return (await reviewDeliveryGroups(pool)).map(({ code, count, oldest }) => {
      const words = `${counted.en(count, 'webhook', 'webhooks')} in review, ${code}: ${failureWords(code).means}`;
      return failedCheck('webhooks.need-review', { subject: code, count, since: oldest, words, verb: 'review' });
    });
  },
};

/** Hosts whose webhooks are quarantined until a person says whose they are. */
export const hostReader: Reader = {
  codes: ['hosts.quarantined'],
  async read({ pool, all }) {
    const quarantined = await quarantinedHosts(pool);
    if (quarantined.length === 0) return [];
    const names = new Map((await all()).map(({ id, name }) => [id, name]));
    return quarantined.map(({ connectionId, host, deliveries, firstAt }) => {
      const words = `${names.get(connectionId) ?? connectionId}: ${counted.en(deliveries, 'webhook names', 'webhooks name')} the host ${host}, which is not known as the store’s, and ${form.en(deliveries, 'is', 'are')} quarantined (store.other)`;
      return failedCheck('hosts.quarantined', { subject: `${connectionId} ${host}`, count: deliveries, since: firstAt, words, verb: 'review' });
    });
  },
};
