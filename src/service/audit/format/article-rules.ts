import { formatMoney } from '../../../contract/money.ts';
import { vatRates } from '../../law/vat-rates.ts';
import { auditLimits } from './audit-limits.ts';
import type { AuditRule } from './audit-rules.ts';
import { absolute, hundredths, tenThousandths } from './hundredths.ts';
import type { SeenArticle } from './seen-audit.ts';

/** A violation of a rule; `article` counts from 0, `element` names one of the header. */
export type Remark = { rule: AuditRule; words: string; article?: number; element?: string };

/** Amounts in hundredths; `net` (quantity × price) in hundredths of hundredths, for it is not rounded. Null: unreadable. */
export type ArticleAmounts = { quantity: bigint | null; net: bigint | null; vat: bigint | null; sum: bigint | null };

/** 0.01 in hundredths of hundredths. */
export const TOLERANCE = 100n;

const knownRates = new Set(vatRates.map(({ percent }) => Number(percent)));

export function articleAmounts({ quantity, price, vat, sum }: SeenArticle): ArticleAmounts {
  const count = hundredths(quantity);
  const each = hundredths(price);
  return { quantity: count, net: count === null || each === null ? null : count * each, vat: hundredths(vat), sum: hundredths(sum) };
}

export type ArticleSeen = { article: SeenArticle; amounts: ArticleAmounts; index: number; discounted: boolean };

/** Checks the rules of one row. */
export function articleRemarks(seen: ArticleSeen): Remark[] {
  return [...nameRemarks(seen), ...sumRemarks(seen), ...vatRemarks(seen)];
}

function nameRemarks({ article: { name }, index }: ArticleSeen): Remark[] {
  const limit = auditLimits.art_name;
  if (name === null) return [];
  if (name.trim() === '') return [{ rule: 'article.name-missing', words: `article ${index + 1} has no name`, article: index }];
  const length = name.length < limit ? 0 : Array.from(name).length;
  return length < limit ? [] : [{ rule: 'article.name-cut', words: `the name of article ${index + 1} has ${length} characters of ${limit}`, article: index }];
}

function sumRemarks({ article, amounts: { net, vat, sum }, index, discounted }: ArticleSeen): Remark[] {
  if (net === null || vat === null || sum === null) return [];
  const surplus = sum * 100n - (net + vat * 100n);
  // A discount may have been taken off the row's VAT and sum already, never off its price.
  const wrong = discounted ? absolute(sum * 100n) > absolute(net + vat * 100n) + TOLERANCE : absolute(surplus) > TOLERANCE;
  if (!wrong) return [];
  const { quantity, price, vat: shownVat, sum: shownSum } = article;
  const words = `article ${index + 1}: ${quantity} × ${price} + ${shownVat} is ${tenThousandths(net + vat * 100n)}, but art_sum is ${shownSum}`;
  return [{ rule: 'article.sum-mismatch', words, article: index }];
}

function vatRemarks({ article: { vatRate, vat: shown }, amounts: { quantity, vat, sum }, index }: ArticleSeen): Remark[] {
  if (vatRate === null) return [];
  const remarks: Remark[] = knownRates.has(vatRate)
    ? []
    : [{ rule: 'article.vat-rate-unknown', words: `article ${index + 1} is taxed at ${vatRate} %`, article: index }];
  if (vat === null || sum === null) return remarks;
  const due = (sum - vat) * BigInt(vatRate);
  // The order's VAT is computed once and split: a row may be a cent off its own, which is this much more of its net amount. And a unit price of
  // two decimals can be off by half a hundredth for each unit, which some programs put into the VAT.
  const allowed = TOLERANCE + BigInt(vatRate) + absolute(quantity ?? 0n) / 2n;
  if (absolute(vat * 100n - due) <= allowed) return remarks;
  const words = `article ${index + 1}: ${vatRate} % of ${formatMoney(sum - vat, 2)} is ${tenThousandths(due)}, but art_vat is ${shown}`;
  return [...remarks, { rule: 'article.vat-mismatch', words, article: index }];
}
