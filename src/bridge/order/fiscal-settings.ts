import type { TaxRecord } from '../../contract/record.ts';
import type { Facts } from './facts.ts';
import { defaultMapping, effectiveMapping, type Gateways } from './mapping.ts';
import type { FiscalSettings, Frozen, Mapping } from './settings.ts';
import type { Terms } from './terms.ts';

// An order that was once recorded counts as paid in time for good, even if a later connection starts later.
const ALWAYS = '1970-01-01T00:00:00.000Z';

type Settings = Terms['settings'];
type FiscalTerms = Pick<Terms, 'settings' | 'recordFrom' | 'gateways' | 'gaps'>;

// A hundred gateways are merged once per connection that is read, not several times per order.
const mappings = new WeakMap<Settings, Mapping>();

function mappingOf(settings: Settings, gateways: Gateways): Mapping {
  const known = mappings.get(settings);
  if (known !== undefined) return known;
  const mapping = effectiveMapping(settings, defaultMapping(gateways));
  mappings.set(settings, mapping);
  return mapping;
}

/** A connection's settings as one order sees them: what was frozen with its first record wins, then the merchant's settings, then the storefront's gateways. */
export function fiscalSettings({ settings, recordFrom, gateways, gaps }: FiscalTerms, frozen: Frozen | null): FiscalSettings {
  const { vatGroups, payments } = mappingOf(settings, gateways);
  return {
    vatGroups: frozen === null ? vatGroups : { ...vatGroups, ...frozen.vatGroups },
    payments: frozen === null ? payments : { ...payments, ...frozen.payments },
    recordFrom: frozen === null ? recordFrom : ALWAYS,
    removeWithoutRefund: settings.removeWithoutRefund,
    freeOrders: frozen === null ? settings.freeOrders : 'record',
    codPaidWhen: frozen === null ? settings.codPaidWhen : 'processing',
    codCancelled: settings.codCancelled,
    giftCards: settings.giftCards,
    codGateways: settings.codGateways,
    paidStatuses: settings.paidStatuses,
    pricesContainVat: settings.pricesContainVat,
    gaps: frozen === null ? gaps : [],
    convertTo: frozen === null ? settings.convertTo : frozen.convertTo,
  };
}

/**
 * The mapping that a record was made with, read from the record itself: the settings may have changed by the time its reply comes
 * or a person reports its outcome.
 */
export function frozenBy(record: TaxRecord, { snapshot, transactions }: Facts): Frozen {
  const { paymentType, paymentProcessorName, currency, lineItems } = record;
  const payment = { paymentType, ...(paymentProcessorName === null ? {} : { paymentProcessorName }) };
  // A free order without a gateway is mapped under `free`.
  const gateways = ['free', ...(snapshot?.gateways ?? []), ...Object.values(transactions).map(({ gateway }) => gateway)];
  const converted = snapshot !== null && snapshot.currency !== currency && (currency === 'BGN' || currency === 'EUR');
  return {
    vatGroups: Object.fromEntries(lineItems.map(({ vatRate, vatGroup }) => [vatRate, vatGroup])),
    payments: Object.fromEntries(gateways.map((gateway) => [gateway, payment])),
    convertTo: converted ? currency : null,
  };
}
