import { z } from 'zod';

/** The mail with a version of a month's file. */
export const VERSION_MAIL = 'audit-file';
/** The mail that says why a month has no file. */
export const MONTH_MAIL = 'audit-month';
export const REMINDER_MAIL = 'audit-reminder';

export const versionRef = z.object({ fileId: z.string() });
export const monthRef = z.object({ shopId: z.string(), month: z.string(), tells: z.enum(['blocked', 'empty']) });
export const reminderRef = z.object({ shopId: z.string(), month: z.string() });
export type MonthMailRef = z.output<typeof monthRef>;
