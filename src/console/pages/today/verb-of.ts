import type { Right } from '../../../operations/people/rights.ts';
import type { ReasonCode } from '../../../operations/verdict/reason-codes.ts';
import type { Reason } from '../../../operations/verdict/verdict.ts';
import type { Words } from '../../words/words.ts';

/** Where a reason is mended: a page, or a command where there is no page. */
export type Verb = { label: keyof Words['today']['verbs']; path: string; right: Right; command?: string } | { command: string };

type Way = (reason: Reason) => Verb;

const review: Way = () => ({ label: 'review', path: '/console/review', right: 'orders.see' });
const month: Way = ({ subject }) => ({ label: 'month', path: `/console/months${subject === null ? '' : `?month=${subject}`}`, right: 'months.see' });
// Where a person must mend it, the page shows the pause, and the command ends its cause.
const destination: Way = ({ verb }) => ({
  ...{ label: 'destination', path: '/console/destinations', right: 'stores.see' },
  ...(verb === null || verb === 'doctor' ? {} : { command: `orderbridge ${verb}` }),
});
const queue: Way = () => ({ label: 'destination', path: '/console/destinations', right: 'stores.see' });
const store: Way = ({ subject }) => ({
  label: 'store',
  path: subject === null ? '/console/stores' : `/console/stores/${encodeURIComponent(subject)}`,
  right: 'stores.see',
});

const ways: Readonly<Partial<Record<ReasonCode, Way>>> = {
  'orders.need-review': review,
  'orders.unconfirmed': () => ({ label: 'unconfirmed', path: '/console/orders?state=unconfirmed', right: 'orders.see' }),
  'orders.outstanding': review,
  'webhooks.need-review': review,
  'hosts.held': review,
  'month.late': month,
  'month.due': month,
  'month.blocked': month,
  'month.unmailed': month,
  'orders.ended-currency': ({ subject, ...reason }) => month({ ...reason, subject: subject?.split(' ')[0] ?? null }),
  'destination.paused': destination,
  'shop.paused': destination,
  'receipts.paused': destination,
  'queue.paused': queue,
  'store.paused': store,
  'store.unread': store,
  'store.trial': store,
  'orders.unread': store,
  'webhooks.broken': store,
  'webhooks.refused': store,
  'webhooks.silent': store,
  'shop.unknown': store,
  'key.unknown': store,
  'secrets.closed': store,
};

/** Null: there is nothing to press or type. */
export function verbOf(reason: Reason): Verb | null {
  const way = ways[reason.code];
  if (way !== undefined) return way(reason);
  return reason.verb === null ? null : { command: `orderbridge ${reason.verb}` };
}
