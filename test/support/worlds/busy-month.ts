const GROUPS = [
  { vatGroup: 'GROUP_B', vatRate: 20 },
  { vatGroup: 'GROUP_D', vatRate: 9 },
  { vatGroup: 'GROUP_A', vatRate: 0 },
] as const;
const NAMES = [
  'Чаша „Родопи“, ръчна изработка',
  'Book & pen <set> "A5"',
  'Тениска 👕 размер XL — черна',
  `Дълго име: ${'абвгдежзийклмнопрстуфхцчшщъьюя '.repeat(9)}`.slice(0, 250).trim(),
  '日本の茶碗 №5 €',
];
const PAYMENTS = [
  { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe', transactionId: 'pi_3PqLyE' },
  { paymentType: 'VIRTUAL_POS', paymentProcessorName: '62100042', transactionId: 'RRN 426812345678' },
  { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined },
  { paymentType: 'BANK_TRANSFER', paymentProcessorName: undefined, transactionId: undefined },
];
const CURRENCIES = [
  { currency: 'EUR', precision: 2 },
  { currency: 'EUR', precision: 2 },
  { currency: 'BGN', precision: 2 },
  { currency: 'USD', precision: 2 },
  { currency: 'JPY', precision: 0 },
];

/**
 * The n-th order of a month of a shop that sells everything: mixed VAT, discounts, quantities that divide badly or are not whole, foreign currencies,
 * long names, emoji. The same n is the same order.
 */
export function busyMonthOrder(n: number, month: string): Record<string, unknown> {
  const { currency, precision } = pick(CURRENCIES, n);
  const unit = 10 ** precision;
  const lines = Array.from({ length: (n % 4) + 1 }, (_, i) => {
    const seed = n * 7 + i * 13;
    const quantity = seed % 11 === 0 ? 1.125 : (seed % 6) + 1;
    const price = Math.round((((seed * 37) % 9_000) / 100 + 0.01) * unit) / unit;
    const gross = Math.floor(price * quantity * unit) / unit;
    const discount = seed % 3 === 0 ? Math.floor(gross * unit * 0.15) / unit : 0;
    return { name: pick(NAMES, seed), quantity, price, discount, ...pick(GROUPS, seed) };
  });
  const day = String((n % 28) + 1).padStart(2, '0');
  return {
    internalId: `busy-${n}`,
    internalNumber: `ПОР-${n}`,
    internalCreatedAt: `${month}-${day}T${String(n % 24).padStart(2, '0')}:15:00+03:00`,
    lineItems: lines,
    ...pick(PAYMENTS, n),
    currency,
    precision,
  };
}

function pick<T>(from: readonly T[], n: number): T {
  const one = from[n % from.length];
  if (one === undefined) throw new RangeError('nothing to pick from');
  return one;
}
