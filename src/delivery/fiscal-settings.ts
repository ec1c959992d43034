import type { Facts } from '../domain/facts.ts';
import { effectiveMapping } from '../domain/mapping.ts';
import { ownValue } from '../domain/own-value.ts';
import type { FiscalSettings, Frozen, Mapping, TaxRecord } from '../domain/record.ts';
import type { Connection } from '../ledger/connection.ts';

// An order that was once recorded was paid in time for good, whatever a later connection says.
const ALWAYS = '1970-01-01T00:00:00.000Z';

type Settings = Connection['settings'];

// A hundred gateways are merged once per connection that is read, not several times per order.
const mappings = new WeakMap<Settings, Mapping>();

function mappingOf(settings: Settings): Mapping {
  const known = mappings.get(settings);
  if (known !== undefined) return known;
  const mapping = effectiveMapping(settings);
  mappings.set(settings, mapping);
  return mapping;
}

/** A connection's settings as one order sees them: what was frozen with its first record wins. */
export function fiscalSettings({ settings, recordFrom }: Connection, frozen: Frozen | null): FiscalSettings {
  const { vatGroups, payments } = mappingOf(settings);
  return {
    vatGroups: frozen === null ? vatGroups : { ...vatGroups, ...frozen.vatGroups },
    payments: frozen === null ? payments : { ...payments, ...frozen.payments },
    recordFrom: frozen === null ? recordFrom : ALWAYS,
    removeWithoutRefund: settings.removeWithoutRefund,
    freeOrders: frozen === null ? settings.freeOrders : 'record',
    codPaidWhen: frozen === null ? settings.codPaidWhen : 'processing',
    convertTo: frozen === null ? settings.convertTo : frozen.convertTo,
  };
}

/** The part of the mapping that a record was made with. */
export function usedMapping(record: TaxRecord, facts: Facts, connection: Connection): Frozen {
  const { vatGroups, payments } = mappingOf(connection.settings);
  const rates = new Set(record.lineItems.map(({ vatRate }) => vatRate));
  // A free order without a gateway is mapped under `free`.
  const gateways = new Set(['free', ...(facts.snapshot?.gateways ?? []), ...Object.values(facts.transactions).map(({ gateway }) => gateway)]);
  return { vatGroups: only(vatGroups, rates), payments: only(payments, gateways), convertTo: connection.settings.convertTo };
}

function only<T>(map: Record<string, T>, keys: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const value = ownValue(map, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
