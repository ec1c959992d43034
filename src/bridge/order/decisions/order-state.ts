import type { LocalizedText } from '../../../contract/said.ts';
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

/** What people call each state, and what it means. */
export const orderStates = {
  waiting: {
    name: { en: 'waiting', bg: 'чака плащане' },
    means: { en: 'Not paid yet, or only its refund is known so far.', bg: 'Още не е платена или засега се знае само за върната сума по нея.' },
  },
  queued: {
    name: { en: 'queued', bg: 'в обработка' },
    means: { en: 'Something changed; it will be submitted automatically.', bg: 'Нещо се промени; ще бъде изпратена сама.' },
  },
  recorded: {
    name: { en: 'recorded', bg: 'записана' },
    means: { en: 'The tax record exists and is equal to the order.', bg: 'Данъчният запис съществува и е равен на поръчката.' },
  },
  removed: {
    name: { en: 'removed', bg: 'изтрита' },
    means: { en: 'Deleted on purpose: the money went back.', bg: 'Записът е изтрит нарочно: парите са върнати.' },
  },
  review: {
    name: { en: 'in review', bg: 'чака човек' },
    means: { en: 'A person must decide; the code and its text say what.', bg: 'Трябва да реши човек; кодът и текстът към него казват какво.' },
  },
  resolved: {
    name: { en: 'resolved', bg: 'уредена' },
    means: {
      en: 'A person said what became of it (`orderbridge resolve`); when something new comes of it, it is decided again.',
      bg: 'Човек каза какво е станало с нея (`orderbridge resolve`); ако дойде нещо ново, се преценява отново.',
    },
  },
  unconfirmed: {
    name: { en: 'unconfirmed', bg: 'неизвестно' },
    means: {
      en: 'It is not known whether a create, or a delete, was done: look at the compliance service, then `orderbridge confirm`.',
      bg: 'Не се знае дали записът или изтриването е извършено: погледнете в услугата за отчитане, после `orderbridge confirm`.',
    },
  },
  ignored: {
    name: { en: 'ignored', bg: 'пропусната' },
    means: {
      en: 'Test orders and drafts that were never recorded, free orders, gift cards (`giftCards`), orders paid before `recordFrom` or while the store was disconnected, and all of a store on trial until it records (`orderbridge start-recording`).',
      bg: 'Пробни поръчки и чернови, които не са записвани, безплатни поръчки, ваучери (`giftCards`), поръчки, платени преди `recordFrom` или докато магазинът е бил изключен, и всички на магазин в проба, докато започне да се отчита (`orderbridge start-recording`).',
    },
  },
} as const satisfies Record<OrderState, { name: LocalizedText; means: LocalizedText }>;
