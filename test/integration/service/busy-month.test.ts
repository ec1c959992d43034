import { test } from 'vitest';
import { expectBusyMonth } from '../../support/worlds/busy-month-file.ts';

test('a month of 1,000 orders of every kind is valid, its sums are the database’s to the cent, and its mail arrives', { timeout: 120_000 }, () =>
  expectBusyMonth(1_000),
);
