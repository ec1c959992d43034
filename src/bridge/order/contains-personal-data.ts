const QUOTES = /^(compliance|replacement|storefront)\./;

/** Do the words of a problem with this code quote a service or a store, which may have repeated a buyer? */
export function containsPersonalData(code: string): boolean {
  return QUOTES.test(code);
}
