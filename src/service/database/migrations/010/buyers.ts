/** Buyers who are forgotten, and until when things are kept. */
export const buyers = '';
