import { messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';

/** What somebody did to many orders at once. */
export const bulkActions = messages({
  title: { en: (count: number): string => `Released: ${orderCount.en(count)}`, bg: (count: number) => `Пуснати: ${orderCount.bg(count)}` },
  resolvedTitle: { en: (count: number): string => `Resolved: ${orderCount.en(count)}`, bg: (count: number) => `Приключени: ${orderCount.bg(count)}` },
  by: { en: (who: string): string => `by ${who},`, bg: (who: string) => `от ${who},` },
  progress: { en: (done: number, all: number): string => `${done} of ${all} done`, bg: (done: number, all: number) => `готови ${done} от ${all}` },
  counting: {
    en: 'There are many: they are being counted. This page shows it by itself.',
    bg: 'Поръчките са много и се преброяват. Страницата ще ги покаже сама.',
  },
  leave: {
    en: 'You may leave this page: the orders go on by themselves, and this page stays for 90 days.',
    bg: 'Можете да напуснете страницата: поръчките продължават сами, а страницата остава 90 дни.',
  },
  states: {
    recorded: { en: (count: number): string => `${count} recorded`, bg: (count: number) => counted.bg(count, 'записана', 'записани') },
    removed: {
      en: (count: number): string => counted.en(count, 'deleted, no longer a sale', 'deleted, no longer sales'),
      bg: (count: number) => counted.bg(count, 'изтрита, вече не е продажба', 'изтрити, вече не са продажби'),
    },
    resolved: {
      en: (count: number): string => `${count} resolved by a person`,
      bg: (count: number) => counted.bg(count, 'приключена от човек', 'приключени от човек'),
    },
    ignored: {
      en: (count: number): string => counted.en(count, 'needs no record', 'need no record'),
      bg: (count: number) => `${count} без нужда от запис`,
    },
    waiting: { en: (count: number): string => `${count} not paid yet`, bg: (count: number) => counted.bg(count, 'още неплатена', 'още неплатени') },
    queued: { en: (count: number): string => `${count} under way`, bg: (count: number) => `${count} на път` },
    review: {
      en: (count: number): string => `${count} in review`,
      bg: (count: number) => `${count} за проверка`,
    },
    unconfirmed: { en: (count: number): string => `${count} unconfirmed`, bg: (count: number) => counted.bg(count, 'непотвърдена', 'непотвърдени') },
  },
  refused: { en: (count: number): string => `${count} refused`, bg: (count: number) => counted.bg(count, 'отказана', 'отказани') },
  underWay: { en: (count: number): string => `${count} under way`, bg: (count: number) => `${count} на път` },
  toCome: { en: (count: number): string => `${count} still to come`, bg: (count: number) => `${form.bg(count, 'остава още', 'остават още')} ${count}` },
  stop: { en: 'Stop before the next orders', bg: 'Спри преди следващите поръчки' },
  apart: {
    en: (count: number): string =>
      counted.en(
        count,
        'was not decided here: it needs its own decision, changed in the meantime, or this was stopped first.',
        'were not decided here: each needs its own decision, changed in the meantime, or this was stopped first.',
      ),
    bg: (count: number) =>
      counted.bg(
        count,
        'не е решена тук: решава се отделно, междувременно се е променила или действието е било спряно преди нея.',
        'не са решени тук: решават се поотделно, междувременно са се променили или действието е било спряно преди тях.',
      ),
  },
  issuesTitle: { en: 'In review now', bg: 'За проверка сега' },
  columns: {
    issue: { en: 'Issue', bg: 'Въпрос' },
    orders: { en: 'Orders', bg: 'Поръчки' },
  },
  toGroup: { en: 'Back to the issue', bg: 'Назад към въпроса' },
  total: { en: (sum: string): string => `${sum} recorded in all`, bg: (sum: string) => `Записани общо ${sum}` },
  order: { en: 'The order', bg: 'Поръчката' },
  toOrders: { en: 'See these orders', bg: 'Покажи тези поръчки' },
});
