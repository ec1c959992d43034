/** What was filed stays: whether an order was listed, its number, and the month of a delivered one. */
export const filed = '';
