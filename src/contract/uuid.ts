const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Shops, orders, receipts, keys and deliveries have UUIDs; a query for any other id would fail. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
