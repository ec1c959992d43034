import type { LocalizedText } from '../../../contract/messages.ts';
import type { NothingReason } from './desired.ts';

/** The state of an order that people see. */
export type OrderState = 'waiting' | 'queued' | 'recorded' | 'removed' | 'review' | 'resolved' | 'unconfirmed' | 'ignored';

/** In the order in which people are shown them: what waits for somebody first. */
export const ORDER_STATES: readonly OrderState[] = ['review', 'unconfirmed', 'queued', 'waiting', 'recorded', 'resolved', 'removed', 'ignored'];

/** The state that people see if nothing should be recorded. */
export const stateOfNothing = {
  unknown: 'waiting',
  unpaid: 'waiting',
  draft: 'ignored',
  test: 'ignored',
  free: 'ignored',
  trial: 'ignored',
  'before-record-from': 'ignored',
  disconnected: 'ignored',
  'gift-card': 'ignored',
  refunded: 'removed',
  removed: 'removed',
} as const satisfies Record<NothingReason, OrderState>;

/** What people call each state, and what it means, as the command line and the docs say it. */
export const orderStates = {
  waiting: {
    name: { en: 'waiting', bg: 'чака плащане' },
    means: 'Not paid yet, or only its refund is known so far.',
  },
  queued: {
    name: { en: 'queued', bg: 'в обработка' },
    means: 'Something changed; it will be submitted automatically.',
  },
  recorded: {
    name: { en: 'recorded', bg: 'записана' },
    means: 'The record at the service is equal to the order.',
  },
  removed: {
    name: { en: 'removed', bg: 'изтрита' },
    means: 'Deleted on purpose: it is no longer a sale.',
  },
  review: {
    name: { en: 'in review', bg: 'за проверка' },
    means: 'A person must decide; the code and its text say what.',
  },
  resolved: {
    name: { en: 'resolved', bg: 'приключена' },
    means: 'A person said what became of it (`orderbridge resolve`); if anything new arrives, it is decided again.',
  },
  unconfirmed: {
    name: { en: 'unconfirmed', bg: 'непотвърдена' },
    means: 'It is not known whether a create, or a delete, was done: look at the compliance service, then `orderbridge confirm`.',
  },
  ignored: {
    name: { en: 'ignored', bg: 'пропусната' },
    means:
      'Test orders and drafts that were never recorded, free orders, gift cards (`giftCards`), orders paid before `recordFrom` or while the store was disconnected, and all of a store on trial until it records (`orderbridge start-recording`).',
  },
} as const satisfies Record<OrderState, { name: LocalizedText; means: string }>;
