import { ownValue } from '../../contract/own-value.ts';
import type { Problem } from './failure.ts';
import type { Mapping, PaymentMapping } from './settings.ts';
import { GIFT_CARD } from './view.ts';

/** The key in `payments` for an order whose total is zero, and which no gateway handled. */
const FREE = 'free';

export type Payment = { kind: 'mapped'; payment: PaymentMapping } | { kind: 'problem'; problem: Problem };

/** How the order was paid: by its one gateway other than gift cards. */
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
