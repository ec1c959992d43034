import { type Desired, desired, fiscalSettings, frozenBy } from '../../../src/bridge/order/decisions/desired.ts';
import { type Facts, noFacts, type OrderNews } from '../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../src/bridge/order/facts/merge.ts';
import type { FiscalSettings, Terms } from '../../../src/bridge/order/facts/settings.ts';
import { at, settings } from './order-facts.ts';
import { sampleTerms } from './sample-claim.ts';

/** The facts once these deliveries have come, one a minute from noon. */
export function told(news: readonly OrderNews[]): Facts {
  return news.map((each, index) => factsOf(each, at(`12:${String(index).padStart(2, '0')}`))).reduce(merge, noFacts);
}

/** What should be recorded of them. */
export function decided(news: readonly OrderNews[], changed: Partial<FiscalSettings> = {}): Desired {
  return desired({ orderId: '1', facts: told(news), settings: { ...settings, ...changed } });
}

/** In short: the lines of the record ("2 × 5.02 − 1.00 Mug 20 %"), why there is none, or the problems. */
export function inShort(decision: Desired): string[] {
  if (decision.kind === 'problems') return decision.problems.map(({ code, detail }) => `${code}: ${detail}`);
  if (decision.kind === 'nothing') return [decision.why];
  const lines = decision.record.lineItems.map(({ quantity, price, discount, name, vatRate }) => `${quantity} × ${price} − ${discount} ${name} ${vatRate} %`);
  return decision.question === undefined ? lines : [...lines, `${decision.question.code}: ${decision.question.detail}`];
}

type Merchant = Partial<Terms['settings']>;

/** What should be recorded after `later`, of an order that was first recorded by `first`; under `settings` then, and under `since` now. */
export function decidedAgain(
  first: readonly OrderNews[],
  later: readonly OrderNews[],
  { settings: then, since = then }: { settings: Merchant; since?: Merchant },
): Desired {
  const payments = { stripe: { paymentType: 'PAYMENT_PROCESSOR' }, cod: { paymentType: 'POSTAL_PAYMENT' }, econt: { paymentType: 'POSTAL_PAYMENT' } };
  const terms = (values: Merchant) => sampleTerms({ settings: { vatGroups: { '9': 'GROUP_D', '0': 'GROUP_A' }, payments, ...values } });
  const known = told(first);
  const made = desired({ orderId: '1', facts: known, settings: fiscalSettings(terms(then), null) });
  if (made.kind !== 'record') throw new Error(`it was not recorded: ${inShort(made).join()}`);
  const frozen = frozenBy(made.record, known, then.paidStatuses);
  return desired({ orderId: '1', facts: told([...first, ...later]), settings: fiscalSettings(terms(since), frozen) });
}
