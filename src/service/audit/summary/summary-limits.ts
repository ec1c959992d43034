/** How many rows the page of a month shows; whoever reads lists for it need not read more. A month of more orders is shown by days. */
export const summaryLimits = { orders: 500, rows: 200 } as const;

/** The same for the body of a mail, which mail programs cut off when it is long. */
export const mailLimits = { orders: 30, rows: 20 } as const;

/** How much of each list is shown. */
export type RowLimits = { orders: number; rows: number };
