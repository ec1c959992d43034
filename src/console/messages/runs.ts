import { messages } from '../../contract/messages.ts';

const orders = {
  en: (count: number): string => (count === 1 ? '1 order' : `${count} orders`),
  bg: (count: number): string => (count === 1 ? '1 поръчка' : `${count} поръчки`),
};

/** What somebody did to many orders at once. */
export const runs = messages({
  title: { en: (count: number): string => `Released: ${orders.en(count)}`, bg: (count: number) => `Пуснати: ${orders.bg(count)}` },
  settledTitle: { en: (count: number): string => `Settled: ${orders.en(count)}`, bg: (count: number) => `Уредени: ${orders.bg(count)}` },
  by: { en: (who: string): string => `by ${who},`, bg: (who: string) => `от ${who},` },
  progress: { en: (done: number, all: number): string => `${done} of ${all} decided`, bg: (done: number, all: number) => `решени ${done} от ${all}` },
  counting: {
    en: 'There are many: they are being counted. This page shows it by itself.',
    bg: 'Поръчките са много и се преброяват. Страницата ще ги покаже сама.',
  },
  leave: {
    en: 'You may leave this page: the orders go on by themselves, and this page stays for 90 days.',
    bg: 'Можете да напуснете страницата: поръчките продължават сами, а страницата остава 90 дни.',
  },
  states: {
    recorded: { en: (count: number): string => `${count} recorded`, bg: (count: number) => (count === 1 ? '1 записана' : `${count} записани`) },
    removed: {
      en: (count: number): string => `${count} deleted, the money went back`,
      bg: (count: number) => (count === 1 ? '1 изтрита, парите са върнати' : `${count} изтрити, парите са върнати`),
    },
    settled: {
      en: (count: number): string => `${count} settled by a person`,
      bg: (count: number) => (count === 1 ? '1 уредена от човек' : `${count} уредени от човек`),
    },
    ignored: {
      en: (count: number): string => (count === 1 ? '1 needs no record' : `${count} need no record`),
      bg: (count: number) => `${count} без нужда от запис`,
    },
    waiting: { en: (count: number): string => `${count} not paid yet`, bg: (count: number) => (count === 1 ? '1 още неплатена' : `${count} още неплатени`) },
    queued: { en: (count: number): string => `${count} under way`, bg: (count: number) => `${count} на път` },
    review: {
      en: (count: number): string => (count === 1 ? '1 waits for a person' : `${count} wait for a person`),
      bg: (count: number) => (count === 1 ? '1 чака човек' : `${count} чакат човек`),
    },
    unconfirmed: { en: (count: number): string => `${count} without an answer`, bg: (count: number) => `${count} без отговор` },
  },
  refused: { en: (count: number): string => `${count} refused`, bg: (count: number) => (count === 1 ? '1 отказана' : `${count} отказани`) },
  underWay: { en: (count: number): string => `${count} under way`, bg: (count: number) => `${count} на път` },
  left: {
    en: (count: number): string =>
      `${count === 1 ? '1 was' : `${count} were`} not decided: whoever did it was cut short. ${count === 1 ? 'It is' : 'They are'} as before.`,
    bg: (count: number) =>
      count === 1
        ? '1 поръчка не е решена: работата е била прекъсната. Тя е, каквато беше.'
        : `${count} поръчки не са решени: работата е била прекъсната. Те са, каквито бяха.`,
  },
  toCome: { en: (count: number): string => `${count} still to come`, bg: (count: number) => (count === 1 ? 'остава още 1' : `остават още ${count}`) },
  apart: {
    en: (count: number): string =>
      count === 1
        ? '1 is as before: it is decided by itself, or changed meanwhile.'
        : `${count} are as before: each of them is decided by itself, or changed meanwhile.`,
    bg: (count: number) =>
      count === 1
        ? '1 е, каквато беше: решава се отделно или междувременно се е променила.'
        : `${count} са, каквито бяха: решават се поотделно или междувременно са се променили.`,
  },
  goOn: { en: 'Go on with them', bg: 'Продължи с тях' },
  leftNow: { en: (count: number): string => `${count} as before`, bg: (count: number) => (count === 1 ? '1 е, каквато беше' : `${count} са, каквито бяха`) },
  issuesTitle: { en: 'What waits for a person now', bg: 'Какво чака човек сега' },
  columns: {
    issue: { en: 'Issue', bg: 'Въпрос' },
    orders: { en: 'Orders', bg: 'Поръчки' },
  },
  toGroup: { en: 'Back to the issue', bg: 'Назад към въпроса' },
  order: { en: 'The order', bg: 'Поръчката' },
});
