const takenIn = (n: number): string => (n === 1 ? '1 order is taken in' : `${n} orders are taken in`);

/** What is said about orders that are read from a store, and about single webhooks. */
export const readingInEnglish = {
  fetch: {
    none: (store: string, said: string, days: number) =>
      `${store} has no order with the id ${said}, and none of this number that changed in the last ${days} days`,
    later: 'The store has it; it is taken in as soon as a worker runs (`orderbridge start`).',
    found: (id: number | string) => `The store has it: \`orderbridge order id:${id}\` shows what becomes of it.`,
  },
  reconcile: {
    noStore: 'No store is connected.',
    notWhole: 'not everything could be read; what is not checked says why',
    left: (n: number) => (n === 1 ? '1 difference is left' : `${n} differences are left`),
    head: (store: string, from: string, to: string) => `${store}, orders sold from ${from} until ${to}`,
    inCurrency: (currency: string) => ` in ${currency}`,
    sides: { store: 'store', ledger: 'ledger', service: 'service', file: 'file' },
    healed: (n: number) => `healed: ${n}`,
    unchecked: (why: string) => `not checked: ${why}`,
    none: 'No difference.',
  },
  backfill: {
    ask: 'Were these recorded by other software? Then they would stand twice: answer no. Take them in?',
    taken: (n: number) => `${takenIn(n)} and will be recorded; \`orderbridge drain\` waits for it.`,
    unread: (orders: string) => `Not read whole, since the store does not show them: ${orders}.`,
    head: (from: string, until: string, orders: number) => `Orders sold from ${from} until ${until} that are not taken yet: ${orders}.`,
    goesOn: (n: number) => `An unfinished run took in ${n}; it goes on where it was.`,
    recordFrom: (from: string) => `recordFrom moves to ${from}.`,
    unlisted: 'The compliance service does not list its records: whether it has some of these already is not known.',
    recorded: (n: number) =>
      `The compliance service has a record of ${n} of them already: those need review as compliance.conflict, and \`orderbridge reconcile\` takes them over.`,
  },
  delivery: {
    fields: {
      delivery: 'delivery',
      store: 'store',
      topic: 'topic',
      arrived: 'arrived',
      outcome: 'outcome',
      why: 'why',
      order: 'order',
      body: 'body',
      toDo: 'to do',
    },
    topicInBody: '(its body names the topic)',
    personal: 'This is what the store sent; it holds personal data of the buyer.',
    kept: 'kept (--body prints it; it holds personal data)',
    gone: 'gone',
    dismissed: (id: string) => `The delivery ${id} no longer waits for a person.`,
    replayed: (id: string) => `The delivery ${id} is queued again.`,
    needsNothing: (id: string, why: string) => `The delivery ${id} needs nothing: ${why}.`,
  },
  test: {
    ask: (shopId: string, name: string) => `The order becomes a tax record of the shop ${shopId} (${name}), in its month’s file until you delete it. Send it?`,
    askOnTrial: (name: string) => `${name} is on trial: the order is kept, and becomes a tax record if recording is started from before now. Send it?`,
    onTrial: 'The store is on trial: the order came, and nothing is submitted.',
    sent: (address: string) => `Sent to ${address}; waiting for what becomes of it.`,
    notRecorded: (state: string) => `the test order is not recorded: it is ${state}`,
    totalNotKnown: 'total not known',
    elsewhere: (id: string) => `delete the record ${id} at the compliance service`,
    takeBack: 'It is a tax record now, and counts in its month’s file. To take it back, send its refund as the store would (the record is then deleted), or',
  },
  records: {
    ask: (record: string) => `Delete the record ${record}?`,
    released: 'the order is decided again',
    left: (records: number) => `the order still has ${records} records, and stays in review`,
    deleted: (record: string, next: string, order: number) =>
      `The record ${record} is deleted; ${next}: \`orderbridge order id:${order}\` shows what becomes of it.`,
    is: { there: 'it is there', gone: 'it is gone', unreadable: 'the service does not show it' },
    isHeld: (state: string) => `${state}; the order stands for it`,
  },
  read: (store: string, since: string, isAnew: boolean) =>
    `What changed in ${store} since ${since} is read by a worker now${isAnew ? '; what was being read of it begins anew' : ''}; \`orderbridge connections\` shows when it was read.`,
};
