import type { Normalized } from '../contract.ts';

/** Where an app may write it may read, and only the right to write is listed. */
export function mayReadOrders(scopes: readonly string[]): boolean {
  return scopes.includes('read_orders') || scopes.includes('write_orders');
}

/** What it means for the merchant that the app has these scopes from now on. */
export function granted(current: readonly string[]): Normalized {
  if (mayReadOrders(current)) return { kind: 'granted', warning: null };
  const warning =
    'The app may no longer read the orders of the store (scope read_orders): Shopify sends no webhooks of orders any more, and what was missed can’t be read. ' +
    'Open the install link of the app in the store again, and approve all that it asks for.';
  return { kind: 'granted', warning };
}

/** The scopes that an answer names (`read_orders,write_products`). */
export function scopesIn(text: string): string[] {
  return text
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}

/** Those that were asked for and not granted. `write_x` grants `read_x`, too, and is named alone. */
export function lackingScopes(asked: readonly string[], granted: readonly string[]): string[] {
  const all = new Set(granted.flatMap((scope) => [scope, ...impliedBy(scope)]));
  return asked.filter((scope) => !all.has(scope));
}

function impliedBy(scope: string): string[] {
  const [, unauthenticated = '', what] = /^(unauthenticated_)?write_(.*)$/.exec(scope) ?? [];
  return what === undefined ? [] : [`${unauthenticated}read_${what}`];
}
