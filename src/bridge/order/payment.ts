import { ownValue } from '../../contract/own-value.ts';
import type { Problem } from './failure.ts';
import type { Mapping, PaymentMapping } from './settings.ts';
import { GIFT_CARD } from './view.ts';

/** Under this key `payments` may say how an order over nothing, which no gateway took, is recorded. */
const FREE = 'free';

export type Payment = { kind: 'mapped'; payment: PaymentMapping } | { kind: 'problem'; problem: Problem };

/** How the order was paid, by the one gateway that is left once gift cards are set aside. */
export function paymentOf(gateways: readonly string[], payments: Mapping['payments'], isFree: boolean): Payment {
  const named = new Set(gateways.length === 0 && isFree ? [FREE] : gateways);
  const [gateway, ...others] = named.size > 1 ? [...named].filter((name) => name !== GIFT_CARD) : named;
  if (gateway === undefined) return problem('payment.unmapped', 'The order names no payment method.');
  if (others.length > 0) return problem('payment.split', `Paid by ${[gateway, ...others].join(' and ')}.`);
  const payment = ownValue(payments, gateway);
  return payment === undefined ? problem('payment.unmapped', `The payment method “${gateway}” has no type.`) : { kind: 'mapped', payment };
}

function problem(code: Problem['code'], detail: string): Payment {
  return { kind: 'problem', problem: { code, detail } };
}
