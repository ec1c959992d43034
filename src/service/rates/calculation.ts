import { z } from 'zod';

/** The rules that an order's sums were computed with, kept with it: what was answered, printed and declared of it stays. */
export const CALCULATION = 2;

/** Null: the first rules, of orders that were recorded before there was another edition. */
export const calculation = z.int().nullable();
export type Calculation = z.output<typeof calculation>;
