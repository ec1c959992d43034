import { bareMonthName, momentText, numberText, sumText } from '../../../contract/local-text.ts';
import type { Lang } from '../../../contract/messages.ts';
import type { TiedCurrency } from '../../../contract/money.ts';
import { ownValue } from '../../../contract/own-value.ts';
import { counted, form, orderCount } from '../../../contract/plural.ts';
import { numeric, table, text, words } from './blocks.ts';
import type { MonthSummary, Outstanding } from './month-summary.ts';
import type { Block, Section } from './summary-page.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** "3 paid orders of October are not recorded yet (€36.00)", "3 платени поръчки от октомври още не са записани (36,00 €)" */
export function outstandingWords(outstanding: Outstanding, month: string, lang: Lang): string {
  const { orders } = outstanding;
  const [of, sums] = [bareMonthName(month, lang), moneyWords(outstanding, lang)];
  return {
    en: `${paidOrders.en(orders)} of ${of} ${form.en(orders, 'is', 'are')} not recorded yet (${sums})`,
    bg: `${paidOrders.bg(orders)} от ${of} още не ${form.bg(orders, 'е записана', 'са записани')} (${sums})`,
  }[lang];
}

/** "3 paid orders (€36.00)", "3 платени поръчки (36,00 €)" */
export function ordersLeft(outstanding: Outstanding, lang: Lang): string {
  return `${paidOrders[lang](outstanding.orders)} (${moneyWords(outstanding, lang)})`;
}

/** What is not recorded, before everything else on the page. None if nothing is, or nothing is known of it. */
export function outstandingSections({ outstanding, month, writtenAt }: MonthSummary, limit: number): readonly Section[] {
  if (outstanding === undefined) return [];
  const blocks: Block[] = [
    words(`${outstandingWords(outstanding, month, 'bg')}. Без тях файлът е непълен. Най-старата е от ${momentText(outstanding.oldest, 'bg')}`),
    ...(isOld(outstanding, writtenAt)
      ? [words(`Тези данни са от ${momentText(outstanding.at, 'bg')} Оттогава няма по-нови; проверете дали програмата, която записва поръчките, работи.`)]
      : []),
    ...(outstanding.codes.length === 0 ? [] : [reasons(outstanding, limit)]),
  ];
  return [{ title: 'Незаписани платени поръчки', tone: 'problem', blocks }];
}

/** Is the last report so old that its time must be shown with it? */
function isOld({ at }: Outstanding, writtenAt: string): boolean {
  return Date.parse(writtenAt) - Date.parse(at) > DAY_MS;
}

function reasons({ codes }: Outstanding, limit: number): Block {
  return table({
    columns: [text('Причина'), text('Код'), numeric('Поръчки')],
    rows: codes.slice(0, limit),
    cells: ({ code, orders }) => [reasonWords(code), code, numberText(String(orders))],
  });
}

const paidOrders = {
  en: (orders: number): string => counted.en(orders, 'paid order', 'paid orders'),
  bg: (orders: number) => counted.bg(orders, 'платена поръчка', 'платени поръчки'),
};

/** "€36.00 and 12,00 USD" */
export function moneyWords({ totals }: Pick<Outstanding, 'totals'>, lang: Lang): string {
  return totals.map(({ total, currency }) => sumText(total, currency, lang)).join(lang === 'bg' ? ' и ' : ' and ');
}

/** "3 поръчки на обща стойност 45,00 €", "1 поръчка на стойност 45,00 €" */
export function ordersInWords({ orders, total }: { orders: number; total: string }, currency: TiedCurrency): string {
  return `${orderCount.bg(orders)} на ${form.bg(orders, 'стойност', 'обща стойност')} ${sumText(total, currency, 'bg')}`;
}

/** Why a paid order is not recorded, for the merchant; the codes are those that docs/compliance-api.md lists. */
const wordsOfReasons: Readonly<Record<string, string>> = {
  'amount.inexact': 'Сума с повече знаци след запетаята, отколкото има валутата',
  'compliance.conflict': 'Под номера на поръчката вече е записана друга',
  'compliance.failing': 'Услугата отговаря с грешка на всички поръчки',
  'compliance.insecure': 'Адресът на услугата не е защитен (http://)',
  'compliance.misconfigured': 'Услугата отказва ключа или магазина',
  'compliance.refused': 'Услугата отказа поръчката',
  'compliance.throttled': 'Услугата изчаква, преди да приеме още',
  'compliance.unreachable': 'Няма връзка с услугата',
  'currency.ended': 'Валутата на поръчката вече не е била в обращение',
  'gift-card.undecided': 'Продаден е ваучер, а в настройките не е казано дали това е продажба',
  'order.inexpressible': 'В поръчката има нещо, което не може да бъде записано',
  'order.other': 'Под номера на позната поръчка дойде друга',
  'payment.divided': 'Платена е на части, едната преди да започне отчитането',
  'payment.outstanding': 'Поръчката е била платена, но част от нея вече не е',
  'payment.split': 'Платена е по два начина',
  'payment.unmapped': 'Начинът на плащане не е настроен',
  queued: 'Чака да бъде записана',
  'record.doubled': 'Записана е два пъти',
  'refund.deleted': 'Изтрито е връщане на пари и не е ясно каква е поръчката сега',
  'refund.unattributed': 'Не е ясно за какво са върнати пари',
  'removal.unproven': 'Отказана или изтрита е, без да са върнати всички пари',
  'replacement.refused': 'Услугата отказа променената поръчка',
  'seller.other': 'Продавачът е друг',
  'resolution.changed': 'Променена е, след като човек реши какво да се прави с нея',
  'storefront.refused': 'Магазинът отказва ключа, с който се четат поръчките',
  'storefront.unreachable': 'Магазинът не отговаря',
  'total.mismatch': 'Редовете не дават сумата, която е платена',
  unconfirmed: 'Не е сигурно дали е записана',
  'vat.unclear': 'Ставката на ДДС на ред не е ясна',
  'vat.unmapped': 'Ставка на ДДС не е настроена',
};

/** The words of a code; one that is not known stands for itself. */
export function reasonWords(code: string): string {
  return ownValue(wordsOfReasons, code) ?? code;
}
