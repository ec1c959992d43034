/** Of an ЕИК the first nine digits, which branches share; an identifier of ten digits is a merchant of its own. `shops.merchant` says the same. */
export function merchantOf(companyUic: string): string {
  return companyUic.length === 10 ? companyUic : companyUic.slice(0, 9);
}
