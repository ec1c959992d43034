import { orders as ordersOf } from '../../../console/words/en/orders.ts';
import { review } from '../../../console/words/en/review.ts';

const orders = (n: number): string => `${n} ${n === 1 ? 'order' : 'orders'}`;

/** Rates and payment methods, by looking at the store's last orders. */
export const mapping = {
  title: 'VAT and payments',
  fromStore: (n: number, days: number): string =>
    `We looked at the ${orders(n)} of your last ${days} days, and recorded nothing. This is how they would be recorded.`,
  fromLedger: (n: number): string => `${orders(n)} have come from your store by now, and nothing was recorded. This is how they would be.`,
  nothing: 'No order has come yet. Go on: what your first orders bring up is asked then.',
  none: 'No order has come yet. Say what you know now; whatever comes up later is asked then.',
  failed: {
    refused: 'Your store refuses its key, so its orders could not be looked at. Ask whoever invited you: a new key is needed.',
    app: 'Your orders could not be looked at, because the app is not set up right on our side. Whoever runs this service must mend it: there is nothing for you to do.',
    frozen: 'Your store is frozen until its bill is paid where it runs, so its orders could not be looked at.',
    locked: 'Your store is locked, so its orders could not be looked at: its owner must ask the support of those with whom it runs.',
    blocked: 'A firewall, a password or a security plugin before your store keeps us out, so its orders could not be looked at. Let its API through.',
    unreachable: 'Your store does not answer now, so its orders could not be looked at. Try again in a minute.',
  },
  again: 'Look again',
  result: (recorded: number, all: number, sum: string | null): string => `${recorded} of ${orders(all)} would be recorded${sum === null ? '' : `: ${sum}`}`,
  proposed: (recorded: number, all: number, sum: string): string => `If you confirm what is proposed below, it is ${recorded} of ${all}: ${sum}`,
  open: (n: number): string => (n === 1 ? 'One question waits for your answer below.' : `${n} questions wait for your answer below.`),
  resultNone: 'None of them counts as paid yet.',
  leftOutTitle: 'What is left out',
  leftOut: (n: number, why: string): string => `${why}: ${orders(n)}`,
  whys: ordersOf.why.ignored,
  otherWhys: { unpaid: 'not paid yet', refunded: 'refunded in full', removed: 'cancelled', unknown: 'could not be read' } as Readonly<Record<string, string>>,
  stopped: (n: number, means: string, numbers: string): string => `${orders(n)} would be asked about: ${means} (${numbers})`,
  seen: (n: number): string => (n === 0 ? 'in no order yet' : `in ${orders(n)}`),
  known: 'certain',
  said: 'you said so',
  confirm: 'please confirm',
  rates: 'VAT rates',
  rate: (percent: string): string => `${percent} %`,
  group: 'VAT group',
  groups: review.choice.groups,
  payments: 'Payment methods',
  type: 'How it is paid',
  types: review.choice.types,
  choose: review.choice.choose,
  processor: review.choice.name,
  processorHint: review.choice.nameHint,
  onDelivery: 'The customer pays on delivery',
  onDeliveryWhen: {
    title: 'Orders that are paid on delivery',
    hint: (n: number): string =>
      `Your store does not say when you have their money.${n === 0 ? '' : ` ${n === 1 ? 'One of the last orders is' : `${n} of the last orders are`} on the way, and not paid yet.`}`,
    completed: 'Record them when they are completed: the parcel is handed over and paid',
    processing: 'Record them when you take them in, before they are paid',
  },
  statuses: 'Statuses of your plugins',
  statusesHint: 'In which of them has the order been paid? Without a tick the order waits until it is paid or completed.',
  paid: (name: string, n: number): string => `${name} (${n === 0 ? 'in no order yet' : orders(n)})`,
  notes: {
    rounded: (n: number): string =>
      `Your store rounds tax on the subtotal, so the lines of ${orders(n)} miss the total by a cent. We read them with all decimals, and record them to the cent.`,
    cents: (n: number): string => `The lines of ${orders(n)} miss the total by a cent. We read them with all decimals, and record them to the cent.`,
    net: 'Prices are entered without VAT in your store. What is recorded is what the customer paid, VAT included.',
    decimals: (n: number): string => `Your store shows ${n} decimals. Amounts with more than the currency has can’t be recorded.`,
    currency: (name: string): string => `Your store sells in ${name}. The record is in ${name}, and the file converts it at the central bank’s rate.`,
    untaxed:
      'Your store calculates no tax, though its orders have 0 % VAT. If your prices contain VAT, ask whoever invited you before you choose a group for 0 %.',
  },
  problems: {
    open: 'Say when orders that are paid on delivery are recorded.',
    nameless: 'A payment service needs its name and number.',
    unknown: 'Choose one of the list.',
  },
  wrong: 'Something is missing; nothing was saved yet.',
  save: 'Save and continue',
  saveAlone: 'Save',
  saved: 'It is saved. Thank you: nothing else is needed here.',
  later: 'Questions without an answer stop nothing: their orders wait until you answer.',
  gone: 'Your store is not connected any more. Ask whoever invited you.',
  accountant: 'A link for your accountant',
  accountantBody: 'Your accountant may answer instead. The link opens this page alone, for 14 days.',
  makeLink: 'Make the link',
  linkOnce: 'Send this address to your accountant. It is shown this once.',
  changed: 'the answers as they were when the page was opened',
  now: 'somebody else answered meanwhile',
};
