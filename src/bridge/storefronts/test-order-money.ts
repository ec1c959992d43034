/** A test order: one thing for 1.00 EUR and 20 % VAT, paid by card; small, and the same at every platform. */
export const testMoney = { total: '1.20', net: '1.00', vat: '0.20', rate: '20', currency: 'EUR', name: 'Test of the connection' } as const;

/** How people see its number. */
export function testNumber(id: string): string {
  return `TEST-${id.slice(-6)}`;
}
