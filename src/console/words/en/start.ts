const orders = (n: number): string => `${n} ${n === 1 ? 'order' : 'orders'}`;

/** The trial of a store, and its end. */
export const start = {
  title: (name: string): string => `Start recording ${name}`,
  intro: 'On trial its webhooks are taken and kept, and nothing is submitted. From the start on its orders are recorded; this can’t be taken back.',
  from: 'Record orders that were paid',
  ways: { now: 'from now on', month: 'since the first of this month', day: 'since a day:' },
  counted: (from: string): string => `Of the orders that were paid ${from}:`,
  notCounted: 'Nothing was started: what you selected had not been counted yet. Look at what it takes in, and press “Start recording” again.',
  day: 'Day',
  show: 'Show what that takes in',
  would: (n: number, sum: string): string => `${orders(n)} would be recorded: ${sum}.`,
  wouldNone: 'No order that has come would be recorded yet.',
  asked: (n: number, means: string): string => `About ${orders(n)} more somebody would be asked: ${means}`,
  unknown: (n: number, sum: string): string => `The store has ${orders(n)} more that no webhook told of: ${sum}, by its list. They are read after the start.`,
  unread: (why: string): string => `What else the store has is not known now: ${why}`,
  twice: 'If other software recorded any of these orders, they would stand twice: choose a later moment then.',
  why: 'Why (for the trail)',
  do: 'Start recording',
  since: (day: string): string => `from ${day} on`,
  isNow: (when: string): string => `It is not on trial any more; it is recorded since ${when}.`,
  onTrial: (ago: string): string => `On trial, begun ${ago}: webhooks are kept, and nothing is submitted.`,
  state: 'on trial',
  verb: 'Start recording',
};
