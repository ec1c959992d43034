/** The last document number of a sequence. */
export const LAST_NUMBER = 9_999_999_999;

/** The highest number at which a sequence begins, unless the operator says otherwise: it has room to go on. */
export const HIGHEST_START = 9_000_000_000;

/** A key raises the next number to so many above the highest that was ever given; the operator to any. */
export const MOST_SKIPPED = 100_000;

/** A document number as documents bear it: ten digits. */
export function documentNumberText(number: number): string {
  return String(number).padStart(10, '0');
}

/** Which document number comes next. */
export function nextNumberWords(next: number): string {
  return next > LAST_NUMBER ? 'and none is left' : `the next is ${documentNumberText(next)}`;
}
