import { type SettledAs, settledAs } from '../../bridge/order/settled.ts';

const words: Readonly<Record<SettledAs, string>> = settledAs;

/** What `orderbridge order` prints. */
export const orderInEnglish = {
  sections: {
    facts: 'Facts',
    lines: 'Lines in the store',
    desired: 'Desired record',
    current: 'Current record',
    lost: 'Record whose reply was lost',
    webhooks: 'Webhooks',
    submissions: 'Submissions',
  },
  fields: {
    order: 'order',
    state: 'state',
    why: 'why',
    refusal: 'repeat refused',
    toDo: 'to do',
    said: 'said',
    orderTotal: 'order total',
    recordedTotal: 'recorded total',
    complianceId: 'compliance id',
    receipt: 'receipt',
    warning: 'warning',
  },
  name: (orderId: string, number: string | null, store: string) => `${orderId} (${number ?? 'number not known'}) of ${store}`,
  notKnown: 'not known',
  nothingRecorded: 'nothing is recorded',
  none: 'none',
  held: (state: string, words: string, detail: string) =>
    `${state}, ${words} (${detail}); it is submitted automatically as soon as that ends, and \`orderbridge status\` says what to do`,
  heldByStore: (state: string, words: string, detail: string) =>
    `${state}, ${words} (${detail}); it is called again by itself, \`orderbridge connections\` shows its state, and after six hours a person is asked`,
  workedOn: ', being worked on',
  settledAs: words,
  asId: (how: string, id: string | null) => `${how} as ${id}`,
  by: ({ what, who, at, why }: { what: string; who: string; at: string; why: string }) => `${what}, by ${who} at ${at}: “${why}”`,
  before: ' (before the newest change)',
  receipt: {
    due: (since: string) => `due since ${since}; it is requested automatically`,
    got: (at: string, id: string) => `got at ${at}${id === '' ? '' : `, ${id}`}`,
    refused: (at: string, detail: string) => `refused at ${at}: ${detail}.`,
  },
  onlyParts: 'only parts of it are known so far',
  asOf: (words: string, at: string) => `${words}, as of ${at}`,
  paidBy: (gateways: string) => `paid by ${gateways}`,
  refund: (id: string, at: string | null, amount: string | null) => `refund ${id}${at === null ? '' : ` at ${at}`}: ${amount ?? 'amount by its transactions'}`,
  deleted: (at: string) => `deleted in the store, reported at ${at}`,
  restored: (at: string) => `restored in the store, reported at ${at}`,
  olderThere: (words: string, at: string) =>
    `the store shows an older state since, seen at ${at}: ${words}; what is recorded stays (\`orderbridge reconcile\`: older-there)`,
  erased: 'personal data is erased',
  total: (total: string) => `total ${total}`,
  kept: (kept: string) => `paid and kept ${kept}`,
  price: (currency: string) => `price ${currency}`,
  payment: (words: string) => `payment: ${words}`,
  noRecord: (why: string) => `none: ${why}`,
  undecided: (code: string, words: string) => `can't be decided: ${code}: ${words}`,
};
