/** A no-break space: keeps a number on one line with its sign. */
export const NO_BREAK = '\u00a0';
