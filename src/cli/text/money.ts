/** "12.90 BGN", or null if there is no amount. */
export function money(amount: string | null, currency: string | null): string | null {
  return amount === null ? null : `${amount} ${currency ?? ''}`.trim();
}
