import type { RequestDeps } from './accept-request.ts';
import type { WebhookPath } from './webhook-path.ts';

/** Why no delivery is taken at an address, and what to do; null: the address itself is right, but there is no such connection. */
export function unknownAddress({ intake: { storefronts }, appSecret }: Pick<RequestDeps, 'intake' | 'appSecret'>, path: WebhookPath | null): string | null {
  if (path === null) return null;
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
  if (appSecret(storefront) !== null) return null;
  const { secretVariable } = storefront.appWide;
  return `${secretVariable} is not set here, so the address that all stores of an app share is off. Set it, or use the address that \`orderbridge connect\` printed.`;
}
