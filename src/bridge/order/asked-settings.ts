/** A setting that an order lacks: the type of a payment method, the group of a VAT rate, what a gift card is, or which VAT is in prices without taxes. */
export type AskedSetting = { of: 'payment'; gateway: string } | { of: 'vat'; rate: string } | { of: 'contained-vat' } | { of: 'gift-cards' };

const PAYMENT = /The payment method “([^”]*)” has no type\./g;
const RATE = /(T|t)he VAT rate ([0-9.]+) % has no group\./g;

/** The settings that an order in review lacks, as the words of its problem (`desired`) name them. */
export function askedSettings(code: string, words: string): AskedSetting[] {
  if (code === 'gift-card.undecided') return [{ of: 'gift-cards' }];
  if (code !== 'payment.unmapped' && code !== 'vat.unmapped') return [];
  const payments = [...words.matchAll(PAYMENT)].map(([, gateway = '']) => ({ of: 'payment' as const, gateway }));
  // In the middle of a sentence: nothing in the order bears a tax.
  const rates = [...words.matchAll(RATE)].map(([, first, rate = '']) => (first === 't' ? { of: 'contained-vat' as const } : { of: 'vat' as const, rate }));
  return [...payments, ...rates];
}
