import type { Step } from '../../../operations/onboarding/onboarding.ts';

/** What every page of a merchant has. */
export const steps = {
  title: 'Connect your store',
  name: { store: 'Store', company: 'Company', webhooks: 'Notifications', mapping: 'VAT and payments', trial: 'Trial and start' } satisfies Record<Step, string>,
  way: 'Your way to a connected store',
  isDone: 'done',
  back: 'Back',
  next: 'Continue',
  language: 'Български',
  neededTitle: 'A link is needed here',
  needed: 'Whoever runs this service sends you a link by which you connect your store.',
  goneTitle: 'This link opens nothing any more',
  gone: {
    unknown: 'There is no such link. Check that the whole address was copied, or ask for a new one.',
    expired: 'The time of this link has passed. Ask whoever sent it for a new one: nothing that you said is lost.',
    revoked: 'This link was ended. Ask whoever sent it if you still need it.',
  },
  ask: (mail: string): string => `Write to ${mail}.`,
  othersTitle: 'This link opens one page alone',
};
