/** `e_shop_type` of the audit file (Наредба Н-18, Приложение № 38): 1, a domain of its own or rented alone; 2, a shop in an online platform. */
export type ShopType = 1 | 2;

/** Is it the address of a shop below a domain, rather than a domain? */
export function hasPath(domain: string): boolean {
  return /^(https?:\/\/)?[^/]+\/[^/]/i.test(domain);
}

/** What the merchant says; if he says nothing, a domain with a path is the address of a shop inside a platform. */
export function shopTypeOf(domain: string, said: ShopType | null): ShopType {
  return said ?? (hasPath(domain) ? 2 : 1);
}
