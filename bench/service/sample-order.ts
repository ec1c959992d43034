import type { CreateOrderDto } from '../../src/contract/order-dto.ts';

const GOODS = [
  { name: 'Керамична чаша „Родопи“, ръчна изработка, 330 мл', vatRate: 20, vatGroup: 'GROUP_B' },
  { name: 'Книга „Под игото“, твърди корици', vatRate: 9, vatGroup: 'GROUP_D' },
  { name: 'Тениска Organic Cotton, размер XL, черна 👕', vatRate: 20, vatGroup: 'GROUP_B' },
  { name: 'Бебешки пелени, 48 бр.', vatRate: 9, vatGroup: 'GROUP_D' },
  { name: 'Онлайн курс по счетоводство (освободена доставка)', vatRate: 0, vatGroup: 'GROUP_A' },
];
const DELIVERY = { name: 'Доставка до офис на куриер', quantity: 1, price: 3.49, discount: 0, vatRate: 20, vatGroup: 'GROUP_B' };
const PAYMENTS = [
  { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' },
  { paymentType: 'VIRTUAL_POS', paymentProcessorName: '62100042' },
  { paymentType: 'POSTAL_PAYMENT' },
  { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'PayPal' },
];

export type SampleOrder = { shopId: string; n: number; lines: number; day: string };

/** The n-th order of a shop: goods of mixed VAT, quantities that divide badly, a discount on some, the delivery as last line; every 25th is in dollars. */
export function sampleOrder({ shopId, n, lines, day }: SampleOrder): CreateOrderDto {
  const goods = Array.from({ length: lines - 1 }, (_, i) => {
    const seed = n * 7 + i * 13;
    const quantity = (seed % 3) + 1;
    const price = (((seed * 37) % 9_000) + 199) / 100;
    return { ...pick(GOODS, seed), quantity, price, discount: seed % 4 === 0 ? Math.floor(price * quantity * 10) / 100 : 0 };
  });
  const { paymentType, paymentProcessorName } = pick(PAYMENTS, n);
  return {
    internalId: `65123450${String(n).padStart(8, '0')}`,
    internalNumber: `#${1000 + n}`,
    internalCreatedAt: `${day}T${String(n % 24).padStart(2, '0')}:15:00+02:00`,
    customer: { email: `buyer.${n}@example.com`, phone: '+359888123456', firstName: 'Мария', lastName: 'Иванова-Петрова' },
    lineItems: [...goods, DELIVERY],
    paymentType,
    ...(paymentProcessorName === undefined ? {} : { paymentProcessorName, transactionId: `pi_3PqLyE2eZvKYlo2C${String(n).padStart(8, '0')}` }),
    precision: 2,
    currency: n % 25 === 0 ? 'USD' : 'EUR',
    shopId,
  };
}

function pick<T>(from: readonly T[], n: number): T {
  const one = from[n % from.length];
  if (one === undefined) throw new RangeError('nothing to pick from');
  return one;
}
