/** What a shop asks for beyond the documented interface, and receipts that are made without being asked for. */
export const receipts = '';
