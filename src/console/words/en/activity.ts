/** The trail of acts, and what happens now. */
export const activity = {
  title: 'Activity',
  lead: 'What people and the program did, the newest first. Nothing in this list is ever changed or taken out.',
  none: 'Nothing was done yet.',
  noneSuch: 'Nothing of this kind was done.',
  columns: { at: 'When', who: 'Who', what: 'What', about: 'About', change: 'Change', why: 'Why' },
  program: 'orderbridge itself',
  order: (number: string): string => `order ${number}`,
  filter: { who: 'only by', act: 'only', all: 'Everything' },
  csv: 'As CSV',
  caption: 'Acts',
  live: {
    title: 'Live',
    lead: 'What happens, as it happens. Without script it is what happened in the last ten minutes; load the page again for more.',
    quiet: 'Nothing happened in the last ten minutes.',
    all: 'All stores',
    queues: 'The queues, for developers (read-only)',
    fresh: 'Show what is new:',
    lost: 'The database does not answer; what happens meanwhile is shown once it does.',
    back: 'The database answers again.',
  },
};
