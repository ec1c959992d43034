import { convertFixed, exactMoney, isTied, sum } from '../../../contract/money.ts';
import type { TaxRecord } from '../../../contract/record.ts';
import { totalsOf } from '../../../contract/totals.ts';
import { minorOrZero } from '../facts/effective-refunds.ts';
import type { Facts } from '../facts/facts.ts';
import type { CardPayment } from '../facts/payment-signs.ts';
import { defaultMapping, effectiveMapping, type FiscalSettings, type Frozen, type Gateways, type Mapping, type Terms } from '../facts/settings.ts';
import { type OrderView, viewOf } from '../facts/view.ts';
import { soldCards } from '../money/gift-cards.ts';
import { isUntaxed } from '../money/untaxed-prices.ts';

// An order that was once recorded counts as paid in time for good, even if a later connection starts later.
const ALWAYS = '1970-01-01T00:00:00.000Z';

type Settings = Terms['settings'];
type FiscalTerms = Pick<Terms, 'settings' | 'recordFrom' | 'onTrial' | 'gateways' | 'gaps'>;

/** The terms of an order that a backfill took in: it is recorded whenever it was paid. */
export function takenIn<Own extends Pick<Terms, 'recordFrom' | 'gaps'>>(terms: Own): Own {
  return { ...terms, recordFrom: ALWAYS, gaps: [] };
}

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
export function fiscalSettings({ settings, recordFrom, onTrial, gateways, gaps }: FiscalTerms, frozen: Frozen | null): FiscalSettings {
  const { vatGroups, payments } = mappingOf(settings, gateways);
  return {
    vatGroups: frozen === null ? vatGroups : { ...vatGroups, ...frozen.vatGroups },
    payments: frozen === null ? payments : { ...payments, ...frozen.payments },
    recordFrom: frozen === null ? recordFrom : ALWAYS,
    onTrial: frozen === null && onTrial,
    removeWithoutRefund: settings.removeWithoutRefund,
    freeOrders: frozen === null ? settings.freeOrders : 'record',
    codPaidWhen: frozen === null ? settings.codPaidWhen : 'processing',
    codCancelled: settings.codCancelled,
    ...cardSettings(settings, frozen),
    codGateways: settings.codGateways,
    paidStatuses: settings.paidStatuses,
    ...(frozen?.paidStatus === undefined ? {} : { paidStatus: frozen.paidStatus }),
    pricesContainVat: frozen === null ? settings.pricesContainVat : frozen.pricesContainVat,
    gaps: frozen === null ? gaps : [],
    convertTo: frozen === null ? settings.convertTo : frozen.convertTo,
    refuseEndedCurrencies: settings.refuseEndedCurrencies,
  };
}

function cardSettings({ giftCards }: Settings, frozen: Frozen | null): Pick<FiscalSettings, 'giftCards' | 'giftCardsTakenOff'> {
  const isRecorded = giftCards === 'record';
  if (frozen === null) return { giftCards, giftCardsTakenOff: isRecorded };
  return { giftCards: frozen.giftCards ?? giftCards, giftCardsTakenOff: frozen.giftCardsTakenOff ?? isRecorded };
}

/**
 * The mapping that a record was made with, read from the record itself: the settings may have changed by the time its reply comes
 * or a person reports its outcome. `paidStatuses`: those of the settings, if they are known to be the ones it was made with.
 */
export function frozenBy(record: TaxRecord, facts: Facts, paidStatuses: readonly string[] = []): Frozen {
  const { snapshot, transactions } = facts;
  const { paymentType, paymentProcessorName, currency, lineItems } = record;
  const payment = { paymentType, ...(paymentProcessorName === null ? {} : { paymentProcessorName }) };
  // A free order without a gateway is mapped under `free`.
  const gateways = ['free', ...(snapshot?.gateways ?? []), ...Object.values(transactions).map(({ gateway }) => gateway)];
  const converted = snapshot !== null && snapshot.currency !== currency && (currency === 'BGN' || currency === 'EUR');
  const view = viewOf(facts);
  return {
    vatGroups: Object.fromEntries(lineItems.map(({ vatRate, vatGroup }) => [vatRate, vatGroup])),
    payments: Object.fromEntries(gateways.map((gateway) => [gateway, payment])),
    convertTo: converted ? currency : null,
    ...(view === null ? UNSEEN : { pricesContainVat: containedBy(record, view), ...cardsBy(record, view) }),
    ...(view?.payment !== 'paid' && view?.status != null && paidStatuses.includes(view.status) ? { paidStatus: view.status } : {}),
  };
}

/** Of an order of which only the record is known. */
const UNSEEN: Pick<Frozen, 'pricesContainVat' | 'giftCards' | 'giftCardsTakenOff'> = { pricesContainVat: null, giftCards: 'record', giftCardsTakenOff: false };

// A record with VAT of an order in which nothing bears a tax.
function containedBy({ lineItems }: TaxRecord, view: OrderView): string | null {
  return isUntaxed(view) ? (lineItems.find(({ vatRate }) => vatRate !== '0')?.vatRate ?? null) : null;
}

function cardsBy(record: TaxRecord, view: OrderView): Pick<Frozen, 'giftCards' | 'giftCardsTakenOff'> {
  const sold = soldCards(view);
  const isSale = record.lineItems.some(({ name }) => sold.some((card) => card.name === name));
  const giftCards = isSale ? 'record' : 'ignore';
  if (sold.length > 0 && !isSale) return { giftCards, giftCardsTakenOff: false };
  return { giftCards: isSale ? giftCards : null, giftCardsTakenOff: view.cards === null ? null : isNearer(record, view, view.cards) };
}

// Which of the two sums the record has: that of the order, or that less what gift cards paid. Splitting and converting move a cent or two.
function isNearer(record: TaxRecord, { currency, total, refunds }: OrderView, { paid }: CardPayment): boolean {
  const whole = minorOrZero(total, currency) - sum(refunds.map(({ amount }) => minorOrZero(amount, currency)));
  const recorded = exactMoney(totalsOf({ lines: record.lineItems, precision: record.precision }).total, record.precision);
  const off = (minor: bigint) => {
    const gap = (isTied(currency) && isTied(record.currency) ? convertFixed(minor, currency, record.currency) : minor) - recorded;
    return gap < 0n ? -gap : gap;
  };
  return off(whole - minorOrZero(paid, currency)) < off(whole);
}
