import type { Storefronts } from '../storefronts/contract.ts';
import type { WebhookPath } from './webhook-path.ts';

/** Why an address leads to nothing, and what to do; null: the address itself is right, but there is no such connection. */
export function unknownAddress(storefronts: Storefronts, path: WebhookPath): string | null {
  const storefront = Object.hasOwn(storefronts, path.platform) ? storefronts[path.platform] : undefined;
  if (storefront === undefined) {
    const names = Object.keys(storefronts).join(', ');
    return `No platform has the name in this address. Those that do: ${names}. Copy the webhook address that \`orderbridge connect\` printed.`;
  }
  if (path.connectionId !== null) return null;
  if (storefront.appWide === undefined) {
    return 'The address names no connection, and stores of this platform share none. Copy the webhook address that `orderbridge connect` printed.';
  }
  if (path.app !== null) {
    return `No app has the name in this address. \`orderbridge ${storefront.name}-app list\` shows those that do, and \`print\` their addresses.`;
  }
  const { secretVariable } = storefront.appWide;
  return `${secretVariable} is not set here, so the address that all stores of an app share is off. Set it, or use the address that \`orderbridge connect\` printed.`;
}
