import { limits } from '../../../contract/limits.ts';
import { convertFixed, decimalsOf, endedBy, exactMoney, formatMoney, isTied, parseMoney, sum } from '../../../contract/money.ts';
import { ownValue } from '../../../contract/own-value.ts';
import type { RecordContent, RecordLine, TaxRecord } from '../../../contract/record.ts';
import { fittingText, isVisible } from '../../../contract/text.ts';
import { totalsOf } from '../../../contract/totals.ts';
import { minorOrZero } from '../facts/effective-refunds.ts';
import { type Facts, isBasket } from '../facts/facts.ts';
import type { Problem } from '../facts/failure.ts';
import {
  canonicalRate,
  defaultMapping,
  effectiveMapping,
  type FiscalSettings,
  type Frozen,
  type Gateways,
  type Mapping,
  type PaymentMapping,
  type Terms,
  vatGroupOf,
} from '../facts/settings.ts';
import { type CardPayment, GIFT_CARD, type OrderView, viewOf } from '../facts/view.ts';
import { missingCards, soldCards, undecidedCards } from '../money/money-line.ts';
import { type RecordLines, recordLines, type UnitLine } from '../money/record-lines.ts';
import { countsAsPaid, isFree, removalOf, stillOwed } from '../money/removal.ts';
import { isUntaxed, withContainedVat } from '../money/untaxed-prices.ts';

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

function cardSettings({ giftCards }: Settings, frozen: Frozen | null): Pick<FiscalSettings, 'giftCards' | 'giftCardsDeducted'> {
  const isRecorded = giftCards === 'record';
  if (frozen === null) return { giftCards, giftCardsDeducted: isRecorded };
  return { giftCards: frozen.giftCards ?? giftCards, giftCardsDeducted: frozen.giftCardsDeducted ?? isRecorded };
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
const UNSEEN: Pick<Frozen, 'pricesContainVat' | 'giftCards' | 'giftCardsDeducted'> = { pricesContainVat: null, giftCards: 'record', giftCardsDeducted: false };

// A record with VAT of an order in which nothing bears a tax.
function containedBy({ lineItems }: TaxRecord, view: OrderView): string | null {
  return isUntaxed(view) ? (lineItems.find(({ vatRate }) => vatRate !== '0')?.vatRate ?? null) : null;
}

function cardsBy(record: TaxRecord, view: OrderView): Pick<Frozen, 'giftCards' | 'giftCardsDeducted'> {
  const sold = soldCards(view);
  const isSale = record.lineItems.some(({ name }) => sold.some((card) => card.name === name));
  const giftCards = isSale ? 'record' : 'ignore';
  if (sold.length > 0 && !isSale) return { giftCards, giftCardsDeducted: false };
  return { giftCards: isSale ? giftCards : null, giftCardsDeducted: view.cards === null ? null : isNearer(record, view, view.cards) };
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

/**
 * What should be recorded, by the facts and the settings. `question`: what a person must decide beyond the record, once it is made.
 * `mayCome`: the problems may solve themselves by news that is still under way. `certain`: the record without what is known to have gone, whatever
 * a person decides about the rest.
 */
export type Desired =
  | { kind: 'record'; record: TaxRecord; question?: Problem }
  | { kind: 'nothing'; why: NothingReason }
  | { kind: 'problems'; problems: [Problem, ...Problem[]]; mayCome?: true; certain?: TaxRecord };

/** Why nothing should be recorded: people see it as the order's state. */
export type NothingReason =
  | 'unknown'
  | 'draft'
  | 'test'
  | 'unpaid'
  | 'trial'
  | 'before-record-from'
  | 'disconnected'
  | 'free'
  | 'gift-card'
  | 'refunded'
  | 'removed';

/** `recorded`: the content of its record, or of the one that is being replaced; absent: nothing of it is recorded. */
type DesiredInput = { orderId: string; facts: Facts; settings: FiscalSettings; recorded?: TaxRecord | null };
type OrderToDecide = { orderId: string; view: OrderView; settings: FiscalSettings };

/** Decides what should be recorded of an order: a tax record, nothing (and why), or every problem that prevents the decision. Never throws. */
export function desired({ orderId, facts, settings, recorded = null }: DesiredInput): Desired {
  const stated = viewOf(facts);
  if (stated === null) return nothing('unknown');
  const view = withContainedVat(stated, settings);
  const decided = notOurs(view, settings, recorded) ?? undecidable(view) ?? removalOf(view, settings);
  const wanted = decided ?? keptAsItIs(view, recorded) ?? recordOf({ orderId, view, settings });
  return wanted.kind === 'record' && recorded === null ? (divided(view, settings) ?? wanted) : wanted;
}

// That an order is a draft or a test, or older than the connection, proves nothing about the money of a sale that is recorded.
function notOurs(view: OrderView, settings: FiscalSettings, recorded: TaxRecord | null): Desired | null {
  const isDraft = view.lifecycle === 'draft';
  if (view.test && recorded === null) return nothing('test');
  if (isBasket(view) && !view.wasPaid && recorded === null) return nothing('draft');
  if (!isDraft && countsAsPaid(view, settings) === 'unpaid') return nothing('unpaid');
  if (recorded !== null) return null;
  if (settings.onTrial) return nothing('trial');
  const why = whyLeftOut(view.paidAt, settings);
  return why === null || divided(view, settings) !== null ? null : nothing(why);
}

/** A deposit or a dearer edit: other software may have recorded the whole sale at its first payment, or nothing of it. Null: all its payments count, or none. */
function divided(view: OrderView, settings: FiscalSettings): Desired | null {
  const { total, currency, paidAt, partsPaidAt } = view;
  const isOut = whyLeftOut(paidAt, settings) !== null;
  const other = countsAsPaid(view, settings) === 'paid' ? partsPaidAt.find((at) => (whyLeftOut(at, settings) !== null) !== isOut) : undefined;
  if (other === undefined) return null;
  const [first, second] = [paidAt, other].sort();
  const detail = `Its ${total} ${currency} seem to be paid in parts: at ${first}, and at ${second}.`;
  return { kind: 'problems', problems: [{ code: 'payment.divided', detail }], mayCome: true };
}

function whyLeftOut(instant: string, { recordFrom, gaps }: FiscalSettings): 'before-record-from' | 'disconnected' | null {
  const at = Date.parse(instant);
  if (at < Date.parse(recordFrom)) return 'before-record-from';
  return gaps.some(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until)) ? 'disconnected' : null;
}

function undecidable({ problems: [first, ...more] }: OrderView): Desired | null {
  return first === undefined ? null : { kind: 'problems', problems: [first, ...more] };
}

// A draft that is no longer paid has lost its lines: where it stays a sale, its record stays as it is.
function keptAsItIs(view: OrderView, recorded: TaxRecord | null): Desired | null {
  return recorded !== null && isBasket(view) && view.refunds.length === 0 ? { kind: 'record', record: recorded } : null;
}

function recordOf(known: OrderToDecide): Desired {
  const { view, settings } = known;
  const missing = missingCards(view, settings);
  if (missing !== null) return { kind: 'problems', problems: [missing], mayCome: true };
  const lines = recordLines(view, settings);
  if (lines.lines.length === 0 && lines.problems.length === 0 && lines.waiting === undefined) return nothing(whyNothingIsLeft(view));
  const content = contentOf(known, lines);
  const problems = [...endedCurrency(view, settings, lines), ...undecidedCards(view, settings), ...unmappedRates(known, lines), ...lines.problems];
  const payment = paymentOf(view.gateways, settings.payments, isFree(view));
  const [first, ...more] = lines.waiting === undefined ? problems : [...problems, lines.waiting];
  if (payment.kind === 'problem') return { kind: 'problems', problems: [payment.problem, ...(first === undefined ? [] : [first, ...more])] };
  const { paymentType, paymentProcessorName = null } = payment.payment;
  const transactionId = fittingText(view.transactionId ?? '', limits.transactionId);
  const record = { ...content, paymentType, paymentProcessorName, transactionId: isVisible(transactionId) ? transactionId : null };
  const isCertain = problems.length === 0 && record.lineItems.length > 0;
  if (first !== undefined) return { kind: 'problems', problems: [first, ...more], ...(isCertain ? { certain: record } : {}) };
  const question = stillOwed(view, settings);
  return { kind: 'record', record, ...(question === null ? {} : { question }) };
}

// By the order's own time, and before anything of it is deleted: a service that refuses it would take neither the replacement nor the old record again.
function endedCurrency({ createdAt }: OrderView, { refuseEndedCurrencies }: FiscalSettings, { currency }: RecordLines): Problem[] {
  const lastDay = refuseEndedCurrencies === true ? endedBy(currency, createdAt) : null;
  return lastDay === null ? [] : [{ code: 'currency.ended', detail: `${currency} ended on ${lastDay}, before the order was made.` }];
}

function whyNothingIsLeft(view: OrderView): NothingReason {
  if (isFree(view)) return 'free';
  const isGoods = soldCards(view).length < view.lines.length;
  return view.refunds.length > 0 && isGoods ? 'refunded' : 'gift-card';
}

// Where the lines themselves are in doubt, the rates of all ordered lines are checked, so that a person sees every problem at once.
function unmappedRates({ view, settings }: OrderToDecide, { lines, problems }: RecordLines): Problem[] {
  const cards = settings.giftCards === 'record' ? [] : soldCards(view);
  const priced = view.lines.filter((line) => parseMoney(line.gross, decimalsOf(view.currency)) !== 0n && !cards.includes(line));
  const isInDoubt = problems.length > 0 || cards.length > 0;
  const rates = new Set((isInDoubt ? priced : lines).map(({ vatRate }) => canonicalRate(vatRate)));
  const unmapped = [...rates].filter((rate) => vatGroupOf(rate, settings.vatGroups) === undefined);
  return unmapped.map((rate) => ({ code: 'vat.unmapped', detail: unmappedWords(rate, view) }));
}

// In a store whose taxes are switched off, a group for 0 % would record every sale without VAT.
function unmappedWords(rate: string, view: OrderView): string {
  if (rate !== '0' || !isUntaxed(view)) return `The VAT rate ${rate} % has no group.`;
  return 'Nothing in it bears a tax, and the VAT rate 0 % has no group. If the store calculates no taxes although its prices contain VAT, set `pricesContainVat` ("20"), and give 0 no group: with one, every sale would be recorded without VAT.';
}

function contentOf({ orderId, view, settings }: OrderToDecide, { currency, lines }: RecordLines): Omit<RecordContent, 'paymentType' | 'paymentProcessorName'> {
  const precision = decimalsOf(currency);
  const lineItems = lines.flatMap((line) => recordLine(line, precision, settings) ?? []);
  const number = fittingText(view.number, limits.internalNumber);
  const internalNumber = isVisible(number) ? number : orderId;
  return { internalId: orderId, internalNumber, internalCreatedAt: view.createdAt, lineItems, currency, precision };
}

function recordLine({ name, quantity, price, discount, vatRate }: UnitLine, precision: number, { vatGroups }: FiscalSettings): RecordLine | undefined {
  const vatGroup = vatGroupOf(vatRate, vatGroups);
  if (vatGroup === undefined) return undefined;
  const money = { price: formatMoney(price, precision), discount: formatMoney(discount, precision) };
  return { name, quantity: Number(quantity), ...money, vatRate, vatGroup };
}

function nothing(why: NothingReason): Desired {
  return { kind: 'nothing', why };
}

/** The key in `payments` for an order whose total is zero, and which no gateway handled. */
const FREE = 'free';

type Payment = { kind: 'mapped'; payment: PaymentMapping } | { kind: 'problem'; problem: Problem };

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
