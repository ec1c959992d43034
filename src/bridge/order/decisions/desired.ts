import { endedBy } from '../../../contract/ended-currencies.ts';
import { decimalsOf, formatMoney, parseMoney } from '../../../contract/money.ts';
import { ownValue } from '../../../contract/own-value.ts';
import type { RecordContent, RecordLine, TaxRecord } from '../../../contract/record.ts';
import { isVisible } from '../../../contract/text.ts';
import { type Facts, isBasket } from '../facts/facts.ts';
import type { Problem } from '../facts/failure.ts';
import { canonicalRate, type FiscalSettings, type Mapping, type PaymentMapping, vatGroupOf } from '../facts/settings.ts';
import { GIFT_CARD, type OrderView, viewOf } from '../facts/view.ts';
import { missingCards, soldCards, undecidedCards } from '../money/gift-cards.ts';
import { type RecordLines, recordLines, type UnitLine } from '../money/record-lines.ts';
import { countsAsPaid, isFree, stillOwed, takenBack } from '../money/taken-back.ts';
import { isUntaxed, withContainedVat } from '../money/untaxed-prices.ts';

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
type Known = { orderId: string; view: OrderView; settings: FiscalSettings };

/** Decides what should be recorded of an order: a tax record, nothing (and why), or every problem that prevents the decision. Never throws. */
export function desired({ orderId, facts, settings, recorded = null }: DesiredInput): Desired {
  const told = viewOf(facts);
  if (told === null) return nothing('unknown');
  const view = withContainedVat(told, settings);
  const decided = notOurs(view, settings, recorded) ?? undecidable(view) ?? takenBack(view, settings);
  return decided ?? keptAsItIs(view, recorded) ?? recordOf({ orderId, view, settings });
}

// That an order is a draft or a test, or older than the connection, proves nothing about the money of a sale that is recorded.
function notOurs(view: OrderView, settings: FiscalSettings, recorded: TaxRecord | null): Desired | null {
  const isDraft = view.lifecycle === 'draft';
  if (view.test && recorded === null) return nothing('test');
  if (isBasket(view) && !view.wasPaid && recorded === null) return nothing('draft');
  if (!isDraft && countsAsPaid(view, settings) === 'unpaid') return nothing('unpaid');
  if (recorded !== null) return null;
  if (settings.onTrial) return nothing('trial');
  const paidAt = Date.parse(view.paidAt);
  if (paidAt < Date.parse(settings.recordFrom)) return nothing('before-record-from');
  const isAway = settings.gaps.some(({ from, until }) => Date.parse(from) <= paidAt && paidAt < Date.parse(until));
  return isAway ? nothing('disconnected') : null;
}

function undecidable({ problems: [first, ...more] }: OrderView): Desired | null {
  return first === undefined ? null : { kind: 'problems', problems: [first, ...more] };
}

// A draft that is no longer paid has lost its lines: where it stays a sale, its record stays as it is.
function keptAsItIs(view: OrderView, recorded: TaxRecord | null): Desired | null {
  return recorded !== null && isBasket(view) && view.refunds.length === 0 ? { kind: 'record', record: recorded } : null;
}

function recordOf(known: Known): Desired {
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
  const record = { ...content, paymentType, paymentProcessorName, transactionId: isVisible(view.transactionId ?? '') ? view.transactionId : null };
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
function unmappedRates({ view, settings }: Known, { lines, problems }: RecordLines): Problem[] {
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

type LineContent = Omit<RecordContent, 'paymentType' | 'paymentProcessorName'>;

function contentOf({ orderId, view, settings }: Known, { currency, lines }: RecordLines): LineContent {
  const precision = decimalsOf(currency);
  const lineItems = lines.flatMap((line) => recordLine(line, precision, settings) ?? []);
  const internalNumber = isVisible(view.number) ? view.number : orderId;
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
