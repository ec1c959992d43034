import { capitalized, currencySign, dayText, numberText, percentText, priceText, sumText } from '../../contract/local-text.ts';
import type { Equivalent, ReceiptDocument, Seller, VatGroupSum } from './receipt-document.ts';
import { receiptWords, type Say } from './receipt-words.ts';

type Pair = { label: string; value: string };

/** The words and numbers of a document as its reader sees them; page, mail and text only differ in form. Nothing here is escaped. */
export type ReceiptView = {
  /** Of a test shop: what must not be mistaken for a document. */
  watermark: string | null;
  title: string;
  number: string;
  date: string;
  /** Names the document that it replaces; null for a first one. */
  replaces: string | null;
  shop: string;
  company: string;
  /** Further details of the seller. */
  seller: readonly string[];
  facts: readonly Pair[];
  currency: string;
  lines: readonly { name: string; group: string; quantity: string; price: string; discount: string | null; value: string }[];
  hasDiscounts: boolean;
  beforeDiscount: string;
  discount: string;
  total: string;
  equivalents: readonly { label: string; value: string; note: string }[];
  groups: readonly { group: string; rate: string; net: string; vat: string; gross: string }[];
  payment: string;
  qr: string;
  basis: string;
  english: boolean;
  say: Say;
};

const WATERMARK = 'ТЕСТ / TEST: това не е документ за продажба';

export function receiptView(receipt: ReceiptDocument): ReceiptView {
  const { number, currency, total, discount, processor, lines, english } = receipt;
  const say = receiptWords(english);
  const hasDiscounts = Number(discount) > 0;
  const payment = capitalized(receipt.payment);
  return {
    watermark: receipt.seller.test === true ? WATERMARK : null,
    title: say('title'),
    number,
    date: dayText(receipt.date),
    replaces: replacesText(receipt, say),
    shop: receipt.seller.name,
    company: receipt.seller.companyName,
    seller: sellerLines(receipt.seller, say),
    facts: factPairs(receipt, say),
    currency: currencySign(currency),
    lines: lines.map((line) => ({
      name: line.name,
      group: line.group,
      quantity: numberText(String(line.quantity)),
      price: priceText(line.price, currency),
      discount: Number(line.discount) > 0 ? priceText(`-${line.discount}`, currency) : null,
      value: priceText(line.value, currency),
    })),
    hasDiscounts,
    beforeDiscount: sumText(receipt.beforeDiscount, currency, 'bg'),
    discount: sumText(`-${discount}`, currency, 'bg'),
    total: sumText(total, currency, 'bg'),
    equivalents: receipt.equivalents.map((one) => equivalentView(one, receipt, say)),
    groups: receipt.groups.map((sum) => groupView(sum, currency)),
    payment: processor === null ? payment : `${payment}: ${processor}`,
    qr: receipt.qr,
    basis: say('basis'),
    english,
    say,
  };
}

function replacesText({ replaces, number, edition }: ReceiptDocument, say: Say): string | null {
  if (replaces === null) return null;
  return replaces === number ? `${say('replacesSame')} (${say('edition')} ${edition}).` : `${say('replacesOther')} ${replaces}.`;
}

function sellerLines({ companyUic, companyAddress, customerEmail, customerPhone, domain, nraNumber }: Seller, say: Say): string[] {
  return [
    `${say('companyId')}: ${companyUic}`,
    `${say('address')}: ${companyAddress}`,
    `${say('email')}: ${customerEmail}`,
    `${say('phone')}: ${customerPhone}`,
    `${say('shop')}: ${domain.replace(/^https?:\/\//i, '')} (№\u00a0${nraNumber})`,
  ];
}

function factPairs({ orderNumber, soldOn, soldAt, transaction }: ReceiptDocument, say: Say): Pair[] {
  return [
    { label: say('order'), value: orderNumber },
    { label: say('soldAt'), value: `${dayText(soldOn)}, ${soldAt}\u00a0ч.` },
    { label: say('transaction'), value: transaction ?? '—' },
  ];
}

function groupView({ group, rate, net, vat, gross }: VatGroupSum, currency: string) {
  const money = (amount: string) => sumText(amount, currency, 'bg');
  return { group, rate: percentText(rate), net: money(net), vat: money(vat), gross: money(gross) };
}

function equivalentView(equivalent: Equivalent, { currency, soldOn }: ReceiptDocument, say: Say): { label: string; value: string; note: string } {
  const label = say(equivalent.currency === 'EUR' ? 'inEuro' : 'inLeva');
  if (equivalent.by === 'awaited') {
    return { label, value: '—', note: `по курса на БНБ за ${dayText(soldOn)}, който още не е обявен` };
  }
  const vat = equivalent.vat === null ? '' : `, в т.ч. ДДС ${sumText(equivalent.vat, equivalent.currency, 'bg')}`;
  return { label, value: sumText(equivalent.total, equivalent.currency, 'bg'), note: `${rateText(equivalent, currency)}${vat}` };
}

function rateText(equivalent: Exclude<Equivalent, { by: 'awaited' }>, currency: string): string {
  if (equivalent.by === 'fixed') return 'по фиксиран курс 1\u00a0€ = 1,95583\u00a0лв.';
  const { divide, multiply, base, publishedOn, source } = equivalent.exchange;
  const bank = source === 'BNB' ? 'БНБ' : source;
  const foreign = `${numberText(divide)}\u00a0${currencySign(currency)}`;
  return `по курс на ${bank} от ${dayText(publishedOn)}: ${numberText(multiply)}\u00a0${currencySign(base)} = ${foreign}`;
}
