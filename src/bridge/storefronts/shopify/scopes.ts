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
