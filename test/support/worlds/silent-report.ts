import type { MailReport } from '../../../src/platform/mail/outbox.ts';

/** For tests of the state of a mail, not of the log. */
export const silentReport: MailReport = { notMade: () => undefined, notHandedOver: () => undefined };
