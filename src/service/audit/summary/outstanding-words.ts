import { momentText, monthName } from '../../bulgarian/day-text.ts';
import { moneyText } from '../../bulgarian/money-text.ts';
import { numberText } from '../../bulgarian/number-text.ts';
import { numeric, table, text, words } from './blocks.ts';
import { counted } from './counted.ts';
import type { MonthSummary, Outstanding } from './month-summary.ts';
import { reasonWords } from './reason-words.ts';
import type { Block, Section } from './summary-page.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** "3 платени поръчки от октомври още не са записани (36,00 €)" */
export function outstandingWords(outstanding: Outstanding, month: string): string {
  return `${countedOrders(outstanding)} от ${monthName(month)} още не ${outstanding.orders === 1 ? 'е записана' : 'са записани'} (${moneyWords(outstanding)})`;
}

/** "3 платени поръчки (36,00 €)" */
export function ordersLeft(outstanding: Outstanding): string {
  return `${countedOrders(outstanding)} (${moneyWords(outstanding)})`;
}

/** What is not recorded, before everything else on the page. None if nothing is, or nothing is known of it. */
export function outstandingSections({ outstanding, month, writtenAt }: MonthSummary, limit: number): readonly Section[] {
  if (outstanding === undefined) return [];
  const blocks: Block[] = [
    words(`${outstandingWords(outstanding, month)}. Без тях файлът е непълен. Най-старата е от ${momentText(outstanding.oldest)}`),
    ...(isOld(outstanding, writtenAt)
      ? [words(`Тези данни са от ${momentText(outstanding.at)} Оттогава няма по-нови; проверете дали програмата, която записва поръчките, работи.`)]
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

function countedOrders({ orders }: Outstanding): string {
  return counted(orders, 'платена поръчка', 'платени поръчки');
}

function moneyWords({ totals }: Outstanding): string {
  return totals.map(({ total, currency }) => moneyText(total, currency)).join(' и ');
}
