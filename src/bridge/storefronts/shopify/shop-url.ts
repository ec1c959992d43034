/** A label of DNS has 63 characters at most. */
const SHOP = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,62}\.myshopify\.com$/;
/** How an address is shown to somebody who gave another. */
export const SHOP_LIKE = 'NAME.myshopify.com';
const LONGEST_TYPED = 300;

/** `https://name.myshopify.com` of the domain that a query names; null: it is no shop's. Nothing else is ever called as a shop, or redirected to. */
export function shopUrl(domain: string): string | null {
  return SHOP.test(domain) ? `https://${domain.toLowerCase()}` : null;
}

/**
 * The same of what a person typed or copied: the shop's name alone, its domain, an address in the shop, or one of its administration
 * (`admin.shopify.com/store/name`).
 */
export function typedShopUrl(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || text.length > LONGEST_TYPED || /\s/.test(text)) return null;
  if (!/[.:/]/.test(text)) return shopUrl(`${text}.myshopify.com`);
  const address = text.replace(/^https?:\/\//i, '');
  const url = URL.parse(`https://${address}`);
  if (url === null || url.username !== '' || url.password !== '' || url.port !== '') return null;
  // Letters of other alphabets, or encoded ones, would make another host than the one that is read there.
  if (!address.toLowerCase().startsWith(url.hostname)) return null;
  const [, name] = url.hostname === 'admin.shopify.com' ? (/^\/store\/([^/]+)/.exec(url.pathname) ?? []) : [];
  return shopUrl(name === undefined ? url.hostname : `${name}.myshopify.com`);
}
