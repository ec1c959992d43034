import { test } from 'vitest';
import { expectBusyMonth } from '../../support/worlds/busy-month-file.ts';

test('a month of 10,000 orders of every kind is valid, its sums are the database’s to the cent, and its mail arrives', { timeout: 600_000 }, () =>
  expectBusyMonth(10_000),
);
