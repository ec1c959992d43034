import { fullStop } from '../../contract/local-text.ts';
import { messages } from '../../contract/messages.ts';
import { counted, orderCount } from '../../contract/plural.ts';

/** The trial of a store, and its end. */
export const start = messages({
  title: { en: (name: string): string => `Start recording ${name}`, bg: (name: string) => `Начало на отчитането на ${name}` },
  intro: {
    en: 'On trial its webhooks are accepted and kept, and nothing is submitted. From the start on its orders are recorded; this can’t be undone.',
    bg: 'По време на пробата известията на магазина се приемат и пазят, но нищо не се изпраща. От началото поръчките му се отчитат; това не се връща назад.',
  },
  from: { en: 'Record orders that were paid', bg: 'Отчитане на поръчки, платени' },
  ways: {
    now: { en: 'from now on', bg: 'от сега нататък' },
    month: { en: 'since the first of this month', bg: 'от първо число на този месец' },
    day: { en: 'since a day:', bg: 'от дата:' },
  },
  counted: { en: (from: string): string => `Of the orders paid ${from}:`, bg: (from: string) => `От поръчките, платени ${from}:` },
  notCounted: {
    en: 'Nothing was started: what you selected had not been counted yet. Look at what it includes, and press “Start recording” again.',
    bg: 'Нищо не е започнало: избраното от вас още не беше преброено. Вижте какво обхваща то и натиснете отново „Започни отчитането“.',
  },
  day: { en: 'Day', bg: 'Ден' },
  show: { en: 'Show what that includes', bg: 'Покажи какво обхваща това' },
  would: {
    en: (n: number, sum: string): string => `${orderCount.en(n)} would be recorded: ${sum}.`,
    bg: (n: number, sum: string) => `${counted.bg(n, 'поръчка ще бъде записана', 'поръчки ще бъдат записани')}: ${fullStop(sum)}`,
  },
  wouldNone: { en: 'No order that has come would be recorded yet.', bg: 'Засега няма дошла поръчка, която да бъде записана.' },
  asked: {
    en: (n: number, means: string): string => `${counted.en(n, 'more order', 'more orders')} would need review: ${means}`,
    bg: (n: number, means: string) => `За още ${orderCount.bg(n)} ще трябва да реши човек: ${means}`,
  },
  unknown: {
    en: (n: number, sum: string): string =>
      `The store lists ${counted.en(n, 'more order', 'more orders')} that no webhook announced: ${sum}. They are read after the start.`,
    bg: (n: number, sum: string) =>
      `Магазинът има още ${orderCount.bg(n)}, за които не е дошло известие: ${sum} по неговия списък. Те се прочитат след началото.`,
  },
  unread: {
    en: (why: string): string => `What else the store has is not known now: ${why}`,
    bg: (why: string) => `Сега не се знае какво още има в магазина: ${why}`,
  },
  twice: {
    en: 'If other software recorded any of these orders, they would be recorded twice: choose a later moment then.',
    bg: 'Ако друга програма вече е записала някоя от тези поръчки, тя ще бъде отчетена два пъти: тогава изберете по-късен момент.',
  },
  why: { en: 'Note (kept in Activity)', bg: 'Бележка (остава в „Действия“)' },
  do: { en: 'Start recording', bg: 'Започни отчитането' },
  since: { en: (day: string): string => `from ${day} on`, bg: (day: string) => `от ${day} нататък` },
  isNow: {
    en: (when: string): string => `It is no longer on trial: it has been recorded since ${when}.`,
    bg: (when: string) => `Магазинът вече не е в проба; отчита се от ${when}.`,
  },
  onTrial: {
    en: (ago: string): string => `On trial, started ${ago}: webhooks are kept, and nothing is submitted.`,
    bg: (ago: string) => fullStop(`В проба, започнала ${ago}: известията се пазят и нищо не се изпраща`),
  },
  state: { en: 'on trial', bg: 'в проба' },
  verb: { en: 'Start recording', bg: 'Започни отчитането' },
});
