const orders = (n: number): string => `${n} ${n === 1 ? 'order' : 'orders'}`;
const many = (n: number): string => `${n} ${n === 1 ? 'rate' : 'rates'}`;

/** Exchange rates of our own compliance service. */
export const rates = {
  title: 'Exchange rates',
  intro:
    'Prices in other currencies are converted by the daily rates of the Bulgarian National Bank. The service fetches the newest sheet every day by itself.',
  link: 'Exchange rates of our own service',
  newest: (day: string): string => `The newest sheet is of ${day}.`,
  none: 'No sheet is stored yet.',
  nothingWaits: 'No order waits for a rate.',
  waiting: 'Orders that wait for a rate',
  waitingHint: 'Until it is there, the files of their months can’t be made. Fetch the sheets, or import those of these days.',
  day: 'Day',
  currency: 'Currency',
  orders: 'Orders',
  count: 'Rates',
  rate: 'Rate',
  sheets: 'The newest sheets',
  ofNewest: 'The rates of the newest sheet',
  fetch: 'Fetch now',
  noSource: '`BNB_RATES_URL` is off: nothing is fetched. Import the files of the bank.',
  importTitle: 'Import a file of the bank',
  file: 'XML file',
  fileHint: 'Of one day or of a period. All of it is imported, or nothing.',
  replace: 'Take the new value where another one is stored; orders that have their rate keep it.',
  complete: 'The file lists every sheet from its first day to its last: on a day between that has none, the one before it counts.',
  import: 'Import it',
  noFile: (megabytes: number): string => `Choose an XML file of at most ${megabytes} MB.`,
  notImported: 'Nothing was imported:',
  different: 'If the new values are right, tick that they are taken.',
  fetched: (day: string, added: number, unchanged: number): string => `The newest sheet is of ${day}: ${many(added)} stored, ${unchanged} known already.`,
  late: 'It is past 18:00 of a working day and the sheet of today is not there; until it comes, the one before counts.',
  days: (days: string): string => `Missed days that were fetched: ${days}.`,
  missed: (days: string): string => `The sheets of these days could not be fetched: ${days}.`,
  imported: (days: string, n: { added: number; replaced: number; unchanged: number }): string =>
    `${days}: ${many(n.added)} stored, ${n.replaced} replaced, ${n.unchanged} known already.`,
  filled: (n: number): string => `${orders(n)} that waited for a rate ${n === 1 ? 'has' : 'have'} it now.`,
  stillWait: (n: number): string => `${orders(n)} still ${n === 1 ? 'waits' : 'wait'} for a rate.`,
};
