const orders = (count: number): string => (count === 1 ? '1 order' : `${count} orders`);

/** What somebody did to many orders at once. */
export const runs = {
  title: (count: number): string => `Released: ${orders(count)}`,
  settledTitle: (count: number): string => `Settled: ${orders(count)}`,
  by: (who: string): string => `by ${who},`,
  progress: (done: number, all: number): string => `${done} of ${all} decided`,
  counting: 'There are many: they are being counted. This page shows it by itself.',
  leave: 'You may leave this page: the orders go on by themselves, and this page stays for 90 days.',
  states: {
    recorded: (count: number): string => `${count} recorded`,
    removed: (count: number): string => `${count} deleted, the money went back`,
    settled: (count: number): string => `${count} settled by a person`,
    ignored: (count: number): string => (count === 1 ? '1 needs no record' : `${count} need no record`),
    waiting: (count: number): string => `${count} not paid yet`,
    queued: (count: number): string => `${count} under way`,
    review: (count: number): string => (count === 1 ? '1 waits for a person' : `${count} wait for a person`),
    unconfirmed: (count: number): string => `${count} without an answer`,
  },
  refused: (count: number): string => `${count} refused`,
  underWay: (count: number): string => `${count} under way`,
  left: (count: number): string =>
    `${count === 1 ? '1 was' : `${count} were`} not decided: whoever did it was cut short. ${count === 1 ? 'It is' : 'They are'} as before.`,
  toCome: (count: number): string => `${count} still to come`,
  apart: (count: number): string =>
    count === 1
      ? '1 is as before: it is decided by itself, or changed meanwhile.'
      : `${count} are as before: each of them is decided by itself, or changed meanwhile.`,
  goOn: 'Go on with them',
  leftNow: (count: number): string => `${count} as before`,
  issuesTitle: 'What waits for a person now',
  columns: { issue: 'Issue', orders: 'Orders' },
  toGroup: 'Back to the issue',
  order: 'The order',
};
