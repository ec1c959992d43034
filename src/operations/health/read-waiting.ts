import { quarantinedHosts } from '../../bridge/ledger/delivery-store.ts';
import { reviewDeliveryGroups, type WaitingGroup, waitingGroups } from '../../bridge/ledger/review-groups.ts';
import { failureWords } from '../../bridge/order/facts/failure.ts';
import { decimalsOf, moneyText, parseMoney } from '../../contract/money.ts';
import { counted, form } from '../../contract/plural.ts';
import { type FailedCheck, failedCheck } from './health-status.ts';
import type { Reader } from './round.ts';

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
