/** What needs somebody now. */
export const today = {
  title: 'Today',
  calm: (recorded: number, last: string): string =>
    `Nothing needs you. ${recorded} ${recorded === 1 ? 'order' : 'orders'} recorded today; last webhook ${last}.`,
  noStore: 'No store is connected yet. Type one of these where orderbridge runs:',
  ways: [
    { command: 'orderbridge connect --help', words: 'connect a store' },
    { command: 'orderbridge demo', words: 'play the demo' },
  ],
  since: 'since',
  cards: {
    person: { title: 'Need a person', none: 'nobody' },
    waiting: { title: 'On their way to the service', none: 'none', oldest: (ago: string): string => `the oldest ${ago}` },
    recorded: { title: 'Recorded today' },
    webhook: { title: 'Last webhook', none: 'none came yet' },
  },
  levels: { failing: 'failing', attention: 'attention' },
  inFull: 'in full',
  verbs: {
    review: 'Decide',
    unconfirmed: 'Look and say',
    month: 'To the month',
    store: 'To the store',
    destination: 'To the service',
    command: 'Type',
  },
};
