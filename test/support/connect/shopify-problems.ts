/** Problems of a store that only a shop on Shopify can have. */
export const shopifyProblems = ['address.other', 'shop.frozen', 'shop.locked', 'throttled', 'scope.missing', 'data.denied'] as const;
