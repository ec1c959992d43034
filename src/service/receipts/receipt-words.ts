import type { LocalizedText } from '../../contract/messages.ts';

/** What stands on a document: in Bulgarian, as the law has it, and in English. */
const words = {
  title: { en: 'Document of a sale', bg: 'Документ за регистриране на продажба' },
  basis: {
    en: 'Issued under art. 52о of Ordinance N-18 of 2006 of the Ministry of Finance of Bulgaria (art. 118(3a) of the VAT Act). All prices include VAT.',
    bg: 'Издаден по чл. 52о от Наредба № Н-18 от 2006 г. на МФ (чл. 118, ал. 3а от ЗДДС). Всички цени са с ДДС.',
  },
  seller: { en: 'Seller', bg: 'Продавач' },
  sale: { en: 'Sale', bg: 'Продажба' },
  companyId: { en: 'Company No.', bg: 'ЕИК' },
  address: { en: 'Registered office', bg: 'Седалище и адрес на управление' },
  email: { en: 'E-mail', bg: 'Е-поща' },
  phone: { en: 'Phone', bg: 'Телефон' },
  shop: { en: 'Online shop', bg: 'Електронен магазин' },
  order: { en: 'Order No.', bg: 'Поръчка №' },
  soldAt: { en: 'Date and time of the sale', bg: 'Дата и час на продажбата' },
  transaction: { en: 'Payment reference', bg: 'Референтен номер на плащането' },
  payment: { en: 'Paid by', bg: 'Начин на плащане' },
  goods: { en: 'Goods or service', bg: 'Стока или услуга' },
  group: { en: 'Group', bg: 'Група' },
  taxGroup: { en: 'tax group', bg: 'данъчна група' },
  quantity: { en: 'Qty', bg: 'К-во' },
  price: { en: 'Unit price', bg: 'Ед. цена' },
  discount: { en: 'Discount', bg: 'Отстъпка' },
  value: { en: 'Amount', bg: 'Стойност' },
  beforeDiscount: { en: 'Amount before discount', bg: 'Стойност преди отстъпка' },
  total: { en: 'Total to pay', bg: 'Обща сума за плащане' },
  vatByGroup: { en: 'VAT by tax group', bg: 'ДДС по данъчни групи' },
  net: { en: 'Net', bg: 'Основа' },
  vat: { en: 'VAT', bg: 'ДДС' },
  gross: { en: 'Gross', bg: 'Общо' },
  qr: { en: 'QR code', bg: 'QR код' },
  inEuro: { en: 'In euro', bg: 'Равностойност в евро' },
  inLeva: { en: 'In leva', bg: 'Равностойност в левове' },
  edition: { en: 'edition', bg: 'издание' },
  replacesSame: {
    en: 'This document replaces the earlier one with the same number',
    bg: 'Този документ заменя издадения по\u2011рано документ със същия номер',
  },
  replacesOther: { en: 'This document replaces the earlier one No.', bg: 'Този документ заменя издадения по\u2011рано документ №' },
} as const satisfies Record<string, LocalizedText>;

/** Says a word of a document. */
export type Say = (word: keyof typeof words) => string;

/** The law's Bulgarian words; with `isEnglish` the English ones behind them, for buyers from abroad. */
export function receiptWords(isEnglish: boolean): Say {
  return (word) => (isEnglish ? `${words[word].bg} / ${words[word].en}` : words[word].bg);
}
