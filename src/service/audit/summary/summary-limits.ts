/** The rows that the page of a month shows, so that no more need to be selected. A month of more orders is shown by days. */
export const summaryLimits = { orders: 500, rows: 200 } as const;

/** The same for the body of a mail, which mail programs cut off when it is long. */
export const mailLimits = { orders: 30, rows: 20 } as const;

/** The rows of each list that are shown. */
export type RowLimits = { orders: number; rows: number };
