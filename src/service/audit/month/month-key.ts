/** A month ("2026-10") of a shop. */
export type MonthKey = { shopId: string; month: string };
