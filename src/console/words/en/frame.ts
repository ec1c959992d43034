/** What every page has. */
export const frame = {
  product: 'orderbridge',
  skip: 'To the content',
  menu: 'Menu',
  places: {
    today: 'Today',
    orders: 'Orders',
    parked: 'Needs a person',
    months: 'Months',
    stores: 'Stores',
    destinations: 'Compliance service',
    activity: 'Activity',
    live: 'Live',
    people: 'People',
  },
  search: { label: 'Find an order', hint: 'number, id, document, amount' },
  person: { signOut: 'Sign out', language: 'Български', account: 'Your account' },
  verdict: { ok: 'All is well', attention: 'Something needs attention', failing: 'Orders can’t be recorded, or a legal term is past' },
  when: {
    never: 'never',
    ago: (seconds: number): string => {
      if (seconds < 90) return `${seconds} s ago`;
      if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`;
      if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h ago`;
      return `${Math.round(seconds / 86_400)} days ago`;
    },
  },
  problem: {
    missingTitle: 'Nothing is here',
    missing: 'There is no page at this address. Look for an order above, or go on from Today.',
    forbiddenTitle: 'This is not for your role',
    forbidden: (roles: string): string => `Only ${roles} can do this.`,
    foreignTitle: 'Sent from elsewhere',
    foreign: 'This form was not sent from a page of orderbridge, so nothing was done. Open the page and send it again.',
    staleTitle: 'It has changed meanwhile',
    stale: 'Somebody changed it after you opened the page. Nothing was done. This is what you saw, and what it is now:',
    refusedTitle: 'This can’t be done',
    seen: 'What you saw',
    now: 'What it is now',
    failedTitle: 'Something went wrong',
    failed: (requestId: string): string => `This page could not be made. The log has the reason under ${requestId}. Nothing is lost: webhooks are still taken.`,
    databaseTitle: 'The database does not answer',
    database: 'Webhooks are still taken if a receiver runs with Redis: nothing is lost. This page tries again by itself.',
    method: 'This address takes no such request.',
    back: 'Back',
  },
  roles: { owner: 'owner', operator: 'operator', accountant: 'accountant', viewer: 'viewer' },
  keys: {
    title: 'Keys',
    close: 'Close',
    all: [
      ['/', 'to the search'],
      ['g t', 'Today'],
      ['g o', 'Orders'],
      ['g p', 'Needs a person'],
      ['g m', 'Months'],
      ['g s', 'Stores'],
      ['j  k', 'next and previous row'],
      ['Enter', 'opens the row'],
      ['x', 'selects the row'],
      ['r', 'to the verb of the page'],
      ['?', 'these keys'],
    ] as readonly (readonly [string, string])[],
  },
  more: 'Further',
  none: '–',
};
