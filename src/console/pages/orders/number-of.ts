/** What people call an order. */
export function numberOf({ number, orderId }: { number: string | null; orderId: string }): string {
  return number ?? orderId;
}
