/** What is said about months of our own compliance service, and their files. `command`: what to type, with its backticks. */
export const monthsInEnglish = {
  none: 'The shop has no order yet.',
  lacks: (n: number) => `lacks ${changes(n)}`,
  paid: (n: number) => (n === 1 ? '1 paid order' : `${n} paid orders`),
  generate: {
    incomplete: (left: string, at: string) =>
      `Warning: the file is incomplete: ${left} of the month are not recorded (as of ${at}). \`orderbridge review\` says what to do.`,
    reading: (month: string, until: string) => `The store is read for ${month}: waiting until ${until} at most. With --now it does not wait.`,
    notAsked: (month: string, why: string) =>
      `Warning: the store was not asked for all of ${month} (${why}). \`orderbridge reconcile --month ${month}\` reads it; then make the file again.`,
    replacement: (month: string, until: string) =>
      `An order that the file of ${month} is about was just deleted, and its replacement may be on its way: waiting until ${until}. With --now it does not wait.`,
    mailed: 'The mail is in the outbox; a running server sends it. `orderbridge service mails list` shows its state.',
    sameMailed: 'Nothing is mailed: the same was mailed before.',
    nothingNew: 'Nothing is mailed: there is nothing new to report.',
    keptAnyway: (error: string, version: number, command: string) => `${error}; version ${version} is kept all the same, ${command} prints it with --xml`,
    made: (month: string) => `The audit file of ${month} is made.`,
    leftOut: (orders: number, total: string) => `Left out, as the shop’s auditNoReceiptOrders says: orders without a receipt, ${orders} of them (${total}).`,
    written: (files: string) => `Written: ${files}`,
    fields: { version: 'version', contents: 'contents', size: 'size', warnings: 'warnings' },
    bytes: (n: number) => `${n} bytes`,
    next: (command: string, when: string) => `File it in the agency’s portal ${when}, then ${command}.`,
    late: (deadline: string) => `at once (it was due on ${deadline})`,
    inTime: (deadline: string) => `by ${deadline}`,
  },
  refused: {
    noEdit: 'A recorded order can’t be edited: delete it and create it again as it should be.',
    rates: 'EXCHANGE RATES THAT ARE MISSING',
    ratesTodo: '`orderbridge service rates fetch` fetches the bank’s newest sheet, `orderbridge service rates import` takes a sheet of those days from a file.',
    ratesNever: (currencies: string) =>
      `the bank publishes no rate of ${currencies} for these days: delete these orders, and create them in the currency that was paid`,
    filed: (month: string, command: string) =>
      `the file of ${month} is marked as filed, so no other was made; if the agency or you found errors in it, say so with ${command} and make it again`,
    notEnded: (month: string, from: string) => `${month} is not over; its file can be made from ${from} on`,
    busy: (command: string) => `another process is making this very file; ${command} shows it when it is made`,
    notOurs: (month: string) => `the shop was not here in ${month}: a file of it is made with the software that it had then`,
    noShop: 'the shop was deleted meanwhile',
    testShop: 'the shop was made with a test key: its orders are in no file',
    missingRates: (n: number) => (n === 1 ? '1 missing exchange rate' : `${n} missing exchange rates`),
    blocked: (month: string, what: readonly string[]) => `no file of ${month} was made: ${what.join(' and ')}; do what is said above, then make it again`,
    returns: (n: number) => `returns: ${n}`,
    leftOut: (n: number) => `orders that the shop’s auditNoReceiptOrders leaves out: ${n}`,
    empty: (month: string, holds: string, command: string) =>
      `${month} has no order for a file${holds}, and the agency’s schema allows none without; ${command} says what the merchant has to do`,
  },
  versions: {
    title: 'VERSIONS',
    filed: (version: number) => `${version} (filed)`,
    noneYet: (month: string, command: string) => `no file of ${month} was made yet; ${command} makes it`,
    noSuch: (month: string, last: number, command: string) =>
      `there is no such version of the file of ${month}; the last one is ${last}, and ${command} lists them`,
    notLast: (version: number, last: number | undefined) => `This is version ${version}; the last one is ${last}.`,
  },
  mail: {
    queued: (version: number, month: string) =>
      `Version ${version} of the file of ${month} is in the outbox; a running server sends it. \`orderbridge service mails list\` shows its state.`,
    justMailed: (until: string) => `it was mailed just now; it can be mailed again after ${until}`,
    filed: (month: string) => `the file of ${month} is marked as filed, so nobody has to file it any more`,
    none: (month: string, command: string) => `there is no file of ${month} to be mailed; ${command} makes it`,
  },
  said: {
    checked: (version: number, month: string) => `It is kept that the sums of version ${version} of the file of ${month} agree with bookkeeping.`,
    accepted: (version: number, month: string) => `It is kept that the agency accepted version ${version} of the file of ${month}.`,
    notFiled: (month: string, state: string, command: string) =>
      `the file of ${month} is not marked as filed (the month is ${state}); ${command} says that it is`,
  },
  filed: {
    without: (left: string, n: number) => `Filed without ${left} that ${n === 1 ? 'is' : 'are'} not recorded: later files list them.`,
    done: (version: number, month: string) => `Version ${version} of the file of ${month} is marked as filed.`,
    closed: 'The month is closed: an order of it that is deleted from now on becomes a return in the file of the month in which it is deleted.',
    ifErrors: (command: string) => `If the agency finds errors in the file: ${command}`,
    notLast: (version: number, later: number, command: string) =>
      `Warning: version ${version} is not the last one, which is ${later}. If another version is to be filed in its place: ${command}`,
    empty: (month: string, command: string) =>
      `${month} has no order for a file; if the accountant agrees that there is nothing to file, ${command} settles it`,
    wrongDay: (first: string, last: string) => `--filed-on must be a day from ${first}, when the version was made, to ${last}, today`,
    incomplete: ({ left, orders, at, month, command }: { left: string; orders: number; at: string; month: string; command: string }) =>
      `${left} of ${month} ${orders === 1 ? 'is' : 'are'} not recorded (as of ${at}); \`orderbridge review\` says what to do with each; once they are recorded, ` +
      `make the file anew with ${command} and file that. If the file was filed without them, add --without-outstanding: they go into later files`,
    outdated: ({
      version,
      lacks,
      header,
      show,
      generate,
      until,
    }: {
      version: number;
      lacks: number;
      header: string;
      show: string;
      generate: string;
      until: string;
    }) =>
      `version ${version} lacks ${changes(lacks)}${header} of the month since it was made (${show}); make another with ${generate} and file that, until ${until}. ` +
      `If the agency has version ${version} and it must stay, add --as-is: the changes then go into later files`,
    already: ({ version, month, day, command }: { version: number | null; month: string; day: string | null; command: string }) =>
      `version ${version ?? '-'} of the file of ${month} was marked as filed on ${day ?? 'an unknown day'}; if that was a mistake, or the agency found errors in it, ` +
      `${command} takes it back`,
  },
  rejected: {
    done: (version: number, month: string) => `Version ${version} of the file of ${month} is marked as rejected.`,
    open: (deadline: string) => `The month is open again until ${deadline}: orders that are deleted leave its file.`,
    closed: (deadline: string) => `Its term has ended on ${deadline}, so the month stays closed: orders that are deleted stay in its file and become returns.`,
    next: (command: string, days: number) => `Correct what the agency names, then ${command}; file it within ${days} days of the agency’s message.`,
    tooLate: (month: string) =>
      `orders of ${month} that were deleted since are no longer kept, so its file can’t be made again; correct the file that was filed by hand ` +
      '(`orderbridge service audit show --xml`), with the accountant',
    already: (month: string, command: string) => `the file of ${month} is marked as rejected already; make the next one with ${command}`,
    notFiled: (month: string, state: string) => `the file of ${month} is not marked as filed (the month is ${state}), so it can’t be rejected`,
  },
  nothing: {
    done: (month: string) => `${month} is settled: nothing to file. An order or a return that comes into it opens it again.`,
    notEnded: (month: string) => `${month} is not over: an order may still come into it`,
    hasReturns: (month: string, n: number) =>
      `${month} has ${n === 1 ? '1 return' : `${n} returns`}, which no file can tell: agree with the accountant how to account for them, say so in --note, and add --with-returns`,
    hasFile: (month: string, command: string) => `a file of ${month} was made, so there is something to file (${command})`,
    hasOrders: (month: string, command: string) => `${month} has orders, so its file is to be made and filed: ${command}`,
  },
};

function changes(n: number): string {
  return n === 1 ? '1 change' : `${n} changes`;
}
