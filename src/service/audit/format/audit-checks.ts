import { formatMoney } from '../../../contract/money.ts';
import { lacksNumber, paymentCodes } from '../../law/audit-codes.ts';
import { vatRates } from '../../law/vat-rates.ts';
import { NAME_LENGTH } from './audit-columns.ts';
import type { AuditRule } from './audit-rules.ts';
import { absolute, hundredths, tenThousandths } from './audit-tally.ts';
import { DOCUMENT_DIGITS } from './column-kinds.ts';
import type { SeenArticle, SeenOrder } from './seen-audit.ts';

const CENT = 1n;

/** Checks the rules of a single order. Pure. */
export function orderRemarks(order: SeenOrder): Remark[] {
  const amounts = order.articles.map(articleAmounts);
  const discounted = (hundredths(order.discount) ?? 0n) !== 0n;
  return [
    ...numberRemarks(order),
    ...paymentRemarks(order),
    ...order.articles.flatMap((article, index) => articleRemarks({ article, amounts: amounts[index] ?? articleAmounts(article), index, discounted })),
    ...(discounted ? [{ rule: 'order.discount-shown', words: `ord_disc is ${order.discount}` } as const] : []),
    ...sumRemarks(order, amounts),
  ];
}

function numberRemarks({ number, documentNumber }: SeenOrder): Remark[] {
  const remarks: Remark[] = number?.trim() === '' ? [{ rule: 'order.number-missing', words: 'the order has no number' }] : [];
  if (documentNumber === null || documentNumber === '') return remarks;
  if (documentNumberOf(documentNumber) === null) return [...remarks, { rule: 'order.document-number', words: `doc_n is "${documentNumber.slice(0, 50)}"` }];
  if (documentNumber.length === DOCUMENT_DIGITS) return remarks;
  return [...remarks, { rule: 'order.document-number-short', words: `doc_n is ${documentNumber}: ${documentNumber.length} of ${DOCUMENT_DIGITS} digits` }];
}

/** A document number as a number; null if it is none: one to ten digits, above zero. */
export function documentNumberOf(text: string): number | null {
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

function paymentRemarks({ payment, posNumber, transaction, processor }: SeenOrder): Remark[] {
  const remarks: Remark[] = [];
  const virtualPos = payment === paymentCodes['VIRTUAL_POS']?.code;
  if (virtualPos && isBlank(transaction)) remarks.push({ rule: 'order.transaction-missing', words: 'paid by virtual POS, but trans_n is absent' });
  if (virtualPos && isBlank(posNumber)) remarks.push({ rule: 'order.pos-missing', words: 'paid by virtual POS, but pos_n is absent' });
  if (payment !== paymentCodes['PAYMENT_PROCESSOR']?.code) return remarks;
  if (isBlank(transaction)) remarks.push({ rule: 'order.reference-missing', words: 'paid through a payment service provider, but trans_n is absent' });
  return [...remarks, ...processorRemarks(processor)];
}

function processorRemarks(processor: string | null): Remark[] {
  if (processor === null || isBlank(processor))
    return [{ rule: 'order.processor-missing', words: 'paid through a payment service provider, but proc_id is absent' }];
  return lacksNumber(processor) ? [{ rule: 'order.processor-number-missing', words: `proc_id is "${processor.slice(0, 50)}": a name without a number` }] : [];
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

type Sums = { net: bigint; discount: bigint; vat: bigint; total: bigint; articleNet: bigint; articleVat: bigint; articleSum: bigint; highestRate: bigint };

/** Null if an amount is unreadable: then it can't be compared. */
function sumsOf(order: SeenOrder, amounts: readonly ArticleAmounts[]): Sums | null {
  const [net, discount, vat, total] = [order.net, order.discount, order.vat, order.total].map(hundredths);
  if (net == null || discount == null || vat == null || total == null) return null;
  const highestRate = Math.max(0, ...order.articles.map(({ vatRate }) => vatRate ?? 0));
  const sums = { net, discount, vat, total, articleNet: 0n, articleVat: 0n, articleSum: 0n, highestRate: BigInt(highestRate) };
  for (const article of amounts) {
    if (article.net === null || article.vat === null || article.sum === null) return null;
    sums.articleNet += article.net;
    sums.articleVat += article.vat;
    sums.articleSum += article.sum;
  }
  return sums;
}

/**
 * By the law's words ord_total1 is before the discount, ord_disc without VAT, and the articles' VAT and sums are after it. Where a discount is shown
 * two other readings are accepted: the articles' VAT and sums are before it, or ord_disc is with VAT and ord_total1 after it.
 */
function sumRemarks(order: SeenOrder, amounts: readonly ArticleAmounts[]): Remark[] {
  const sums = sumsOf(order, amounts);
  if (sums === null || (sums.discount !== 0n && (isGrossDiscount(sums) || isBeforeDiscount(sums)))) return [];
  const { net, discount, vat, total, articleNet, articleVat, articleSum } = sums;
  const remarks: Remark[] = [];
  if (absolute(articleNet - net * 100n) > TOLERANCE)
    remarks.push({ rule: 'order.net-mismatch', words: `the articles are ${tenThousandths(articleNet)} without VAT, but ord_total1 is ${order.net}` });
  if (differ(net - discount + vat, total)) {
    const due = formatMoney(net - discount + vat, 2);
    remarks.push({ rule: 'order.total-mismatch', words: `${order.net} − ${order.discount} + ${order.vat} is ${due}, but ord_total2 is ${order.total}` });
  }
  if (differ(articleVat, vat))
    remarks.push({ rule: 'order.vat-mismatch', words: `the articles’ VAT is ${formatMoney(articleVat, 2)}, but ord_vat is ${order.vat}` });
  if (differ(articleSum, total))
    remarks.push({ rule: 'order.sum-mismatch', words: `the articles’ sum is ${formatMoney(articleSum, 2)}, but ord_total2 is ${order.total}` });
  return remarks;
}

function isGrossDiscount({ net, discount, vat, total, articleSum }: Sums): boolean {
  return !differ(net + vat, total) && !differ(articleSum - discount, total);
}

/** The surplus VAT of the articles can't be more than the VAT of the discount. */
function isBeforeDiscount({ net, discount, vat, total, articleNet, articleVat, articleSum, highestRate }: Sums): boolean {
  const surplus = articleVat - vat;
  const fits = absolute(articleNet - net * 100n) <= TOLERANCE && !differ(net - discount + vat, total) && !differ(articleSum - total, discount + surplus);
  return fits && surplus >= -CENT && surplus * 100n <= discount * highestRate + TOLERANCE;
}

function differ(a: bigint, b: bigint): boolean {
  return absolute(a - b) > CENT;
}

/** A violation of a rule; `article` counts from 0, `element` names one of the header. */
export type Remark = { rule: AuditRule; words: string; article?: number; element?: string };

/** Amounts in hundredths; `net` (quantity × price) in hundredths of hundredths, for it is not rounded. Null: unreadable. */
type ArticleAmounts = { quantity: bigint | null; net: bigint | null; vat: bigint | null; sum: bigint | null };

/** 0.01 in hundredths of hundredths. */
const TOLERANCE = 100n;

const knownRates = new Set(vatRates.map(({ percent }) => Number(percent)));

export function articleAmounts({ quantity, price, vat, sum }: SeenArticle): ArticleAmounts {
  const count = hundredths(quantity);
  const each = hundredths(price);
  return { quantity: count, net: count === null || each === null ? null : count * each, vat: hundredths(vat), sum: hundredths(sum) };
}

type ArticleSeen = { article: SeenArticle; amounts: ArticleAmounts; index: number; discounted: boolean };

/** Checks the rules of one row. */
export function articleRemarks(seen: ArticleSeen): Remark[] {
  return [...nameRemarks(seen), ...articleSumRemarks(seen), ...vatRemarks(seen)];
}

function nameRemarks({ article: { name }, index }: ArticleSeen): Remark[] {
  const limit = NAME_LENGTH;
  if (name === null) return [];
  if (name.trim() === '') return [{ rule: 'article.name-missing', words: `article ${index + 1} has no name`, article: index }];
  const length = name.length < limit ? 0 : Array.from(name).length;
  return length < limit ? [] : [{ rule: 'article.name-cut', words: `the name of article ${index + 1} has ${length} characters of ${limit}`, article: index }];
}

function articleSumRemarks({ article, amounts: { net, vat, sum }, index, discounted }: ArticleSeen): Remark[] {
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
