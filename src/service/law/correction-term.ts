/** A file that the agency found wrong is filed again within so many days of its message (ДОПК, чл. 102, ал. 4). */
export const CORRECTION_DAYS = 7;
