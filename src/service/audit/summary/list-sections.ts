import { decimalsIn } from '../../../contract/decimal.ts';
import { dayText } from '../../bulgarian/day-text.ts';
import { moneyText } from '../../bulgarian/money-text.ts';
import { amountText, numberText } from '../../bulgarian/number-text.ts';
import { numeric, shorten, table, text, words } from './blocks.ts';
import type { ForeignOrder, MonthSummary, OrderChange } from './month-summary.ts';
import { ordersInWords } from './orders-in-words.ts';
import { returnsSection } from './returns-section.ts';
import type { Section } from './summary-page.ts';

const changeWords: Readonly<Record<OrderChange['change'], string>> = { added: 'Добавена', removed: 'Премахната', replaced: 'Заменена' };

/** The further lists of a month: only those that are not empty. */
export function listSections(summary: MonthSummary, limit: number): readonly Section[] {
  return [
    ...returnsSection(summary, limit),
    ...changesSection(summary, limit),
    ...leftOutSection(summary),
    ...foreignSection(summary, limit),
    ...voidedSection(summary, limit),
  ];
}

function changesSection({ changes, situation }: MonthSummary, limit: number): readonly Section[] {
  const orders = changes.rows.filter((row) => row.change !== 'header');
  const count = changes.count - (changes.rows.length - orders.length);
  if (count === 0) return [];
  const { shown, rest } = shorten({ count, rows: orders }, limit);
  const advice =
    situation.kind === 'filed'
      ? 'Подаденият файл не ги съдържа: попитайте счетоводителя си дали и как да ги отразите.'
      : 'Преди подаване изгответе нова версия.';
  const rows = table({
    columns: [text('Документ №'), text('Поръчка №'), text('Промяна'), numeric('Общо с ДДС')],
    rows: shown,
    cells: ({ documentNumber, number, change, total }) => [documentNumber, number ?? '–', changeWords[change], total === null ? '–' : amountText(total)],
  });
  return [
    {
      title: 'Промени след последната версия',
      tone: 'action',
      blocks: [words(`Тези поръчки са променени след изготвянето на файла. ${advice}`), rows, ...rest],
    },
  ];
}

function leftOutSection({ leftOut, currency }: MonthSummary): readonly Section[] {
  if (leftOut.orders === 0) return [];
  const lead = `По настройка на магазина във файла не са включени ${ordersInWords(leftOut, currency)}, за които няма документ за продажба.`;
  const caution = 'Наредба Н-18 не прави разлика според начина на плащане; уверете се със счетоводителя си, че това е правилно за вашия магазин.';
  return [{ title: 'Поръчки извън файла', tone: 'action', blocks: [words(`${lead} ${caution}`)] }];
}

function foreignSection({ foreign, currency }: MonthSummary, limit: number): readonly Section[] {
  if (foreign.count === 0) return [];
  const { shown, rest } = shorten(foreign, limit);
  const rows = table({
    columns: [text('Поръчка №'), numeric('В чужда валута'), numeric('Курс'), text('Курс от'), numeric(currency === 'EUR' ? 'В евро' : 'В левове')],
    rows: shown,
    cells: (order) => [order.number, foreignTotal(order), rateText(order), dayText(order.rate.publishedOn), amountText(order.accountingTotal)],
  });
  const lead = words('Преизчислени са по курса на Българската народна банка (БНБ) за деня на поръчката, всяка цена поотделно.');
  return [{ title: 'Поръчки в чужда валута', tone: 'quiet', blocks: [lead, rows, ...rest] }];
}

function foreignTotal({ total, rate }: ForeignOrder): string {
  return moneyText(total, rate.currency);
}

/** As the bank publishes it: "1 EUR = 1,0834 USD" since 2026, "100 JPY = 1,16214 BGN" before. */
function rateText({ rate: { currency, base, multiply, divide } }: ForeignOrder): string {
  return multiply === '1' ? `1 ${base} = ${rateNumber(divide)} ${currency}` : `${rateNumber(divide)} ${currency} = ${rateNumber(multiply)} ${base}`;
}

/** With trailing zeros. */
function rateNumber(rate: string): string {
  return numberText(rate, decimalsIn(rate));
}

function voidedSection({ voided }: MonthSummary, limit: number): readonly Section[] {
  if (voided.count === 0) return [];
  const { shown, rest } = shorten(voided, limit);
  const rows = table({
    columns: [text('Документ №'), text('Анулиран на')],
    rows: shown,
    cells: ({ documentNumber, voidedOn }) => [documentNumber, dayText(voidedOn)],
  });
  const lead = words('Номера на документи по изтрити поръчки. Те не се дават повторно, затова липсват в поредицата.');
  return [{ title: 'Анулирани номера', tone: 'quiet', blocks: [lead, rows, ...rest] }];
}
