import { shopHost } from '../shop-host.ts';

/** The shop's own domain, as people type or copy it: its name alone, its address, or a page of its administration; null: none of these. */
export function typedShop(typed: string): string | null {
  const text = typed.trim().toLowerCase();
  if (/^[a-z0-9][a-z0-9-]*$/.test(text)) return `${text}.myshopify.com`;
  if (/\s|@/.test(text)) return null;
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `https://${text}`);
  if (url === null || url.port !== '') return null;
  const [, name] = /^\/store\/([a-z0-9][a-z0-9-]*)(\/|$)/.exec(url.pathname) ?? [];
  if (url.hostname === 'admin.shopify.com' && name !== undefined) return `${name}.myshopify.com`;
  return shopHost(url.hostname);
}
