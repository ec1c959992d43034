/** What stands on a document: in Bulgarian, as the law has it, and in English. */
const words = {
  title: ['Документ за регистриране на продажба', 'Document of a sale'],
  basis: [
    'Издаден по чл. 52о от Наредба № Н-18 от 2006 г. на МФ (чл. 118, ал. 3а от ЗДДС). Всички цени са с ДДС.',
    'Issued under art. 52о of Ordinance N-18 of 2006 of the Ministry of Finance of Bulgaria (art. 118(3a) of the VAT Act). All prices include VAT.',
  ],
  seller: ['Продавач', 'Seller'],
  sale: ['Продажба', 'Sale'],
  companyId: ['ЕИК', 'Company No.'],
  address: ['Седалище и адрес на управление', 'Registered office'],
  email: ['Е-поща', 'E-mail'],
  phone: ['Телефон', 'Phone'],
  shop: ['Електронен магазин', 'Online shop'],
  order: ['Поръчка №', 'Order No.'],
  soldAt: ['Дата и час на продажбата', 'Date and time of the sale'],
  transaction: ['Референтен номер на плащането', 'Payment reference'],
  payment: ['Начин на плащане', 'Paid by'],
  goods: ['Стока или услуга', 'Goods or service'],
  group: ['Група', 'Group'],
  taxGroup: ['данъчна група', 'tax group'],
  quantity: ['К-во', 'Qty'],
  price: ['Ед. цена', 'Unit price'],
  discount: ['Отстъпка', 'Discount'],
  value: ['Стойност', 'Amount'],
  beforeDiscount: ['Стойност преди отстъпка', 'Amount before discount'],
  total: ['Обща сума за плащане', 'Total to pay'],
  vatByGroup: ['ДДС по данъчни групи', 'VAT by tax group'],
  net: ['Основа', 'Net'],
  vat: ['ДДС', 'VAT'],
  gross: ['Общо', 'Gross'],
  qr: ['QR код', 'QR code'],
  inEuro: ['Равностойност в евро', 'In euro'],
  inLeva: ['Равностойност в левове', 'In leva'],
  edition: ['издание', 'edition'],
  replacesSame: ['Този документ заменя издадения по\u2011рано документ със същия номер', 'This document replaces the earlier one with the same number'],
  replacesOther: ['Този документ заменя издадения по\u2011рано документ №', 'This document replaces the earlier one No.'],
} as const satisfies Record<string, readonly [bulgarian: string, english: string]>;

/** Says a word of a document. */
export type Say = (word: keyof typeof words) => string;

/** The law's Bulgarian words; with `isEnglish` the English ones behind them, for buyers from abroad. */
export function receiptWords(isEnglish: boolean): Say {
  return (word) => (isEnglish ? words[word].join(' / ') : words[word][0]);
}

const PAYMENTS: Readonly<Record<string, string>> = {
  BANK_TRANSFER: 'bank transfer',
  VIRTUAL_POS: 'card, virtual POS terminal',
  POSTAL_PAYMENT: 'cash on delivery by postal money order',
  PAYMENT_PROCESSOR: 'payment service provider',
  OTHER: 'other',
  FISCAL_RECEIPT: 'shown on a fiscal receipt',
};

/** A payment type in English. */
export function paymentInEnglish(paymentType: string): string {
  return PAYMENTS[paymentType] ?? paymentType;
}
