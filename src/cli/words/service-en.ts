/** What is said about our own compliance service: keys, numbers, rates, orders, receipts, mails. */
export const serviceInEnglish = {
  keys: {
    granted: (owner: string, company: string) => `The owner of the key ${owner} may create shops of the company ${company}.`,
    noLonger: (owner: string) => `The owner of the key ${owner} no longer may.`,
    left: (owner: string, shops: number, company: string) =>
      `Warning: the owner of the key ${owner} has ${shops === 1 ? 'a shop of this company, which takes' : `${shops} shops of this company, which take`} no new orders; ` +
      `what they recorded can be corrected, and is to be filed; \`orderbridge service numbers show ${company}\` lists all.`,
    ours: (id: string) => `orderbridge itself calls with the new key ${id} within 10 s; nothing else is to be done.`,
    old: (id: string, until: string) => `The old key ${id} is live until ${until}; \`orderbridge service keys revoke ${id}\` ends it sooner.`,
    secret: 'Keep the secret: it is not shown again.',
    revoked: (id: string) => `The key ${id} is revoked.`,
  },
  numbers: {
    none: 'No document number was given yet; they begin with the receiptStartNumber of the shop of the first order.',
    next: (number: string) => `next  ${number}`,
    titles: { given: 'GIVEN', skipped: 'SKIPPED', shops: 'SHOPS', owners: 'WHO MAY CREATE SHOPS' },
    nextIs: (company: string, number: string) => `The next document number of the company ${company} is ${number}.`,
    skipped: (first: string, last: string) => `${first} to ${last} are skipped, and kept as voided.`,
    takenBack: (first: string, last: string) => `${first} to ${last} are skipped no more.`,
  },
  rates: {
    none: 'No rates are stored for that. `orderbridge service rates fetch` fetches the newest sheet.',
    replace: 'If the new values are right, add --replace.',
    days: (count: number, first: string, last: string) => `${count} days from ${first} to ${last}`,
    rates: (n: number) => (n === 1 ? '1 rate' : `${n} rates`),
    imported: ({ rates, days, replaced, unchanged }: { rates: string; days: string; replaced: number; unchanged: number }) =>
      `${rates} of ${days} stored, ${replaced} replaced, ${unchanged} known already.`,
    notImported: (path: string) => `${path} was not imported, nothing was changed:`,
    newest: (day: string, rates: string, unchanged: number) => `The newest sheet is of ${day}: ${rates} stored, ${unchanged} known already.`,
    late: 'It is past 18:00 of a working day and the sheet of today is not there; until it comes, the one before counts.',
    missed: (days: string) => `Missed days that were fetched: ${days}.`,
    notFetched: (days: string, why: string) => `The sheets of ${days} could not be fetched (${why}).`,
    filled: (n: number) => `${n === 1 ? '1 order' : `${n} orders`} that waited for a rate ${n === 1 ? 'has' : 'have'} it now.`,
    waiting: (n: number) => `${n === 1 ? '1 order' : `${n} orders`} still ${n === 1 ? 'waits' : 'wait'} for a rate: import the sheets of their days.`,
  },
  orders: {
    none: 'No order found.',
    more: (limit: number) => `There are more than ${limit} orders; narrow the list with --month, or raise --limit.`,
    recorded: (id: string, document: string | null) => `The order is recorded: ${id}${document === null ? '' : `, document ${document}`}.`,
    already: (id: string, document: string | null) => `The order is recorded already: ${id}${document === null ? '' : `, document ${document}`}.`,
    settle: (command: string) => `If it is an order of a store: ${command}`,
    about: (id: string, order: string, total: string) => `The record ${id} is of the order ${order}, ${total}.`,
    ask: 'Delete it?',
    deleted: (id: string) => `The record ${id} is deleted.`,
    held: (id: number, name: string) =>
      `orderbridge holds it as the record of its order ${name} (id:${id}), and does not notice that it is gone. If the order needs review, record it anew ` +
      `afterwards and \`orderbridge settle id:${id} --recorded ID\`, or leave this record and let \`orderbridge release id:${id} --remove\` delete it, ` +
      'which orderbridge knows of. If it is not in review, `orderbridge reconcile` records it anew where the store can be read by a key; else nothing does.',
    fields: {
      id: 'id',
      shop: 'shop',
      order: 'order',
      ordered: 'ordered',
      recorded: 'recorded',
      payment: 'payment',
      document: 'document',
      month: 'month',
      total: 'total',
      declared: 'declared',
      warning: 'warning',
      issued: 'issued',
      eMail: 'e-mail',
    },
    internalId: (number: string, id: string) => `${number} (internalId ${id})`,
    document: (number: string, day: string, edition: number) => `${number} of ${day}${edition > 1 ? `, edition ${edition}` : ''}`,
    noMonth: 'none: it replaces a sale that a closed month lists',
    sums: ({ total, net, vat, discounts }: { total: string; net: string; vat: string; discounts: string }) =>
      `${total}: net ${net}, VAT ${vat}, discounts ${discounts}`,
    noRate: 'not yet: the exchange rate is missing; see `orderbridge service rates`',
    declared: (total: string, vat: string) => `${total}, VAT ${vat}`,
    rateOf: (rate: string, source: string, day: string) => ` (${rate}, ${source} of ${day})`,
  },
  receipts: {
    none: 'No receipt found.',
    more: (limit: number) => `There are more than ${limit} receipts; narrow the list with --month, or raise --limit.`,
    written: (file: string) => `The document is in ${file}.`,
    emailed: {
      'no-address': 'not mailed: the buyer has no usable e-mail address',
      queued: 'waits to be mailed; a running server does it',
      sent: 'mailed to the buyer',
      failed: 'could not be mailed; `orderbridge service mails list --state failed` says why',
    },
  },
  mails: {
    none: 'No mail found.',
    states: { waiting: 'waiting', sent: 'sent', failed: 'failed' },
    more: (limit: number) => `Only the newest ${limit} are shown; narrow the list with --shop or --state, or raise --limit.`,
    due: (id: string) => `The mail ${id} is due again; a running server sends it.`,
  },
  shops: {
    none: 'There is no shop.',
    more: (limit: number) => `There are more than ${limit} shops; raise --limit.`,
    earlier: (before: string, borne: string) => `Files of months before ${before} bear: ${borne}`,
  },
};
