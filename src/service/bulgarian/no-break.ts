/** A blank at which no line ends: a number is not torn apart, nor from its sign. */
export const NO_BREAK = '\u00a0';
