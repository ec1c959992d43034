import { z } from 'zod';
import { limits } from './limits.ts';
import { text } from './text.ts';

const day = z.iso.date({ error: 'must be a day such as 2026-11-12' });

/** The agency's number as a person types it: one line. */
export const incomingNumber = text(limits.incomingNumber)
  .regex(/^[^\t\r\n]*$/, 'must be one line')
  .meta({ description: 'The number that the agency gave when it took the file (Вх. №).', examples: ['2212И0012345'] });

/** A person filed a version of a month's file. */
export const monthFiledDto = z.strictObject({
  version: z.int('must be a whole number').min(1, 'must be 1 or more').describe('The version that was filed.'),
  incomingNumber: incomingNumber.optional(),
  filedOn: day
    .optional()
    .meta({ description: 'The day on which it was filed, from the day on which the version was made to today; today if left out.', examples: ['2026-11-12'] }),
  withoutOutstanding: z
    .boolean()
    .default(false)
    .describe('Must be true if paid orders of the month are not recorded (else 409 month-incomplete): later files list them.'),
  asIs: z
    .boolean()
    .default(false)
    .describe('Must be true if the version lacks the last changes (else 409 month-outdated): what the agency has counts, and the changes go into later files.'),
});

/** The file that was filed is wrong: the agency found errors in it, or the merchant a mistake of their own. */
export const monthRejectedDto = z.strictObject({
  words: text(limits.rejectedWords).meta({
    description: 'What is wrong: as the agency says it, or a mistake of your own.',
    examples: ['Грешка 12: ord_total2 на поръчка 1042'],
  }),
});

/** A person agreed with the accountant that an empty month has nothing to file. */
export const monthNothingDto = z.strictObject({
  withReturns: z
    .boolean()
    .default(false)
    .describe('Must be true if the month has returns, which no file tells (else 409 month-has-returns): the note says how they were dealt with.'),
  note: text(limits.nothingNote).meta({ description: 'What was agreed with whom.', examples: ['Без продажби; уточнено със счетоводителя на 11.11.2026'] }),
});

/** How a month's file is made when somebody asks for it. */
export const monthGenerateDto = z.strictObject({
  now: z.boolean().default(false).describe('Don’t wait for the replacement of an order that was just deleted.'),
});
