/** Problems of a store that only a shop on Shopify can have. */
export const shopifyProblems = ['address.other', 'shop.frozen', 'shop.locked', 'throttled', 'scope.missing', 'data.denied'] as const;

/** Those of a store into which the merchant let an app: no keys that are typed lead to them. */
export const grantProblems = ['grant.ended', 'grant.less', 'app.refused'] as const;
