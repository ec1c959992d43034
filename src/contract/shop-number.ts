/** The number that the agency gives an e-shop with its registration (Наредба Н-18, Приложение № 33): RF and seven digits, as far as numbers are known. */
const SHOP_NUMBER = /^RF\d{7}$/;

/** Does it look like the number of an e-shop? The agency's schema accepts any ten characters, so another form is not certainly wrong. */
export function isShopNumber(text: string): boolean {
  return SHOP_NUMBER.test(text);
}
