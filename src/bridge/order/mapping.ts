import type { Mapping, PaymentMapping } from './settings.ts';
import { canonicalRate } from './vat-groups.ts';

/** The ids of each online processor's gateways, by the processor's name. */
export type Gateways = Readonly<Record<string, readonly string[]>>;

/** The default mapping: the one VAT group in the service's documentation, and online processors by gateway id. */
export function defaultMapping(gateways: Gateways): Mapping {
  const payments = Object.entries(gateways).flatMap(([name, ids]) => ids.map((id) => [id, processor(name)] as const));
  return { vatGroups: { '20': 'GROUP_B' }, payments: Object.fromEntries(payments) };
}

function processor(paymentProcessorName: string): PaymentMapping {
  return { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName };
}

/** What a merchant may set of it; absent and undefined are the same. */
export type MerchantMapping = {
  vatGroups?: Readonly<Record<string, string>> | undefined;
  payments?: Readonly<Record<string, { paymentType: string; paymentProcessorName?: string | undefined }>> | undefined;
};

/** The merchant's entries over the defaults, key by key; VAT rates in one way of writing ("20.0" is "20"). */
export function effectiveMapping({ vatGroups = {}, payments = {} }: MerchantMapping, defaults: Mapping): Mapping {
  const groups = Object.entries(vatGroups).map(([rate, group]) => [canonicalRate(rate), group] as const);
  const said = Object.entries(payments).map(([gateway, { paymentType, paymentProcessorName: name }]) => {
    return [gateway, name === undefined ? { paymentType } : { paymentType, paymentProcessorName: name }] as const;
  });
  return {
    vatGroups: { ...defaults.vatGroups, ...Object.fromEntries(groups) },
    payments: { ...defaults.payments, ...Object.fromEntries(said) },
  };
}
