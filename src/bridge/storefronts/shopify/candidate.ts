import { larger, smaller, sum } from '../../../contract/money.ts';
import type { Reading, RefundMention } from '../../order/facts.ts';
import { type Charge, netOf, toDraft } from './charges.ts';
import type { Classified } from './classify-refunds.ts';
import { type Basis, leftLines } from './left-lines.ts';
import type { ListedRefund } from './listed-refund.ts';
import { microText } from './micro-money.ts';
import { hasMoved, type OrderCase } from './order-case.ts';
import type { PutBack } from './put-back.ts';

/** One way to read an order: its lines, what refunds were for, and what it says was paid and kept. */
export type Candidate = { charges: Charge[]; refunds: Classified; kept: bigint; byRate: string };

export function candidate({ order, listed, takenOff }: OrderCase, basis: Basis, { put, refunds }: { put: PutBack; refunds: Classified }): Candidate {
  const settled = listed.filter((refund) => hasMoved(refund) && !refunds.short.has(refund.id));
  const gone = [...takenOff.filter((piece) => !put.pieces.includes(piece)), ...put.cut, ...settled.flatMap(({ leavings }) => leavings)];
  const charges = leftLines(order, gone, basis).filter(({ id }) => !put.without.has(id));
  const unsettled = listed.filter((refund) => !settled.includes(refund));
  const back = sum([...unsettled.map((refund) => refund.back), ...refunds.extra.values()]);
  return { charges, refunds, kept: sum(charges.map(netOf)) - back, byRate: moneyByRate(charges, unsettled) };
}

/** What is kept under each VAT rate, but for money without a piece, as text to compare. */
function moneyByRate(charges: readonly Charge[], unsettled: readonly ListedRefund[]): string {
  const rateOf = (lineId: string | undefined) => charges.find(({ id }) => id === lineId)?.vatRate ?? '';
  const money = [
    ...charges.map((charge) => ({ rate: charge.vatRate, amount: netOf(charge) })),
    ...unsettled.map(({ back, leavings }) => ({ rate: rateOf(leavings[0]?.lineId), amount: -back })),
  ];
  const sums = [...Map.groupBy(money, ({ rate }) => rate)].map(([rate, same]) => ({ rate, amount: sum(same.map(({ amount }) => amount)) }));
  return sums
    .flatMap(({ rate, amount }) => (amount === 0n ? [] : `${rate}: ${amount}`))
    .sort()
    .join();
}

/** The same, with an amount of the money beyond their pieces that these refunds gave back, the newest first; none if it was not so much. */
export function withExtra(read: Candidate, listed: readonly ListedRefund[], amount: bigint): Candidate[] {
  const extra = new Map(read.refunds.extra);
  let rest = amount;
  for (const { id, back, value } of listed.filter((refund) => hasMoved(refund) && !read.refunds.short.has(refund.id)).toReversed()) {
    const part = smaller(rest, larger(back - value, 0n));
    if (part > 0n) extra.set(id, part);
    rest -= part;
  }
  return rest === 0n ? [{ ...read, refunds: { ...read.refunds, extra }, kept: read.kept - amount }] : [];
}

/** The same, where only the totals tell how much of the shop's money a refund in another currency was. */
export function withOpen(read: Candidate, listed: readonly ListedRefund[], kept: bigint): Candidate {
  const open = listed.findLast(({ isOpen }) => isOpen);
  const amount = read.kept - kept;
  return open === undefined || amount <= 0n ? read : { ...read, refunds: { ...read.refunds, extra: new Map(read.refunds.extra).set(open.id, amount) }, kept };
}

export function toReading({ charges, refunds, kept }: Candidate, listed: readonly ListedRefund[]): Reading {
  const mentions = listed
    .map((refund) => ({ refund, extra: refunds.extra.get(refund.id) ?? 0n }))
    .map(({ refund, extra }) => toMention(refund, refunds, extra));
  const back = sum(mentions.map(({ amount }) => amount));
  return { lines: charges.map(toDraft), total: microText(kept + back), refunds: mentions.map(mentionText) };
}

type Mention = { id: string; amount: bigint; settled: bigint };

function toMention(refund: ListedRefund, { short }: Classified, extra: bigint): Mention {
  const { id, isOpen, back } = refund;
  if (isOpen) return { id, amount: extra, settled: 0n };
  return { id, amount: back, settled: hasMoved(refund) && !short.has(id) ? back - extra : 0n };
}

function mentionText({ id, amount, settled }: Mention): RefundMention {
  return { id, amount: microText(amount), ...(settled > 0n ? { settled: microText(settled) } : {}) };
}
