/** Whose a company number is, keys of one owner, and ranges of numbers that were skipped. */
export const tenants = '';
