import { test } from 'vitest';
import { MAIL_SIZES } from '../../../src/service/audit/month/mail-files.ts';
import { expectBusyMonth } from '../../support/worlds/busy-month-file.ts';

// A tenth of the month of test/long/service/busy-month.test.ts, and of what a mail has as it is.
test('a month of 1,000 orders of every kind is valid, its sums are the database’s to the cent, and its mail arrives', { timeout: 120_000 }, () =>
  expectBusyMonth(1_000, { ...MAIL_SIZES, plain: MAIL_SIZES.plain / 10 }),
);
