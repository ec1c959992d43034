/** The last document number of a sequence. */
export const LAST_NUMBER = 9_999_999_999;

/** A document number as documents bear it: ten digits. */
export function documentNumberText(number: number): string {
  return String(number).padStart(10, '0');
}

/** Which document number comes next. */
export function nextNumberWords(next: number): string {
  return next > LAST_NUMBER ? 'and none is left' : `the next is ${documentNumberText(next)}`;
}
