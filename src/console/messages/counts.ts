import { messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';

/** What happened by hours and days, as bars and in tables. */
export const counts = messages({
  words: {
    table: { en: 'All numbers', bg: 'Всички числа' },
    most: { en: 'most:', bg: 'най-много:' },
    none: { en: '–', bg: '–' },
  },
  hour: { en: 'Hour', bg: 'Час' },
  day: { en: 'Day', bg: 'Ден' },
  today: {
    title: { en: 'The last 48 hours', bg: 'Последните 48 часа' },
    about: { en: 'By the hour; paler behind it, a week before.', bg: 'По часове; по-бледо отзад е седмица по-рано.' },
    received: { en: 'Orders received', bg: 'Получени поръчки' },
    recorded: { en: 'Orders recorded', bg: 'Записани поръчки' },
    asked: { en: 'Needed review', bg: 'Отишли за проверка' },
    before: { en: (of: string): string => `${of}, a week before`, bg: (of: string) => `${of} седмица по-рано` },
  },
  yesterday: {
    en: (orders: number, sum: string | null): string => `Yesterday: ${counted.en(orders, 'order', 'orders')} recorded${sum === null ? '' : `, ${sum}`}.`,
    bg: (orders: number, sum: string | null) => `Вчера: ${counted.bg(orders, 'записана поръчка', 'записани поръчки')}${sum === null ? '' : ` за ${sum}`}.`,
  },
  usual: {
    en: (weekday: number, range: string): string =>
      `Usual for a ${['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][weekday - 1] ?? 'day'}: ${range}.`,
    bg: (weekday: number, range: string) =>
      `Обичайно за ${['понеделник', 'вторник', 'сряда', 'четвъртък', 'петък', 'събота', 'неделя'][weekday - 1] ?? 'ден'}: ${range}.`,
  },
  notCounted: { en: 'Yesterday’s orders are not counted yet.', bg: 'Вчерашните поръчки още не са преброени.' },
  notYet: {
    en: 'We can say what is usual after four whole weeks.',
    bg: 'Какво е обичайно, ще може да се каже след четири пълни седмици.',
  },
  store: {
    title: { en: 'Webhooks of the last 48 hours', bg: 'Известия през последните 48 часа' },
    about: { en: 'By the hour.', bg: 'По часове.' },
    accepted: { en: 'Accepted', bg: 'Приети' },
    refused: { en: 'Refused', bg: 'Отказани' },
  },
  week: { en: 'Last 7 days', bg: 'Последните 7 дни' },
  weekOf: {
    en: (numbers: string): string => `Webhooks accepted on each of the last 7 days, today at the end: ${numbers}`,
    bg: (numbers: string) => `Приети известия през всеки от последните 7 дни, накрая е днес: ${numbers}`,
  },
  service: {
    title: { en: 'Answers of the last 48 hours', bg: 'Отговори през последните 48 часа' },
    about: {
      en: 'By the hour; paler behind it, the 95th percentile (p95).',
      bg: 'По часове; по-бледо отзад е времето, в което се побират 95 от 100 (p95).',
    },
    half: { en: 'Median (p50)', bg: 'Медиана (p50)' },
    slow: { en: '95th percentile (p95)', bg: '95-и персентил (p95)' },
    failed: { en: 'Failed requests', bg: 'Неприети заявки' },
  },
  month: {
    title: { en: 'Orders by the day they were paid', bg: 'Поръчки по ден на плащане' },
    about: { en: 'Those with a record, by the day.', bg: 'Записаните, по дни.' },
    orders: { en: 'Orders', bg: 'Поръчки' },
    notKept: {
      en: (day: string): string => `We keep these counts for 400 days: days before ${day} are no longer counted.`,
      bg: (day: string) => `Пазим тези бройки 400 дни: за дните преди ${day} вече няма данни.`,
    },
    gaps: {
      en: (days: number): string => `${counted.en(days, 'day has no recorded order and is', 'days have no recorded order and are')} marked.`,
      bg: (days: number) => `${counted.bg(days, 'ден без записани поръчки е отбелязан', 'дни без записани поръчки са отбелязани')}.`,
    },
  },
  issue: {
    seen: { en: 'First and last seen', bg: 'За първи и последен път' },
    days: {
      en: (numbers: string): string => `Orders that came to it on each of the last 14 days, today at the end: ${numbers}`,
      bg: (numbers: string) => `Поръчки, попаднали тук през всеки от последните 14 дни, накрая е днес: ${numbers}`,
    },
  },
});
