import { decimalsOf, formatMoney, parseMoney, sum } from '../../contract/money.ts';
import type { RecordContent, RecordLine, TaxRecord } from '../../contract/record.ts';
import type { Facts } from './facts.ts';
import type { FailureCode, Problem } from './failure.ts';
import { paymentOf } from './payment.ts';
import { type RecordLines, recordLines, type UnitLine } from './record-lines.ts';
import type { FiscalSettings } from './settings.ts';
import { canonicalRate, vatGroupOf } from './vat-groups.ts';
import { type OrderView, viewOf } from './view.ts';

/** What should be recorded, by the facts and the settings. */
export type Desired = { kind: 'record'; record: TaxRecord } | { kind: 'nothing'; why: NothingReason } | { kind: 'problems'; problems: [Problem, ...Problem[]] };

/** Why nothing should be recorded: people see it as the order's state. */
export type NothingReason = 'unknown' | 'draft' | 'test' | 'unpaid' | 'before-record-from' | 'disconnected' | 'free' | 'gift-card' | 'refunded' | 'removed';

export type DesiredInput = { orderId: string; facts: Facts; settings: FiscalSettings };
type Known = { orderId: string; view: OrderView; settings: FiscalSettings };

/** Decides what should be recorded of an order: a tax record, nothing (and why), or every problem that prevents the decision. Never throws. */
export function desired({ orderId, facts, settings }: DesiredInput): Desired {
  const view = viewOf(facts);
  if (view === null) return nothing('unknown');
  const known = { orderId, view, settings };
  return notOurs(known) ?? undecidable(known) ?? takenBack(known) ?? recorded(known);
}

function notOurs({ view, settings }: Known): Desired | null {
  if (view.test) return nothing('test');
  if (view.lifecycle === 'draft') return nothing('draft');
  if (!isPaid(view, settings)) return nothing('unpaid');
  return Date.parse(view.paidAt) < Date.parse(settings.recordFrom) ? nothing('before-record-from') : null;
}

function isPaid({ payment }: OrderView, { codPaidWhen }: FiscalSettings): boolean {
  return payment === 'paid' || payment === 'outstanding' || (payment === 'on-delivery' && codPaidWhen === 'processing');
}

function undecidable({ view }: Known): Desired | null {
  const [first, ...more] = view.problems;
  if (first !== undefined) return { kind: 'problems', problems: [first, ...more] };
  return view.payment === 'outstanding' ? stuck('payment.outstanding', `It comes to ${view.total} ${view.currency}, and not all of that is paid.`) : null;
}

function takenBack({ view, settings }: Known): Desired | null {
  if (isFree(view)) return freeTakenBack(view, settings);
  if (isFullyRefunded(view)) return nothing('refunded');
  if (view.lifecycle === 'live' || settings.removeWithoutRefund === 'keep') return null;
  if (settings.removeWithoutRefund === 'remove') return nothing('removed');
  const word = view.lifecycle === 'cancelled' ? 'cancelled' : 'trashed or deleted';
  return stuck('removal.unproven', `It was ${word}, but the refunds seen do not cover its ${view.total} ${view.currency}.`);
}

// Nothing was paid, so there is no money whose return would have to be proven.
function freeTakenBack({ lifecycle }: OrderView, { freeOrders }: FiscalSettings): Desired | null {
  if (freeOrders === 'ignore') return nothing('free');
  return lifecycle === 'live' ? null : nothing('removed');
}

function isFree({ total, currency }: OrderView): boolean {
  return parseMoney(total, decimalsOf(currency)) === 0n;
}

// Amounts that can't be read prove nothing here; `recordLines` reports them.
function isFullyRefunded({ total, refunds, currency }: OrderView): boolean {
  const paid = parseMoney(total, decimalsOf(currency)) ?? 0n;
  const back = sum(refunds.map(({ amount }) => parseMoney(amount, decimalsOf(currency)) ?? 0n));
  return paid > 0n && back >= paid;
}

function recorded(known: Known): Desired {
  const { view, settings } = known;
  const lines = recordLines(view, settings.convertTo);
  if (isFree(view) && lines.lines.length === 0 && lines.problems.length === 0) return nothing('free');
  const record = contentOf(known, lines);
  const problems = [...unmappedRates(known, lines), ...lines.problems];
  const payment = paymentOf(view.gateways, settings.payments, isFree(view));
  if (payment.kind === 'problem') return { kind: 'problems', problems: [payment.problem, ...problems] };
  const [first, ...more] = problems;
  if (first !== undefined) return { kind: 'problems', problems: [first, ...more] };
  const { paymentType, paymentProcessorName = null } = payment.payment;
  return { kind: 'record', record: { ...record, paymentType, paymentProcessorName, transactionId: view.transactionId } };
}

// Where the lines themselves are in doubt, the rates of all ordered lines are checked, so that a person sees every problem at once.
function unmappedRates({ view, settings }: Known, { lines, problems }: RecordLines): Problem[] {
  const priced = view.lines.filter(({ gross }) => parseMoney(gross, decimalsOf(view.currency)) !== 0n);
  const rates = new Set((problems.length > 0 ? priced : lines).map(({ vatRate }) => canonicalRate(vatRate)));
  return [...rates]
    .filter((rate) => vatGroupOf(rate, settings.vatGroups) === undefined)
    .map((rate) => ({ code: 'vat.unmapped', detail: `The VAT rate ${rate} % has no group.` }));
}

type LineContent = Omit<RecordContent, 'paymentType' | 'paymentProcessorName'>;

function contentOf({ orderId, view, settings }: Known, { currency, lines }: RecordLines): LineContent {
  const precision = decimalsOf(currency);
  const lineItems = lines.flatMap((line) => recordLine(line, precision, settings) ?? []);
  return { internalId: orderId, internalNumber: view.number, internalCreatedAt: view.createdAt, lineItems, currency, precision };
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

function stuck(code: FailureCode, detail: string): Desired {
  return { kind: 'problems', problems: [{ code, detail }] };
}
