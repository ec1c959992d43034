/** The page by which a mailbox confirms whose a company is. */
export const confirm = {
  title: 'Is this your company?',
  words: (company: string): string => `A store is to be connected here for the company with the number ${company}, and your address was given for it.`,
  yes: 'Yes, it is my company',
  no: 'If you know nothing of it, close this page: nothing is made.',
  thanks: 'Thank you. Go back to the page from which we wrote to you: you can go on there as soon as everything is confirmed.',
  over: 'There is nothing to confirm by this link any more.',
};
