/** An app as its maker configured it at Shopify. */
export type ShopifyApp = {
  clientId: string;
  /** Signs queries, webhooks and calls of the token endpoint. */
  secret: string;
  name: string;
  /** custom: for one store. public: reviewed, tokens must expire if `mustExpire`. own: of the merchant's organisation, the only kind with client credentials. */
  kind: 'custom' | 'public' | 'own';
  organisation: string;
  /** The store that a custom app was made for; null: any. */
  onlyShop: string | null;
  applicationUrl: string;
  /** The callback must be one of these, to the letter. */
  redirectUrls: string[];
  /** Of its configuration: what Shopify asks for by itself if the installation is `managed`. */
  scopes: string[];
  managed: boolean;
  /** Of its configuration: sent to every store that has it, and in no list. A path is below `applicationUrl`. */
  subscriptions: { topics: string[]; uri: string }[];
  /** Approved access to protected customer data: 0 none, 1 orders, 2 the buyer's name and e-mail, too. */
  customerData: 0 | 1 | 2;
  /** Its tokens that do not expire are refused. */
  mustExpire: boolean;
};

/** An app of custom distribution for any store, unless `given` says otherwise. */
export function shopifyApp(given: Partial<ShopifyApp> & Pick<ShopifyApp, 'clientId'>): ShopifyApp {
  return {
    ...{ secret: `shpss_${given.clientId}`, name: 'orderbridge', kind: 'custom', organisation: 'agency', onlyShop: null },
    ...{ applicationUrl: 'https://bridge.example/shopify/install', redirectUrls: ['https://bridge.example/shopify/callback'] },
    ...{ scopes: ['read_orders'], managed: false, subscriptions: [], customerData: 2, mustExpire: false, ...given },
  };
}

/** `write_x` lets its holder read, too, and is then the only one that is named. */
export function namedScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes)].filter((scope) => !scopes.includes(scope.replace(/^read_/, 'write_')) || scope.startsWith('write_'));
}

/** Are all of these allowed by those? */
export function covers(granted: readonly string[], asked: readonly string[]): boolean {
  return asked.every((scope) => granted.includes(scope) || granted.includes(scope.replace(/^read_/, 'write_')));
}
