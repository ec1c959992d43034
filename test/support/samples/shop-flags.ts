/** Flags of `orderbridge shop create` for a shop that the service takes. */
export const SHOP_FLAGS = [
  ...['--name', 'Corner', '--domain', 'corner.example', '--customer-phone', '+359888123456', '--customer-email', 'shop@corner.example'],
  ...['--nra-number', 'RF0001234', '--company-uic', '131071587', '--company-name', 'Corner Ltd', '--company-address', 'Sofia, Corner 1'],
];
