/** What identifies an order for good: it survives disconnecting and connecting again. */
export type OrderKey = {
  /** The compliance service's shop id (UUID). */
  shopId: string;
  /** Name of the storefront in the registry. */
  platform: string;
  /** The store as its platform names it: a shop domain, a home URL, or the connection's name. */
  store: string;
  /** The platform's own order id, as text (it may pass 2^53); `ID~2` for a second order that came under the id ID. */
  orderId: string;
};
