import { outboxRecipients } from '../../../../platform/mail/outbox.ts';

/** Mails are those of one recipient each. Rows that wait become so at their next try. */
export const mails = outboxRecipients({ schema: 'compliance' });
