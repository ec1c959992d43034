import type { MailReport } from '../../../src/platform/mail/outbox.ts';

/** For tests that look at what became of a mail, and not at the log. */
export const silentReport: MailReport = { notMade: () => undefined, notHandedOver: () => undefined };
