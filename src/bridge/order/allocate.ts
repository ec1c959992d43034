import { shareOut, sum } from '../../contract/money.ts';
import { type MoneyLine, type MoneyRefund, netOf, type ReturnedLine } from './money-line.ts';

/** Refunds name a line as the storefront does: what they give back of a line with several VAT rates comes off each of its parts, in proportion. */
export function allocate(refunds: readonly MoneyRefund[], lines: readonly MoneyLine[]): MoneyRefund[] {
  const parts = Map.groupBy(lines, ({ id, partOf }) => partOf ?? id);
  return refunds.map((refund) => ({
    ...refund,
    lines: refund.lines?.flatMap((returned) => allocateToLine(returned, parts.get(returned.lineId) ?? [])) ?? null,
  }));
}

function allocateToLine(returned: ReturnedLine, parts: readonly MoneyLine[]): ReturnedLine[] {
  const worth = sum(parts.map(netOf));
  if (parts.length < 2 || returned.amount * worth <= 0n) return [returned];
  const shares = shareOut(magnitude(returned.amount), parts, (part) => magnitude(netOf(part)));
  return shares.map(({ item, part }) => ({ ...returned, lineId: item.id, amount: worth < 0n ? -part : part }));
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
